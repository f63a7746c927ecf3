// A host and an agent in memory: a question, its answer, and what the host's store says of both.
import { deepStrictEqual } from "node:assert";
import { createHelixZedAgent, createHelixZedHost, responseOf } from "@editwire/helix-zed";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const host = createHelixZedHost();
  const agent = createHelixZedAgent(
    { prompt: (turn) => turn.text(`You said: ${turn.promptText}`) },
    {
      sessionId: "ses_1",
      dial() {
        const [there, here] = memoryPair();
        host.attach(there, "ses_1");
        return Promise.resolve(here);
      },
    },
  );
  const session = await host.session("ses_1");
  const seen: string[] = [];
  for await (const event of session.prompt("hello")) {
    if (event.type === "message") seen.push(event.message.content);
    else if (event.type === "stop") seen.push(event.stopReason);
  }
  deepStrictEqual(seen, ["You said: hello", "end_turn"]);
  deepStrictEqual((await session.interactions()).map(responseOf), ["You said: hello"]);
  await agent.close();
  await host.close();
}

void main();
