import { spawnEca } from "@editwire/eca/node";

const server = await spawnEca(process.argv.slice(2), {
  clientInfo: { name: "my-editor", version: "1.0.0" },
  permission: async ({ name }) => (name === "read_file" ? "allow_once" : "reject_once"),
  onMessage: (type, message) => console.error(`${type}: ${message}`),
});
const session = server.newSession();

for await (const event of session.prompt("Fix the failing test")) {
  if (event.type === "text") process.stdout.write(event.text);
  if (event.type === "tool_call") console.log(`\n[${event.toolCall.status}] ${event.toolCall.title}`);
  if (event.type === "stop") console.log(`\n${event.stopReason}`);
}
console.log(`${session.state.entries.length} entries to render, ${session.state.usage?.sessionTokens ?? 0} tokens`);
await server.close();
