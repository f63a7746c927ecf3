import { ecaProfiles, type EcaServer } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { afterEach, expect, it, vi } from "vitest";
import { type Agent, type AgentSession, fromEca, type SessionView } from "../src/index.js";

afterEach(() => void vi.useRealTimers());

function gatewayTo(server: EcaServer, name: "spec" | "v2026"): Agent {
  const profile = ecaProfiles[name];
  return fromEca(
    async (handlers) => (await ecaPair(server, { client: { ...handlers, profile }, server: { profile } })).client,
  );
}

/** The session that an agent opens without that a timer fires. */
async function openedAtOnce(agent: Agent): Promise<AgentSession | undefined> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  let session: AgentSession | undefined;
  const opening = agent.newSession({ cwd: "/p" }).then((opened) => (session = opened));
  for (let turn = 0; turn < 100 && session === undefined; turn++) await new Promise(setImmediate);
  const opened = session;
  vi.runAllTimers();
  await opening;
  vi.useRealTimers();
  return opened;
}

it.each(["spec", "v2026"] as const)("does not wait for what a server does not offer, %s", async (name) => {
  const agent = gatewayTo({ prompt() {} }, name);
  expect(await openedAtOnce(agent)).toMatchObject({ modes: undefined, configOptions: [] });
  await agent.close();
});

it("waits until a server of 2026 has said what it offers", async () => {
  const server: EcaServer = {
    prompt() {},
    async initialized(connection) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      connection.offer({ models: ["m"] });
    },
  };
  const agent = gatewayTo(server, "v2026");
  expect(await openedAtOnce(agent)).toMatchObject({ configOptions: [{ currentValue: "m" }] });
  await agent.close();
});

it("says which tool call asks", async () => {
  const server: EcaServer = {
    async prompt(turn) {
      const call = await turn.toolCall({ name: "ask", arguments: {} });
      await turn.ask("Which?", { options: [{ label: "a" }], toolCallId: call.toolCallId });
      await call.complete("ok");
    },
  };
  const agent = gatewayTo(server, "v2026");
  const session = await agent.newSession({ cwd: "/p" });
  const asking: (string | undefined)[] = [];
  const question: SessionView["question"] = async ({ toolCallId }) => (asking.push(toolCallId), "a");
  session.attach({ name: "editor", event: () => {}, question });
  await session.prompt("go");
  const called = session.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall.toolCallId] : []));
  expect(asking).toEqual(called);
  expect(called).toHaveLength(1);
  await agent.close();
});
