import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { beginning, broken, each, sent } from "./client-patch.js";

const one = "turn.message";

/** Clients that write another form, or show contents in another way. */
export const formMutants: readonly Mutant[] = broken({
  "no-request-id": ["FORM-A9", sent("chat/prompt", (params) => without(params, "requestId")), { cases: [one] }],
  "nulls-in-prompts": ["FORM-A10", sent("chat/prompt", (params) => ({ ...params, model: null })), { cases: [one] }],
  "approves-without-chat": [
    "FORM-A11",
    sent("chat/toolCallApprove", ({ toolCallId }) => ({ toolCallId })),
    { collateral: ["TOOL-020", "TOOL-021"], cases: ["tool.approve"] },
  ],
  "null-behavior": [
    "FORM-A19",
    beginning({ initializationOptions: { chatBehavior: null } }),
    { collateral: ["FORM-A10"], cases: [one] },
  ],
  "chat-as-object": ["FORM-A20", beginning({ capabilities: { codeAssistant: { chat: {} } } }), { cases: [one] }],
  "no-process": [
    "FORM-A21",
    { initializeParams: () => without(rightClient.initializeParams(), "processId") },
    { cases: [one] },
  ],
  // No system has a process with this id.
  "process-of-nobody": ["LIFE-025", beginning({ processId: 2 ** 31 - 1 }), { cases: [one] }],
  "lists-for-nothing": ["FORM-A22", sent("initialized", () => []), { cases: [one] }],
  "contexts-of-its-own": [
    "FORM-A24",
    sent("chat/prompt", (params) => ({ ...params, contexts: [{ type: "hologram" }] })),
    { cases: [one] },
  ],
  ...each(["description", "mimeType"], (field) => ({
    [`resources-without-${field}`]: [
      "FORM-resource-fields",
      sent("chat/prompt", ({ contexts, ...params }) => ({
        ...params,
        contexts: (contexts as readonly Json[]).map((context) =>
          context["type"] === "mcpResource" ? without(context, field) : context,
        ),
      })),
      { cases: [one] },
    ],
  })),
  "prompts-without-a-repo-map": ["TURN-027", sent("chat/prompt", (params) => ({ ...params, contexts: [] }))],
  "behavior-of-its-own": [
    "FORM-behavior",
    beginning({ initializationOptions: { chatBehavior: "chat" } }),
    { cases: [one] },
  ],
  "one-request-id-for-all": [
    "TURN-024",
    sent("chat/prompt", (params) => ({ ...params, requestId: "1" })),
    { cases: ["turn.finished-again"] },
  ],
  "never-initialized": ["LIFE-020", { initialized: () => [] }],
  "shows-the-assistant-alone": ["TURN-025", { showsTextOf: (role) => role === "assistant" }],
  "shows-no-urls": ["TURN-025", { shows: (type) => type !== "url" && rightClient.shows(type) }],
  "waits-for-prepare": ["TOOL-027", { showsUnprepared: false }],
});
