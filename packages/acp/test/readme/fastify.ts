import { acpHandler, nodeListener } from "@editwire/acp/node";
import { fastify } from "fastify";
import { agent, options } from "./my-agent.js";

const handler = acpHandler(agent, options);
const listener = nodeListener(handler.fetch);

const app = fastify();
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers(); // in this scope, the handler reads the body
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  scope.all("/acp", (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});
app.server.on("upgrade", (request, socket, head) => {
  if (!handler.upgrade(request, socket, head)) socket.destroy(); // another path
});
await app.listen({ port: Number(process.argv[2] ?? 9000), host: "127.0.0.1" });
console.log("serving ACP at", app.server.address());
