import { spawnEcaServer } from "@editwire/eca/node";

const server = await spawnEcaServer(process.argv.slice(2), {
  clientInfo: { name: "my-editor", version: "1.0.0" },
  approval: ({ name }) => (name === "read_file" ? "approve" : "reject"),
  onMessage: (type, message) => console.error(`${type}: ${message}`),
});
const chat = server.newChat();

for await (const event of chat.prompt("Fix the failing test")) {
  if (event.type === "text") process.stdout.write(event.text);
  if (event.type === "tool_call")
    console.log(`\n[${event.toolCall.status}] ${event.toolCall.summary ?? event.toolCall.name}`);
  if (event.type === "stop") console.log(`\n${event.stopReason}`);
}
console.log(`${chat.state.entries.length} entries to render, ${chat.state.usage?.sessionTokens ?? 0} tokens`);
await server.close();
