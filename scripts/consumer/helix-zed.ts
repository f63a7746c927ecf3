// A host and an agent in memory: a question, its answer, and what the host's store says of both.
import { deepStrictEqual } from "node:assert";
import { createHelixHost, createZedAgent, responseOf } from "@editwire/helix-zed";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const host = createHelixHost();
  const agent = createZedAgent(
    { prompt: (turn) => turn.append(`You said: ${turn.message}`) },
    {
      sessionId: "ses_1",
      dial() {
        const [there, here] = memoryPair();
        host.attach(there, "ses_1");
        return Promise.resolve(here);
      },
    },
  );
  const session = host.session("ses_1");
  const seen: string[] = [];
  for await (const event of session.send("hello"))
    seen.push(event.type === "message" ? event.message.content : event.interaction.state);
  deepStrictEqual(seen, ["You said: hello", "complete"]);
  deepStrictEqual((await session.interactions()).map(responseOf), ["You said: hello"]);
  await agent.close();
  await host.close();
}

void main();
