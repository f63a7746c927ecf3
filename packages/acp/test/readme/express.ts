import { acpHttpHandler } from "@editwire/acp/http";
import { nodeListener } from "@editwire/acp/node";
import { acpWebSocketHandler } from "@editwire/acp/ws";
import express from "express";
import { agent, options } from "./my-agent.js";

const overHttp = acpHttpHandler(agent, options);
const overWebSockets = acpWebSocketHandler(agent, options);

const app = express();
app.use(express.json({ limit: "4mb" })); // for your own routes; ACP works before and after it
app.all("/acp/*path", nodeListener(overHttp.fetch));

const port = Number(process.argv[2] ?? 9000);
const server = app.listen(port, "127.0.0.1", () => console.log("serving ACP at", server.address()));
server.on("upgrade", (request, socket, head) => {
  if (!overWebSockets.upgrade(request, socket, head)) socket.destroy(); // another path
});
