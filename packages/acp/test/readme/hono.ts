import { acpHandler } from "@editwire/acp/node";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { agent, options } from "./my-agent.js";

const handler = acpHandler(agent, options);

const app = new Hono();
app.all("/acp", (context) => handler.fetch(context.req.raw));

const port = Number(process.argv[2] ?? 9000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) => console.log("serving ACP at", address));
