import { acpPair } from "@editwire/acp/testing";
import { spawnAcp } from "@editwire/acp/node";
import { type EcaProfile, ecaProfiles } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { ecaPair } from "@editwire/eca/testing";
import { spawnKaiak } from "@editwire/kaiak/node";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Agent,
  type AgentStopReason,
  createAgent,
  fromAcp,
  fromEca,
  fromKaiak,
  RemoteError,
  toAcp,
  toEca,
} from "../src/index.js";
import { commands } from "./commands.js";

const quiet = { onError: () => {} };

/** An agent that says half an answer and then ends its turn in this way. */
const ending = (end: () => AgentStopReason | Promise<never>): Agent =>
  createAgent({
    async prompt(turn) {
      await turn.text("Half of the");
      return end();
    },
  });

/** All that an editor of ECA is shown of a turn, as it puts it together. */
async function shownInEca(agent: Agent, profile: EcaProfile = ecaProfiles.v2026, prompt = "go"): Promise<string> {
  const { client } = await ecaPair(toEca(agent), { client: { profile }, server: { profile } });
  let shown = "";
  for await (const event of client.newSession().prompt(prompt))
    if (event.type === "text" || event.type === "notice") shown += event.text;
  return shown;
}

describe.each(["spec", "v2026"] as const)("an editor of ECA (%s) is shown on a line of its own", (name) => {
  it.each([
    ["acp", () => fromAcp((handlers) => spawnAcp(commands.acpAgent, handlers), quiet)],
    ["eca", () => fromEca((handlers) => spawnEca(commands.ecaServer, handlers), quiet)],
    ["kaiak", () => fromKaiak((handlers) => spawnKaiak(commands.kaiakServer, handlers), quiet)],
  ] as const)("that the process of an agent of %s was killed in mid-turn", async (far, open) => {
    const agent = open();
    onTestFinished(() => agent.close());
    const prompt = far === "kaiak" ? JSON.stringify([{ id: "1", rule_id: "r", message: "say die" }]) : "say die";
    const text = "The agent behind the gateway has ended; the next prompt tries to start it again";
    expect(await shownInEca(agent, ecaProfiles[name], prompt)).toMatch(
      new RegExp(`^Looking around\\.\n.*${text}$`, "s"),
    );
  });

  it("with what error a turn failed", async () => {
    const agent = ending(() => Promise.reject(new RemoteError(-32_000, "Out of tokens")));
    expect(await shownInEca(agent, ecaProfiles[name])).toBe("Half of the\nOut of tokens");
  });

  it.each(["max_tokens", "refusal", "cancelled"] as const)("that the agent ended a turn as %s", async (reason) => {
    const shown = await shownInEca(
      ending(() => reason),
      ecaProfiles[name],
    );
    expect(shown).toBe(`Half of the\nStopped: ${reason}\n`);
  });
});

it.each(["refusal", "cancelled"] as const)(
  "an ACP client is shown that a turn of another ended as %s",
  async (reason) => {
    const agent = ending(() => reason);
    const { client } = await acpPair(toAcp(agent), {});
    const session = await client.newSession({ cwd: "/p" });
    await agent.session(session.id)?.prompt("go");
    await expect.poll(() => JSON.stringify(session.state.entries)).toContain(`Stopped: ${reason}`);
  },
);
