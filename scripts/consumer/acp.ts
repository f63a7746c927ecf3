// An editor and an agent in memory: one turn with a tool call that needs permission.
import { deepStrictEqual } from "node:assert";
import { connectAcp, serveAcp } from "@editwire/acp";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const [editor, backend] = memoryPair();
  serveAcp(backend, {
    info: { name: "smoke", version: "1.0.0" },
    async prompt(turn) {
      await turn.text(`You said: ${turn.promptText}`);
      const call = await turn.toolCall({ title: "Write a file", kind: "edit" });
      const answer = await turn.requestPermission(call);
      await (answer.allowed ? call.complete({}) : call.fail({}));
    },
  });

  const agent = await connectAcp(editor, { permission: async () => "allow_once" });
  const session = await agent.newSession({ cwd: process.cwd() });
  const seen: string[] = [];
  for await (const event of session.prompt("hello")) {
    if (event.type === "text") seen.push(event.text);
    else if (event.type === "tool_call") seen.push(`${event.toolCall.title}: ${event.toolCall.status}`);
    else if (event.type === "stop") seen.push(event.stopReason);
  }
  deepStrictEqual([seen[0], seen.at(-2), seen.at(-1)], ["You said: hello", "Write a file: completed", "end_turn"]);
  await agent.close();
}

void main();
