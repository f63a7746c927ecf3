import { isObject } from "@editwire/core";
import {
  type AgentBehavior,
  type AgentSession,
  type Json,
  type Refusal,
  rightAgent,
} from "../../reference/agent-behavior.js";
import { broken, each, patch } from "./patch.js";

const error = (code: number, message = "no"): Refusal => ({ code, message });
const stopReason = (message: Json): unknown => (message["result"] as Json | undefined)?.["stopReason"];

/** Ends turns otherwise than the reference does; `undefined` says nothing. */
const ending = (reason: string, change: (message: Json) => unknown): Partial<AgentBehavior> =>
  patch({
    outgoing: (message) =>
      stopReason(message) === reason ? [change(message)].filter((one) => one !== undefined) : [message],
  });

/** Blocks that a prompt may hold. */
const blocks: Readonly<Record<string, (block: Json) => boolean>> = {
  "links-without-names": ({ type, name }) => type === "resource_link" && name === undefined,
  "links-without-types": ({ type, mimeType }) => type === "resource_link" && mimeType === undefined,
  "links-without-descriptions": ({ type, description }) => type === "resource_link" && description === undefined,
  links: ({ type }) => type === "resource_link",
  embedded: ({ type }) => type === "resource",
  "embedded-without-types": ({ resource }) => isObject(resource) && resource["mimeType"] === undefined,
  "embedded-texts": ({ resource }) => (resource as Json | undefined)?.["text"] !== undefined,
  "embedded-blobs": ({ resource }) => (resource as Json | undefined)?.["blob"] !== undefined,
  "audio-without-type": ({ type, mimeType }) => type === "audio" && mimeType === undefined,
  images: ({ type }) => type === "image",
  audio: ({ type }) => type === "audio",
  "long-texts": ({ text }) => String(text).length > 2 ** 13,
};

/** Sends the last words of a turn behind its answer. */
function lateWords(): Partial<AgentBehavior> {
  let held: Json | undefined;
  return patch({
    outgoing(message) {
      const { update } = (message["params"] ?? {}) as {
        update?: { sessionUpdate?: unknown; content?: { text?: unknown } };
      };
      if (update?.sessionUpdate === "agent_message_chunk" && update.content?.text === "ok") {
        held = message;
        return [];
      }
      if (held === undefined || stopReason(message) === undefined) return [message];
      const late = held;
      held = undefined;
      return [message, late];
    },
  });
}

/** Refuses every prompt to a session but the first. */
function oneTurnPerSession(): Partial<AgentBehavior> {
  const used = new WeakSet<AgentSession>();
  return patch({
    busy: (session, all) => (used.has(session) ? error(-32602, "the session is over") : rightAgent.busy(session, all)),
    endTurn(session) {
      used.add(session);
      rightAgent.endTurn(session);
    },
  });
}

/** Keeps a second cancel of a turn for the next turn of the session. */
function keepsCancels(): Partial<AgentBehavior> {
  const kept = new Set<string>();
  return patch({
    cancel(session) {
      if (session?.turn?.signal.aborted === true) kept.add(session.id);
      return rightAgent.cancel(session);
    },
    busy(session, all) {
      if (kept.delete(session.id)) queueMicrotask(() => rightAgent.cancel(session));
      return rightAgent.busy(session, all);
    },
  });
}

/** Ignores a cancel before a turn has done something. */
function missesEarlyCancels(): Partial<AgentBehavior> {
  let busy = false;
  return patch({
    updates(update) {
      busy = update["sessionUpdate"] !== "user_message_chunk";
      return [update];
    },
    cancel: (session) => (busy ? rightAgent.cancel(session) : []),
  });
}

const cancelledTurns = ["CANCEL-001", "CANCEL-002", "CANCEL-004"];

const cancelMutants = broken({
  "cancel-ends-as-end-turn": [
    cancelledTurns,
    { stopReason: (reason) => (reason === "cancelled" ? "end_turn" : reason) },
    { collateral: ["UPDATE-005"] },
  ],
  "answers-cancel": [
    ["CANCEL-001", "CANCEL-003"],
    {
      cancel(session) {
        rightAgent.cancel(session);
        return [{ jsonrpc: "2.0", id: null, error: error(-32601) }];
      },
    },
  ],
  "cancel-does-not-end-permission": [
    "CANCEL-002",
    {
      patience: (answer) =>
        answer.then((outcome) => (outcome?.["outcome"] === "selected" ? outcome : new Promise(() => {}))),
    },
  ],
  "late-answers-run-the-tool": [
    "CANCEL-002",
    { endTurn: (session) => void (session.turn?.signal.aborted === true || rightAgent.endTurn(session)) },
  ],
  "cancel-ends-all-turns": [
    "CANCEL-010",
    {
      cancel(session, all = []) {
        if (session !== undefined) for (const one of all) rightAgent.cancel(one);
        return [];
      },
    },
  ],
  "second-cancel-ends-the-next-turn": ["CANCEL-011", keepsCancels],
  "misses-early-cancels": ["CANCEL-004", missesEarlyCancels],
});

const turnMutants = broken({
  "turns-without-answer": ["TURN-001", ending("max_tokens", () => undefined)],
  "limits-are-errors": [
    "TURN-001",
    ending("max_turn_requests", ({ id }) => ({ jsonrpc: "2.0", id, error: error(-32603) })),
  ],
  ...each(["max_tokens", "max_turn_requests", "refusal"], (reason) => ({
    [`${reason.replaceAll("_", "-")}-ends-as-end-turn`]: [
      "TURN-002",
      { stopReason: (ended) => (ended === reason ? "end_turn" : ended) },
    ],
  })),
  // Every turn that has to go well ends so.
  "says-refusal-for-all": [
    "TURN-002",
    { stopReason: (reason) => (reason === "end_turn" ? "refusal" : reason) },
    { collateral: ["TURN-004", "TURN-007", "TURN-008", "TURN-010", "CANCEL-002", "CANCEL-003"] },
  ],
  "last-words-come-late": ["TURN-003", lateWords],
  "refuses-texts-beside-others": [
    "TURN-004",
    {
      promptProblem: (params) =>
        Array.isArray(params["prompt"]) && new Set((params["prompt"] as Json[]).map(({ type }) => type)).size > 1
          ? error(-32602)
          : rightAgent.promptProblem(params),
    },
    { cases: ["turn.content-*"] },
  ],
  ...each(Object.entries(blocks), ([name, test]) => ({
    [`refuses-${name}`]: [
      "TURN-004",
      {
        promptProblem: (params) =>
          Array.isArray(params["prompt"]) && (params["prompt"] as Json[]).some(test)
            ? error(-32602)
            : rightAgent.promptProblem(params),
      },
    ],
  })),
  "prompts-nowhere": [
    "TURN-005",
    { unknownSession: (method) => (method === "session/prompt" ? undefined : rightAgent.unknownSession(method)) },
  ],
  "other-code-for-unknown-sessions": [
    [],
    { unknownSession: () => error(-32002, "unknown session") },
    { cases: ["turn.*", "session.*"] },
  ],
  "two-turns-at-once": ["TURN-006", { busy: () => undefined }],
  "other-code-when-busy": [
    "TURN-006",
    { busy: (session, all) => rightAgent.busy(session, all) && error(-32000, "busy") },
  ],
  "second-prompt-ends-the-first": [
    "TURN-007",
    {
      busy(session, all) {
        session.turn?.abort();
        return rightAgent.busy(session, all);
      },
    },
  ],
  "one-turn-per-session": [["TURN-008", "CANCEL-002"], oneTurnPerSession],
  "one-turn-in-all": [
    "TURN-010",
    { busy: (_session, all) => (all.some(({ turn }) => turn !== undefined) ? error(-32600, "busy") : undefined) },
  ],
  "goes-on-with-the-model": ["MODEL-001", { modelSignal: () => undefined }, { model: true }],
});

/** Faults of agents with turns and their ends. */
export const agentTurnMutants = [...turnMutants, ...cancelMutants];
