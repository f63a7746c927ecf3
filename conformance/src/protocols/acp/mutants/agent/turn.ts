import { isObject } from "@editwire/core";
import { mutant } from "../../../../core/mutant.js";
import {
  type AgentBehavior,
  type AgentSession,
  type Json,
  type Refusal,
  rightAgent,
} from "../../reference/agent-behavior.js";
import { patch } from "./patch.js";

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
  "images-without-type": ({ type, mimeType }) => type === "image" && mimeType === undefined,
  images: ({ type }) => type === "image",
  audio: ({ type }) => type === "audio",
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

/** Holds a cancel without a turn against the next one. */
function cancelsTheNextTurn(): Partial<AgentBehavior> {
  let cancelled = false;
  return patch({
    cancel(session) {
      cancelled ||= session !== undefined && session.turn === undefined;
      return rightAgent.cancel(session);
    },
    stopReason(reason) {
      if (!cancelled) return reason;
      cancelled = false;
      return "cancelled";
    },
  });
}

/** Obeys one cancel in each session. */
function cancelsOnce(): Partial<AgentBehavior> {
  const cancelled = new Set<string>();
  return patch({
    cancel(session) {
      if (session === undefined || cancelled.has(session.id)) return [];
      if (session.turn !== undefined) cancelled.add(session.id);
      return rightAgent.cancel(session);
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

const cancelledTurns = ["ACP-CANCEL-001", "ACP-CANCEL-002", "ACP-CANCEL-004"];

const cancelMutants = [
  mutant("acp.agent/cancel-ends-as-end-turn", {
    violates: cancelledTurns,
    collateral: ["ACP-UPDATE-005"],
    patch: patch({ stopReason: (reason) => (reason === "cancelled" ? "end_turn" : reason) }),
  }),
  mutant("acp.agent/cancel-ends-as-an-error", {
    violates: cancelledTurns,
    patch: ending("cancelled", ({ id }) => ({ jsonrpc: "2.0", id, error: error(-32603, "the operation was aborted") })),
  }),
  mutant("acp.agent/deaf-to-cancel", { violates: cancelledTurns, patch: patch({ cancel: () => [] }) }),
  mutant("acp.agent/cancelled-prompts-are-not-answered", {
    violates: cancelledTurns,
    patch: ending("cancelled", () => undefined),
  }),
  mutant("acp.agent/answers-cancel", {
    violates: ["ACP-CANCEL-001", "ACP-CANCEL-003"],
    patch: patch({
      cancel(session) {
        rightAgent.cancel(session);
        return [{ jsonrpc: "2.0", id: null, error: error(-32601) }];
      },
    }),
  }),
  mutant("acp.agent/cancel-does-not-end-permission", {
    violates: ["ACP-CANCEL-002"],
    patch: patch({
      patience: (answer) =>
        answer.then((outcome) => (outcome?.["outcome"] === "selected" ? outcome : new Promise(() => {}))),
    }),
  }),
  mutant("acp.agent/late-answers-run-the-tool", {
    violates: ["ACP-CANCEL-002"],
    patch: patch({ endTurn: (session) => void (session.turn?.signal.aborted === true || rightAgent.endTurn(session)) }),
  }),
  mutant("acp.agent/reports-idle-cancels", {
    violates: ["ACP-CANCEL-003"],
    patch: patch({
      cancel: (session) =>
        session?.turn === undefined
          ? [{ jsonrpc: "2.0", id: null, error: error(-32602, "nothing to cancel") }]
          : rightAgent.cancel(session),
    }),
  }),
  mutant("acp.agent/cancels-the-next-turn", { violates: ["ACP-CANCEL-003"], patch: cancelsTheNextTurn }),
  mutant("acp.agent/cancel-ends-all-turns", {
    violates: ["ACP-CANCEL-010"],
    patch: patch({
      cancel(session, all = []) {
        if (session !== undefined) for (const one of all) rightAgent.cancel(one);
        return [];
      },
    }),
  }),
  mutant("acp.agent/cancels-the-last-turn-begun", {
    violates: ["ACP-CANCEL-010"],
    patch: patch({
      cancel: (session, all = []) => rightAgent.cancel(session && all.findLast(({ turn }) => turn !== undefined)),
    }),
  }),
  mutant("acp.agent/cancels-once-a-session", { violates: ["ACP-CANCEL-011"], patch: cancelsOnce }),
  mutant("acp.agent/second-cancel-ends-the-next-turn", { violates: ["ACP-CANCEL-011"], patch: keepsCancels }),
  mutant("acp.agent/misses-early-cancels", { violates: ["ACP-CANCEL-004"], patch: missesEarlyCancels }),
];

const turnMutants = [
  mutant("acp.agent/turns-without-answer", {
    violates: ["ACP-TURN-001"],
    patch: ending("max_tokens", () => undefined),
  }),
  mutant("acp.agent/limits-are-errors", {
    violates: ["ACP-TURN-001"],
    patch: ending("max_turn_requests", ({ id }) => ({ jsonrpc: "2.0", id, error: error(-32603) })),
  }),
  ...["max_tokens", "max_turn_requests", "refusal"].map((reason) =>
    mutant(`acp.agent/${reason.replaceAll("_", "-")}-ends-as-end-turn`, {
      violates: ["ACP-TURN-002"],
      patch: patch({ stopReason: (ended) => (ended === reason ? "end_turn" : ended) }),
    }),
  ),
  mutant("acp.agent/says-refusal-for-all", {
    violates: ["ACP-TURN-002"],
    // Every turn that has to go well ends so.
    collateral: ["ACP-TURN-004", "ACP-TURN-007", "ACP-TURN-008", "ACP-TURN-010", "ACP-CANCEL-002", "ACP-CANCEL-003"],
    patch: patch({ stopReason: (reason) => (reason === "end_turn" ? "refusal" : reason) }),
  }),
  mutant("acp.agent/last-words-come-late", { violates: ["ACP-TURN-003"], patch: lateWords }),
  mutant("acp.agent/refuses-texts-beside-others", {
    violates: ["ACP-TURN-004"],
    cases: ["acp.agent.turn.content-*"],
    patch: patch({
      promptProblem: (params) =>
        Array.isArray(params["prompt"]) && new Set((params["prompt"] as Json[]).map(({ type }) => type)).size > 1
          ? error(-32602)
          : rightAgent.promptProblem(params),
    }),
  }),
  ...Object.entries(blocks).map(([name, test]) =>
    mutant(`acp.agent/refuses-${name}`, {
      violates: ["ACP-TURN-004"],
      patch: patch({
        promptProblem: (params) =>
          Array.isArray(params["prompt"]) && (params["prompt"] as Json[]).some(test)
            ? error(-32602)
            : rightAgent.promptProblem(params),
      }),
    }),
  ),
  mutant("acp.agent/prompt-as-text", {
    violates: ["ACP-TURN-005", "ACP-RPC-013", "ACP-RPC-014"],
    patch: patch({
      promptProblem: (params) => (typeof params["prompt"] === "string" ? undefined : rightAgent.promptProblem(params)),
    }),
  }),
  mutant("acp.agent/prompts-nowhere", {
    violates: ["ACP-TURN-005"],
    patch: patch({
      unknownSession: (method) => (method === "session/prompt" ? undefined : rightAgent.unknownSession(method)),
    }),
  }),
  mutant("acp.agent/other-code-for-unknown-sessions", {
    violates: [],
    cases: ["acp.agent.turn.*", "acp.agent.session.*"],
    patch: patch({ unknownSession: () => error(-32002, "unknown session") }),
  }),
  mutant("acp.agent/two-turns-at-once", { violates: ["ACP-TURN-006"], patch: patch({ busy: () => undefined }) }),
  mutant("acp.agent/other-code-when-busy", {
    violates: ["ACP-TURN-006"],
    patch: patch({ busy: (session, all) => rightAgent.busy(session, all) && error(-32000, "busy") }),
  }),
  mutant("acp.agent/second-prompt-ends-the-first", {
    violates: ["ACP-TURN-007"],
    patch: patch({
      busy(session, all) {
        session.turn?.abort();
        return rightAgent.busy(session, all);
      },
    }),
  }),
  mutant("acp.agent/one-turn-per-session", { violates: ["ACP-TURN-008", "ACP-CANCEL-002"], patch: oneTurnPerSession }),
  mutant("acp.agent/busy-for-ever", {
    violates: ["ACP-TURN-008", "ACP-CANCEL-002"],
    patch: patch({ endTurn: () => {} }),
  }),
  mutant("acp.agent/one-turn-in-all", {
    violates: ["ACP-TURN-010"],
    patch: patch({
      busy: (_session, all) => (all.some(({ turn }) => turn !== undefined) ? error(-32600, "busy") : undefined),
    }),
  }),
  mutant("acp.agent/goes-on-with-the-model", {
    violates: ["ACP-MODEL-001"],
    model: true,
    patch: patch({ modelSignal: () => undefined }),
  }),
  mutant("acp.agent/asks-the-model-again", {
    violates: ["ACP-MODEL-001"],
    model: true,
    patch: patch({ furtherPrompts: (prompt) => [`What is a good title for ${prompt}?`] }),
  }),
];

/** What agents get wrong with turns and their ends. */
export const agentTurnMutants = [...turnMutants, ...cancelMutants];
