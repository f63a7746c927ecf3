import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import type { Policy } from "./server-player.js";

interface ModelChat {
  running: boolean;
  /** The turn ends by itself. */
  ends: boolean;
}

/** What a client knows about a connection: which of its chats is busy, and what the user does about tool calls. */
interface Model {
  readonly chats: ModelChat[];
  policy: Policy;
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_CHATS = 4;
const number = fc.nat({ max: MAX_CHATS - 1 });
const at = ({ chats }: Readonly<Model>, index: number): ModelChat => chats[index] ?? { running: false, ends: true };
const always = { legal: () => true, apply: () => {} };

const prompt: Arb = fc
  .tuple(number, fc.constantFrom("text", "chunks", "slow", "reason", "tool-ok", "ask-approval", "error"))
  .map(([chat, behavior]) => ({
    step: { do: "prompt", chat, behavior },
    legal: (model) => !at(model, chat).running,
    apply: (model) =>
      void (model.chats[chat] = { running: true, ends: behavior !== "slow" && model.policy !== "hold" }),
  }));

const policy: Arb = fc.constantFrom<Policy>("approve", "reject", "hold").map((one) => ({
  step: { do: "policy", policy: one },
  legal: () => true,
  apply(model) {
    model.policy = one;
    // A turn that goes on may ask from here on.
    if (one === "hold") for (const chat of model.chats) chat.ends &&= !chat.running;
  },
}));

const stop: Arb = number.map((chat) => ({
  step: { do: "stop", chat },
  legal: () => true,
  apply: (model) => void (at(model, chat).ends = true),
}));

const finish: Arb = number.map((chat) => ({
  step: { do: "finish", chat },
  legal: (model) => at(model, chat).running && at(model, chat).ends,
  apply: (model) => void (at(model, chat).running = false),
}));

const remove: Arb = number.map((chat) => ({
  step: { do: "delete", chat },
  legal: (model) => !at(model, chat).running,
  apply: () => {},
}));

const queries: Arb = fc
  .tuple(fc.constantFrom("contexts", "commands"), fc.constantFrom("", "a", "no such thing"))
  .map(([what, query]) => ({ step: { do: what, query }, ...always }));

const decide: Arb = fc
  .tuple(number, fc.constantFrom("chat/toolCallApprove", "chat/toolCallReject"))
  .map(([chat, method]) => ({ step: { do: "decide", chat, method }, ...always }));

const server: Arb = fc
  .constantFrom("mcp/startServer", "mcp/stopServer")
  .map((method) => ({ step: { do: "server", method }, ...always }));

/** Chats in any legal order of what a client does: prompting, deciding, stopping, deleting, asking. */
export const serverLife = lifeCycle<Model>({
  start: () => ({ chats: Array.from({ length: MAX_CHATS }, () => ({ running: false, ends: true })), policy: "reject" }),
  steps: [prompt, prompt, prompt, policy, stop, finish, finish, remove, queries, decide, server],
});
