import { spawnAcp } from "@editwire/acp/node";

const agent = await spawnAcp(process.argv.slice(2), {
  clientInfo: { name: "my-editor", version: "1.0.0" },
  permission: async ({ toolCall }) => (toolCall.kind === "read" ? "allow_once" : "reject_once"),
});
const session = await agent.newSession({ cwd: process.cwd() });

for await (const event of session.prompt("Fix the failing test")) {
  if (event.type === "text") process.stdout.write(event.text);
  if (event.type === "tool_call") console.log(`\n[${event.toolCall.status}] ${event.toolCall.title}`);
  if (event.type === "stop") console.log(`\n${event.stopReason}`);
}
await agent.close();
