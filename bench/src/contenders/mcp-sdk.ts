import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Notification, Request } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Contender, Handlers, Link, Update } from "./contender.js";
import { overStreams } from "./over-streams.js";

const result = z.looseObject({});
const info = { name: "bench", version: "1.0.0" };
/** Its default of 10 MiB refuses the large messages. */
const limits = { maxBufferSize: 1024 * 1024 * 1024 };

/** The official SDK of the Model Context Protocol, with messages of no schema of their own. */
export const contender: Contender = overStreams(async (readable, writable, handlers) => {
  writable.setMaxListeners(0); // it adds one for every message that waits, and the warnings would be measured too
  const transport = new StdioServerTransport(readable, writable, limits);
  return handlers.role === "serves" ? attachServer(transport, handlers) : attachClient(transport, handlers);
});

async function attachClient(transport: StdioServerTransport, handlers: Handlers): Promise<Link> {
  const client = new Client(info, { capabilities: {} });
  client.fallbackNotificationHandler = async ({ params }) => handlers.update(params as unknown as Update);
  await client.connect(transport);
  return {
    call: (method, params) => client.request({ method, params: { ...params } } as Request, result),
    update: () => {},
    close: () => client.close(),
  };
}

async function attachServer(transport: StdioServerTransport, handlers: Handlers): Promise<Link> {
  const server = new Server(info, { capabilities: {} });
  const link: Link = {
    call: (method, params) => server.request({ method, params: { ...params } } as Request, result),
    update: (params) => server.notification({ method: "session/update", params } as unknown as Notification),
    close: () => server.close(),
  };
  server.fallbackRequestHandler = async ({ method, params }) =>
    (await handlers.call(method, params, link)) as Record<string, unknown>;
  await server.connect(transport);
  return link;
}
