// One agent, behind ACP, in memory.
import { deepStrictEqual } from "node:assert";
import { connectAcp, serveAcp } from "@editwire/acp";
import { createAgent, toAcp } from "@editwire/agent";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const [here, there] = memoryPair();
  const agent = createAgent({ prompt: async (turn) => void (await turn.text(`You said: ${turn.promptText}`)) });
  serveAcp(there, toAcp(agent));
  const client = await connectAcp(here);
  const session = await client.newSession({ cwd: "/" });
  const seen: string[] = [];
  for await (const event of session.prompt("Hello")) {
    if (event.type === "text") seen.push(event.text);
    else if (event.type === "stop") seen.push(event.stopReason);
  }
  deepStrictEqual(seen, ["You said: Hello", "end_turn"]);
  await client.close();
}

void main();
