import { acpHandler, nodeListener } from "@editwire/acp/node";
import express from "express";
import { agent, options } from "./my-agent.js";

const handler = acpHandler(agent, options);

const app = express();
app.all("/acp", nodeListener(handler.fetch));

const port = Number(process.argv[2] ?? 9000);
const server = app.listen(port, "127.0.0.1", () => console.log("serving ACP at", server.address()));
server.on("upgrade", (request, socket, head) => {
  if (!handler.upgrade(request, socket, head)) socket.destroy(); // another path
});
