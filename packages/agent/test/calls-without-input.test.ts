import { acpPair } from "@editwire/acp/testing";
import { ecaPair } from "@editwire/eca/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { afterEach, expect, it } from "vitest";
import { type Agent, createAgent, fromAcp, fromEca, fromKaiak, toAcp, toEca, toKaiak } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** An agent that makes a call with a kind and a place, and one with a title only; neither has an input. */
const agent = createAgent({
  async prompt(turn) {
    const call = await turn.toolCall({ title: "Read a.ts", kind: "read", locations: [{ path: "/p/a.ts" }] });
    await call.complete();
    await (await turn.toolCall({ title: "Think", status: "pending" })).complete();
  },
});

const known = [{ kind: "read", path: "/p/a.ts" }, { title: "Think" }];
const incident = { id: "1", rule_id: "r", message: "m" };
const configuration = { workspace: { working_dir: "/p" } };

it("shows what is known of a call without input as its arguments, in ECA, now and later", async () => {
  const { client } = await ecaPair(toEca(agent), { client: { workspaceFolders: [] } });
  cleanups.push(() => client.close());
  const session = client.newSession();
  await session.prompt("go").stopReason;
  const callsOf = ({ state }: typeof session): unknown[] =>
    state.entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCall.arguments] : []));
  expect(callsOf(session)).toEqual(known);
  const loaded = await client.loadSession({ sessionId: String(session.id) });
  expect(loaded && callsOf(loaded)).toEqual(known);
});

it("shows what is known of a call without input as its parameters, in Kaiak", async () => {
  const { client } = await kaiakPair(toKaiak(agent), { server: { configuration } });
  cleanups.push(() => client.close());
  const seen: unknown[] = [];
  for await (const event of client.newSession().prompt([incident]))
    if (event.type === "tool_call" && event.toolCall.status === "completed") seen.push(event.toolCall.arguments);
  expect(seen).toEqual(known);
});

async function inputsOf(gateway: Agent): Promise<unknown[]> {
  cleanups.push(() => gateway.close());
  const { client } = await acpPair(toAcp(gateway));
  const session = await client.newSession({ cwd: "/p" });
  await session.prompt("go").stopReason;
  return session.state.entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCall.rawInput] : []));
}

it("shows an ACP client no input of calls that have none, from any agent", async () => {
  const acp = fromAcp(async (handlers) => (await acpPair(toAcp(agent), { client: handlers })).client);
  const eca = fromEca(
    async (handlers) =>
      (
        await ecaPair(
          { prompt: async (turn) => (await turn.toolCall({ name: "think", arguments: {} })).complete("done") },
          { client: handlers },
        )
      ).client,
  );
  const kaiak = fromKaiak(
    async (handlers) =>
      (
        await kaiakPair(
          { prompt: async (turn) => (await turn.toolCall({ name: "think", operation: "Think" })).complete() },
          { client: handlers },
        )
      ).client,
  );
  expect(await inputsOf(acp)).toEqual([undefined, undefined]);
  expect([await inputsOf(eca), await inputsOf(kaiak)]).toEqual([[undefined], [undefined]]);
});
