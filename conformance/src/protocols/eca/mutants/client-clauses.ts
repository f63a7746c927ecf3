import { mutant, type Mutant } from "../../../core/mutant.js";
import { inCharacters } from "../../../packs/encodings.js";
import { headerMutants } from "../../../packs/header-mutants.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { patch, sent } from "./client-patch.js";
import { without } from "./server-patch.js";

const one = ["eca.client.turn.message"];
const shutdown = ["eca.client.life.shutdown"];
const isAnswer = (message: Json): boolean => !("method" in message);

/** Sends one context of a file with these lines. */
const lines = (start: number, end: number): Partial<ClientBehavior> =>
  sent("chat/prompt", (params) => ({
    ...params,
    contexts: [{ type: "file", path: "/a", linesRange: { start, end } }],
  }));

/** Clients that violate one sentence of the specification each. */
export const clauseMutants: readonly Mutant[] = [
  ...headerMutants("eca.client", one, { framed: "ECA-FRAME-001", form: "ECA-FRAME-002", listed: "ECA-FRAME-003" }),
  mutant("eca.client/counts-characters", {
    violates: ["ECA-FRAME-001"],
    collateral: ["ECA-RPC-001", "ECA-TURN-023"],
    cases: one,
    patch: patch({ encode: inCharacters }),
  }),
  mutant("eca.client/results-beside-errors", {
    violates: ["ECA-RPC-001"],
    collateral: ["ECA-RPC-021"],
    cases: ["eca.client.rpc.request-*"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, result: null } : message] }),
  }),
  mutant("eca.client/errors-without-messages", {
    violates: ["ECA-RPC-002"],
    collateral: ["ECA-RPC-021"],
    cases: ["eca.client.rpc.request-*"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, error: { code: -32601 } } : message] }),
  }),
  mutant("eca.client/asks-before-initialize", {
    violates: ["ECA-LIFE-020"],
    cases: one,
    patch: patch({
      outgoing: (message) =>
        message["method"] === "initialize"
          ? [{ jsonrpc: "2.0", id: 9_000, method: "chat/queryCommands", params: { query: "" } }, message]
          : [message],
    }),
  }),
  mutant("eca.client/initialized-too-early", {
    violates: ["ECA-LIFE-020"],
    cases: one,
    patch: patch({ early: () => rightClient.initialized(), initialized: () => [] }),
  }),
  mutant("eca.client/no-folders", {
    violates: ["ECA-LIFE-021"],
    collateral: ["ECA-SCHEMA-initialize:params"],
    cases: one,
    patch: sent("initialize", (params) => without(params, "workspaceFolders")),
  }),
  mutant("eca.client/exits-alone", { violates: ["ECA-LIFE-022"], patch: patch({ shutdown: "exit-alone" }) }),
  mutant("eca.client/rejects-twice", {
    violates: ["ECA-TOOL-020"],
    cases: ["eca.client.tool.reject"],
    patch: patch({
      outgoing: (message) => (message["method"] === "chat/toolCallReject" ? [message, message] : [message]),
    }),
  }),
  ...(["Approve", "Reject"] as const).flatMap((word) => [
    mutant(`eca.client/${word.toLowerCase()}s-another-call`, {
      violates: ["ECA-TOOL-021"],
      collateral: ["ECA-TOOL-020"],
      cases: [`eca.client.tool.${word.toLowerCase()}`],
      patch: sent(`chat/toolCall${word}`, (params) => ({ ...params, toolCallId: "another" })),
    }),
  ]),
  mutant("eca.client/rejects-without-chat", {
    violates: ["ECA-FORM-A11"],
    collateral: ["ECA-TOOL-020", "ECA-TOOL-021"],
    cases: ["eca.client.tool.reject"],
    patch: sent("chat/toolCallReject", (params) => without(params, "chatId")),
  }),
  mutant("eca.client/stops-without-chat", {
    violates: ["ECA-FORM-A11"],
    collateral: ["ECA-STOP-020"],
    cases: ["eca.client.stop"],
    patch: sent("chat/promptStop", (params) => without(params, "chatId")),
  }),
  mutant("eca.client/begins-a-chat-with-every-prompt", {
    violates: ["ECA-CHAT-022"],
    collateral: ["ECA-TURN-026"],
    patch: sent("chat/prompt", (params) => without(params, "chatId")),
  }),
  mutant("eca.client/shows-no-messages", {
    violates: ["ECA-MSG-020"],
    collateral: ["ECA-MSG-021"],
    patch: patch({ showsMessage: () => false }),
  }),
  mutant("eca.client/shuts-down-with-params", {
    violates: ["ECA-FORM-A22"],
    cases: shutdown,
    patch: sent("shutdown", () => ({ now: true })),
  }),
  mutant("eca.client/exits-with-params", {
    violates: ["ECA-FORM-A22"],
    cases: shutdown,
    patch: sent("exit", () => ({ now: true })),
  }),
  mutant("eca.client/lines-from-zero", { violates: ["ECA-FORM-A25"], cases: one, patch: lines(0, 3) }),
  mutant("eca.client/lines-that-end-first", { violates: ["ECA-FORM-A25"], cases: one, patch: lines(3, 1) }),
];
