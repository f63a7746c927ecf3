import type { AcpAgent } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { ecaPair } from "@editwire/eca/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AgentEvent, fromAcp, fromEca, fromKaiak } from "../src/index.js";

/** An agent that ends no turn before `answers` is set, whatever happens. */
class DeafAgent {
  answers = false;

  readonly prompt = async (turn: { text(text: string): void | Promise<void> }): Promise<void> => {
    await turn.text("Begun.");
    if (!this.answers) await new Promise(() => {});
  };
}

const graces = { client: { cancelGraceMs: 20 }, agent: { cancelGraceMs: 60_000 } };

const gateways = {
  acp: (far: DeafAgent) =>
    fromAcp(async (handlers) => {
      const agent: AcpAgent = { prompt: far.prompt, whenBusy: "queue" };
      return (await acpPair(agent, { client: { ...handlers, ...graces.client }, agent: graces.agent })).client;
    }),
  eca: (far: DeafAgent) =>
    fromEca(async (handlers) => {
      const client = { ...handlers, ...graces.client, shutdownTimeoutMs: 20, onError: () => {} };
      return (await ecaPair({ prompt: far.prompt }, { client, server: graces.agent })).client;
    }),
  kaiak: (far: DeafAgent) =>
    fromKaiak(async (handlers) => {
      const client = { ...handlers, ...graces.client };
      return (await kaiakPair({ prompt: far.prompt }, { client, server: graces.agent })).client;
    }),
};

const notice = { severity: "warning", text: "The agent has not ended an earlier prompt; it may not answer this one" };

describe.each(["acp", "eca", "kaiak"] as const)(
  "a gateway to an agent of %s that does not end a cancelled turn",
  (protocol) => {
    it("says so in the next turn, until the agent is heard again", async () => {
      const far = new DeafAgent();
      const agent = gateways[protocol](far);
      onTestFinished(() => agent.close());
      const [first, second] = [await agent.newSession({ cwd: "/p" }), await agent.newSession({ cwd: "/p" })];
      const notices = (): AgentEvent[] => second.events.filter(({ type }) => type === "notice");
      const turn = first.prompt("one");
      await expect.poll(() => first.events).toContainEqual({ type: "text", text: "Begun." });
      first.cancel();
      expect(await turn).toEqual({ stopReason: "cancelled" });
      far.answers = true;
      await second.prompt("two"); // in another session: it is the agent that is deaf
      expect(notices()).toEqual([{ type: "notice", notice }]);
      expect(second.events).toContainEqual({ type: "text", text: "Begun." });
      await second.prompt("three");
      expect(notices()).toHaveLength(1);
    });
  },
);
