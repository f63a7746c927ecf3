import { acpPair } from "@editwire/acp/testing";
import {
  unstableAgent,
  unstableClient,
  unstableClientOf,
  unstableSessionOf,
  unstableUpdateOf,
} from "@editwire/acp/unstable";

const { client } = await acpPair(
  {
    async prompt(turn) {
      await unstableSessionOf(turn.session).plan({ type: "markdown", planId: "p", content: "1. Read it" });
    },
  },
  {
    agent: unstableAgent({ forkSession: async () => {} }), // declares session/fork
    client: unstableClient({ plans: true }), // declares plan_update and plan_removed
  },
);
const { newSession, forkSession } = unstableClientOf(client);
const { id } = await newSession({ cwd: process.cwd() });
const fork = await forkSession({ cwd: process.cwd(), sessionId: id });

for await (const event of fork.prompt("Go on")) {
  const update = event.type === "unknown" ? unstableUpdateOf(event.update) : undefined;
  if (update?.sessionUpdate === "plan_update") console.log(update.plan);
}
await client.close();
