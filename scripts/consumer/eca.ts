// An editor and a server in memory: one turn with a tool call that waits for the user.
import { deepStrictEqual } from "node:assert";
import { connectEca, serveEca } from "@editwire/eca";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const [editor, backend] = memoryPair();
  serveEca(backend, {
    async prompt(turn) {
      await turn.text(`You said: ${turn.promptText}`);
      const call = await turn.toolCall({ name: "write", arguments: { file_path: "/x" }, manualApproval: true });
      if (call.allowed) await call.complete("written");
    },
  });

  const server = await connectEca(editor, { permission: async () => "allow_once" });
  const chat = server.newSession();
  const seen: string[] = [];
  for await (const event of chat.prompt("hello")) {
    if (event.type === "text") seen.push(event.text);
    else if (event.type === "tool_call") seen.push(`${event.toolCall.name}: ${event.toolCall.status}`);
    else if (event.type === "stop") seen.push(event.stopReason);
  }
  deepStrictEqual([seen[0], seen.at(-2), seen.at(-1)], ["You said: hello", "write: completed", "end_turn"]);
  deepStrictEqual(chat.state.running, false);
  await server.close();
}

void main();
