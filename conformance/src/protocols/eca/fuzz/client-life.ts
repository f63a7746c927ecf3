import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import type { Policy } from "../client-role.js";

interface ModelChat {
  /** A prompt was answered, so the client knows the chat's id. */
  named: boolean;
  running: boolean;
  /** A prompt that is answered can no longer be refused. */
  answered: boolean;
  /** A tool call waits until the user stops the turn. */
  held: boolean;
}

/** What a server knows about a connection: its chats, the busy chat, and how the user answers tool calls. */
interface Model {
  readonly chats: ModelChat[];
  policy: Policy;
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_CHATS = 4;
const idle = { named: true, running: false, answered: false, held: false };
const number = fc.nat({ max: MAX_CHATS - 1 });
const at = ({ chats }: Readonly<Model>, index: number): ModelChat => chats[index] ?? { ...idle, named: false };
const over = (model: Model, chat: number): void => void (model.chats[chat] = { ...idle });

/** What a server says in a turn and between turns. */
const contents: readonly (readonly [role: string, content: Record<string, unknown>])[] = [
  ["assistant", { type: "text", text: "Well " }],
  ["user", { type: "text", text: "Hello\n" }],
  ["system", { type: "text", text: "A note" }],
  ["assistant", { type: "url", title: "A page", url: "https://example.org" }],
  ["system", { type: "progress", state: "running", text: "Generating" }],
  [
    "system",
    {
      type: "usage",
      messageInputTokens: 1,
      messageOutputTokens: 2,
      sessionTokens: 3,
      messageCost: "0.01",
      sessionCost: "0.02",
    },
  ],
  ["assistant", { type: "reasonStarted", id: "reason-a" }],
  ["assistant", { type: "reasonText", id: "reason-a", text: "hm" }],
  ["assistant", { type: "reasonFinished", id: "reason-a" }],
];

/** What a server reports about itself. */
const news: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
  ["tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] }],
  ["tool/serverUpdated", { type: "mcp", name: "files", command: "files", args: [], status: "stopped" }],
  ["$/showMessage", { type: "info", message: "A message" }],
];

const prompt: Arb = number.map((chat) => ({
  step: { do: "prompt", chat },
  legal: (model) => !at(model, chat).running,
  apply: (model) => void (at(model, chat).running = true),
}));

const content: Arb = fc.tuple(number, fc.constantFrom(...contents)).map(([chat, [role, one]]) => ({
  step: { do: "content", chat, role, content: one },
  legal: (model) => at(model, chat).named || at(model, chat).running,
  apply: () => {},
}));

const answer: Arb = number.map((chat) => ({
  step: { do: "answer", chat },
  legal: (model) => at(model, chat).running,
  apply: (model) => void (at(model, chat).answered = true),
}));

const tool: Arb = fc.tuple(number, fc.boolean()).map(([chat, manual]) => ({
  step: { do: "tool", chat, manual },
  legal: (model) => at(model, chat).running,
  apply(model) {
    const one = at(model, chat);
    one.answered = true;
    one.held ||= manual && model.policy === "hold";
  },
}));

const policy: Arb = fc.constantFrom<Policy>("approve", "reject", "hold").map((one) => ({
  step: { do: "policy", policy: one },
  // A call may wait when the user's mind changes.
  legal: ({ chats }) => !chats.some(({ held }) => held),
  apply: (model) => void (model.policy = one),
}));

const stop: Arb = number.map((chat) => ({
  step: { do: "stop", chat },
  legal: (model) => at(model, chat).running,
  apply: (model) => over(model, chat),
}));

const end: Arb = number.map((chat) => ({
  step: { do: "end", chat },
  legal: (model) => at(model, chat).running && !at(model, chat).held,
  apply: (model) => over(model, chat),
}));

const fail: Arb = number.map((chat) => ({
  step: { do: "fail", chat },
  legal: (model) => at(model, chat).running && !at(model, chat).answered,
  apply: (model) => void (at(model, chat).running = false),
}));

const remove: Arb = number.map((chat) => ({
  step: { do: "delete", chat },
  legal: (model) => at(model, chat).named && !at(model, chat).running,
  apply: (model) => void (model.chats[chat] = { ...idle, named: false }),
}));

const notify: Arb = fc
  .constantFrom(...news)
  .map(([method, params]) => ({ step: { do: "notify", method, params }, legal: () => true, apply: () => {} }));

/** Chats in any legal order of what a server does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ chats: Array.from({ length: MAX_CHATS }, () => ({ ...idle, named: false })), policy: "hold" }),
  steps: [prompt, prompt, content, content, answer, tool, policy, stop, end, fail, remove, notify],
});
