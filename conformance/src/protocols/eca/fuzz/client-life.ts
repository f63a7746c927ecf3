import * as fc from "fast-check";
import { lifeSteps, newSessions, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
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

/** The server's knowledge of a connection: its chats, the busy one, and how the user answers tool calls. */
interface Model {
  readonly chats: ModelChat[];
  policy: Policy;
}

/** Contents that a server sends in a turn and between turns. */
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

/** Reports of a server about itself. */
const news: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
  ["tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] }],
  ["tool/serverUpdated", { type: "mcp", name: "files", command: "files", args: [], status: "stopped" }],
  ["$/showMessage", { type: "info", message: "A message" }],
];

const { step, inSession } = lifeSteps<ModelChat, Model>("chat", ({ chats }) => chats);
const unknown = { named: false, running: false, answered: false, held: false };
const policies: readonly Policy[] = ["approve", "reject", "hold"];
const isRunning = ({ running }: ModelChat): boolean => running;
const over = (chat: ModelChat): void => void Object.assign(chat, unknown, { named: true });

const prompt = inSession("prompt", {
  legal: ({ running }) => !running,
  apply: (chat) => void (chat.running = true),
});

const content = inSession("content", {
  args: fc.constantFrom(...contents).map(([role, one]) => ({ role, content: one })),
  legal: ({ named, running }) => named || running,
});

const answer = inSession("answer", { legal: isRunning, apply: (chat) => void (chat.answered = true) });

const tool = inSession("tool", {
  args: fc.boolean().map((manual) => ({ manual })),
  legal: isRunning,
  apply(chat, { manual }, model) {
    chat.answered = true;
    chat.held ||= manual && model.policy === "hold";
  },
});

const policy = step("policy", {
  args: oneOf("policy", ...policies),
  // A call may wait when the user's mind changes.
  legal: ({ chats }) => !chats.some(({ held }) => held),
  apply: (model, { policy: one }) => void (model.policy = one),
});

const stop = inSession("stop", { legal: isRunning, apply: over });
const end = inSession("end", { legal: ({ running, held }) => running && !held, apply: over });

const fail = inSession("fail", {
  legal: ({ running, answered }) => running && !answered,
  apply: (chat) => void (chat.running = false),
});

const remove = inSession("delete", {
  legal: ({ named, running }) => named && !running,
  apply: (chat) => void Object.assign(chat, unknown),
});

const notify = step("notify", { args: fc.constantFrom(...news).map(([method, params]) => ({ method, params })) });

/** Chats in any legal order of what a server does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ chats: newSessions(unknown), policy: "hold" }),
  steps: [prompt, prompt, content, content, answer, tool, policy, stop, end, fail, remove, notify],
});
