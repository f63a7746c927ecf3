import type { Conversation, Responder } from "../../core/talk/conversation.js";
import { methodsFrom, sampleResult } from "./samples.js";
import { traitsOf } from "./traits.js";

/** The suite's result of `initialize`, in the form that the spec shows. */
export const agentResult = {
  protocolVersion: 1,
  agentInfo: { name: "editwire-conformance", title: "Conformance suite", version: "0.1.0" },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { audio: true, image: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: {},
  },
  authMethods: [],
};

/** The same in a dialect, with what its agents may declare. */
export function agentResultIn(of: Parameters<typeof traitsOf>[0]): typeof agentResult {
  return { ...agentResult, agentCapabilities: { ...agentResult.agentCapabilities, ...traitsOf(of).offered } };
}

/** The modes of the suite's sessions. */
export const modes = {
  currentModeId: "full",
  availableModes: [
    { id: "full", name: "Full Access", description: "All tools available" },
    { id: "read-only", name: "Read-Only", description: "No local writes or execution" },
  ],
};

/** The options of the spec, section 6.1. */
export const permissionOptions = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** Requests that every case answers in its own way. */
const leftToCases: readonly string[] = ["initialize", "session/prompt"];

/** Has the suite answer everything but `initialize` and prompts by itself. A case's `t.answer` goes before. */
export function answerAlone(conversation: Conversation): void {
  let sessions = 0;
  const own: Readonly<Record<string, Responder>> = {
    "session/new": () => ({ result: { sessionId: `suite-own-${++sessions}`, modes } }),
    "session/load": () => ({ result: { modes } }),
  };
  const known = methodsFrom("client", "request");
  for (const method of known.filter((one) => !leftToCases.includes(one)))
    conversation.responders.set(method, own[method] ?? (() => ({ result: sampleResult(method) })));
  conversation.otherwise = (method) =>
    known.includes(method) ? undefined : { error: { code: -32601, message: `unknown method: ${method}` } };
}
