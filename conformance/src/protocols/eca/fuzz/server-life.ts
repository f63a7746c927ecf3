import * as fc from "fast-check";
import { lifeSteps, newSessions, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
import type { Policy } from "./server-player.js";

interface ModelChat {
  running: boolean;
  /** The turn ends by itself. */
  ends: boolean;
}

/** The client's knowledge of a connection: its busy chat, and how the user answers tool calls. */
interface Model {
  readonly chats: ModelChat[];
  policy: Policy;
}

const { step, inSession } = lifeSteps<ModelChat, Model>("chat", ({ chats }) => chats);
const behaviors = ["text", "chunks", "slow", "reason", "tool-ok", "ask-approval", "error"];
const policies: readonly Policy[] = ["approve", "reject", "hold"];

const prompt = inSession("prompt", {
  args: oneOf("behavior", ...behaviors),
  legal: ({ running }) => !running,
  apply: (chat, { behavior }, model) =>
    void Object.assign(chat, { running: true, ends: behavior !== "slow" && model.policy !== "hold" }),
});

const policy = step("policy", {
  args: oneOf("policy", ...policies),
  apply(model, { policy: one }) {
    model.policy = one;
    // A turn that goes on may ask from here on.
    if (one === "hold") for (const chat of model.chats) chat.ends &&= !chat.running;
  },
});

const stop = inSession("stop", { apply: (chat) => void (chat.ends = true) });

const finish = inSession("finish", {
  legal: ({ running, ends }) => running && ends,
  apply: (chat) => void (chat.running = false),
});

const remove = inSession("delete", { legal: ({ running }) => !running });
const query = oneOf("query", "", "a", "no such thing");
const queries = fc.oneof(step("contexts", { args: query }), step("commands", { args: query }));
const decide = inSession("decide", { args: oneOf("method", "chat/toolCallApprove", "chat/toolCallReject") });
const server = step("server", { args: oneOf("method", "mcp/startServer", "mcp/stopServer") });

/** Chats in any legal order of what a client does: prompting, deciding, stopping, deleting, asking. */
export const serverLife = lifeCycle<Model>({
  start: () => ({ chats: newSessions({ running: false, ends: true }), policy: "reject" }),
  steps: [prompt, prompt, prompt, policy, stop, finish, finish, remove, queries, decide, server],
});
