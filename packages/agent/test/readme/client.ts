import { spawnAcp } from "@editwire/acp/node";

const agent = await spawnAcp(process.argv.slice(2), {
  permission: async ({ options }) => ({ optionId: options[0]?.optionId ?? "" }),
});
const session = await agent.newSession({ cwd: process.cwd() });
for await (const event of session.prompt("Fix it")) {
  if (event.type === "text") console.log(event.text);
  if (event.type === "tool_call") console.log(event.toolCall.title, event.toolCall.status);
  if (event.type === "stop") console.log(event.stopReason);
}
await agent.close();
