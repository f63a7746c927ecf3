import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightClient } from "../reference/client-behavior.js";
import { beginning, patch, sent } from "./client-patch.js";
import { without } from "./server-patch.js";

const one = "eca.client.turn.message";

/** What clients write in another form, or show in another way. */
export const formMutants: readonly Mutant[] = [
  mutant("eca.client/no-request-id", {
    violates: ["ECA-FORM-A9"],
    cases: [one],
    patch: sent("chat/prompt", (params) => without(params, "requestId")),
  }),
  mutant("eca.client/nulls-in-prompts", {
    violates: ["ECA-FORM-A10"],
    cases: [one],
    patch: sent("chat/prompt", (params) => ({ ...params, model: null })),
  }),
  mutant("eca.client/approves-without-chat", {
    violates: ["ECA-FORM-A11"],
    collateral: ["ECA-TOOL-020", "ECA-TOOL-021"],
    cases: ["eca.client.tool.approve"],
    patch: sent("chat/toolCallApprove", ({ toolCallId }) => ({ toolCallId })),
  }),
  mutant("eca.client/null-behavior", {
    violates: ["ECA-FORM-A19"],
    collateral: ["ECA-FORM-A10"],
    cases: [one],
    patch: beginning({ initializationOptions: { chatBehavior: null } }),
  }),
  mutant("eca.client/chat-as-object", {
    violates: ["ECA-FORM-A20"],
    cases: [one],
    patch: beginning({ capabilities: { codeAssistant: { chat: {} } } }),
  }),
  mutant("eca.client/no-process", {
    violates: ["ECA-FORM-A21"],
    cases: [one],
    patch: patch({ initializeParams: () => without(rightClient.initializeParams(), "processId") }),
  }),
  mutant("eca.client/lists-for-nothing", {
    violates: ["ECA-FORM-A22"],
    cases: [one],
    patch: sent("initialized", () => []),
  }),
  mutant("eca.client/contexts-of-its-own", {
    violates: ["ECA-FORM-A24"],
    cases: [one],
    patch: sent("chat/prompt", (params) => ({ ...params, contexts: [{ type: "hologram" }] })),
  }),
  mutant("eca.client/behavior-of-its-own", {
    violates: ["ECA-FORM-behavior"],
    cases: [one],
    patch: beginning({ initializationOptions: { chatBehavior: "chat" } }),
  }),
  mutant("eca.client/prompts-with-a-behavior-of-its-own", {
    violates: ["ECA-FORM-behavior"],
    cases: [one],
    patch: sent("chat/prompt", (params) => ({ ...params, behavior: "chat" })),
  }),
  mutant("eca.client/one-request-id-for-all", {
    violates: ["ECA-TURN-024"],
    cases: ["eca.client.turn.finished-again"],
    patch: sent("chat/prompt", (params) => ({ ...params, requestId: "1" })),
  }),
  mutant("eca.client/never-initialized", {
    violates: ["ECA-LIFE-020"],
    patch: patch({ initialized: () => [] }),
  }),
  mutant("eca.client/shows-the-assistant-alone", {
    violates: ["ECA-TURN-025"],
    patch: patch({ showsTextOf: (role) => role === "assistant" }),
  }),
  mutant("eca.client/shows-no-urls", {
    violates: ["ECA-TURN-025"],
    patch: patch({ shows: (type) => type !== "url" && rightClient.shows(type) }),
  }),
  mutant("eca.client/waits-for-prepare", {
    violates: ["ECA-TOOL-027"],
    patch: patch({ showsUnprepared: false }),
  }),
];
