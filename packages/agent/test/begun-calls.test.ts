import type { AcpAgent } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { type EcaClientOptions, ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { fromAcp, toEca } from "../src/index.js";

const call = { toolCallId: "c", title: "Run make", kind: "execute" } as const;

/** As opencode 1.x: it reports a call as one that runs, and then asks whether it may. `wait` is between the two. */
const eager = (wait: () => Promise<unknown> = async () => {}): AcpAgent => ({
  async prompt(turn) {
    await turn.update({ sessionUpdate: "tool_call", ...call, status: "pending" });
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "in_progress" });
    await wait();
    const options = [
      { optionId: "once", name: "Allow once", kind: "allow_once" as const },
      { optionId: "no", name: "Reject", kind: "reject_once" as const },
    ];
    const decision = await turn.requestPermission(call, options);
    const status = decision.outcome === "selected" && decision.optionId === "once" ? "completed" : "failed";
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "c", status });
  },
});

/** The entries of a turn at an ECA editor: title and last status of each call. */
async function entries(far: AcpAgent, client: EcaClientOptions, onRunning = (): void => {}) {
  const agent = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, { onError: () => {} });
  onTestFinished(() => agent.close());
  const pair = await ecaPair(toEca(agent), { client, server: { profile: client.profile } });
  const session = pair.client.newSession();
  for await (const event of session.prompt("go"))
    if (event.type === "tool_call" && event.toolCall.status === "in_progress") onRunning();
  return session.state.entries.flatMap((entry) =>
    entry.type === "tool_call" ? [`${entry.toolCall.title}: ${entry.toolCall.status}`] : [],
  );
}

describe.each(["spec", "v2026"] as const)("a call that is reported as running before it asks (%s)", (name) => {
  const profile = ecaProfiles[name];

  it.each([
    ["allow_once", "completed"],
    ["reject_once", "rejected"],
  ] as const)("is one entry when the user answers %s", async (answer, status) => {
    expect(await entries(eager(), { profile, permission: async () => answer })).toEqual([`Run make: ${status}`]);
  });
});

it("a call that has run for long asks by a question where the editor takes questions", async () => {
  const asked: string[] = [];
  const options: EcaClientOptions = {
    profile: ecaProfiles.v2026,
    async question({ question }) {
      asked.push(question);
      return "Allow once";
    },
  };
  let onRunning = (): void => {};
  const running = new Promise<void>((resolve) => (onRunning = resolve));
  expect(
    await entries(
      eager(() => running),
      options,
      onRunning,
    ),
  ).toEqual(["Run make: completed"]);
  expect(asked).toEqual(["Run make"]);
});
