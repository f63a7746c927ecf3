import { isObject } from "@editwire/core";
import { mutant } from "../../../../core/mutant.js";
import type { Json } from "../../reference/agent-behavior.js";
import { type ClientBehavior, rightClient, type When } from "../../reference/client-behavior.js";
import { patch } from "./patch.js";

/** Gives the connection up at some updates. */
const diesOf = (test: (update: Json, when: When) => boolean): Partial<ClientBehavior> =>
  patch({ update: (update, when) => (isObject(update) && test(update, when) ? "die" : "survive") });

const known = [
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "current_mode_update",
  "available_commands_update",
];
const contentOf = ({ content }: Json): Json[] => (Array.isArray(content) ? content.filter(isObject) : []);

/** What clients get wrong with updates. */
export const updateMutants = [
  mutant("acp.client/dies-of-unknown-tools", {
    violates: ["ACP-UPDATE-009"],
    patch: diesOf(({ kind }) => kind === "channel"),
  }),
  mutant("acp.client/dies-of-pending-tools", {
    violates: ["ACP-UPDATE-009"],
    patch: diesOf(({ status }) => status === "pending"),
  }),
  mutant("acp.client/dies-of-bare-output", {
    violates: ["ACP-UPDATE-009"],
    patch: diesOf(
      (update) =>
        update["sessionUpdate"] === "tool_call_update" && contentOf(update).some(({ type }) => type !== "content"),
    ),
  }),
  mutant("acp.client/dies-of-output-as-text", {
    violates: ["ACP-UPDATE-009"],
    patch: diesOf(({ rawOutput }) => typeof rawOutput === "string"),
  }),
  mutant("acp.client/dies-of-echoes", {
    violates: ["ACP-UPDATE-009", "ACP-UPDATE-014"],
    patch: diesOf(({ sessionUpdate }, when) => sessionUpdate === "user_message_chunk" && when === "turn"),
  }),
  mutant("acp.client/needs-a-stop-reason", {
    violates: ["ACP-UPDATE-009"],
    patch: patch({ ends: ({ stopReason }) => stopReason !== "" }),
  }),
  mutant("acp.client/dies-of-unknown-updates", {
    violates: ["ACP-UPDATE-010"],
    patch: diesOf(({ sessionUpdate }) => typeof sessionUpdate === "string" && !known.includes(sessionUpdate)),
  }),
  mutant("acp.client/dies-of-unknown-content", {
    violates: ["ACP-UPDATE-010"],
    patch: diesOf(
      ({ sessionUpdate, content }) =>
        sessionUpdate === "agent_message_chunk" && isObject(content) && content["type"] === "hologram",
    ),
  }),
  mutant("acp.client/dies-of-early-commands", {
    violates: ["ACP-UPDATE-011"],
    patch: diesOf(({ sessionUpdate }, when) => when === "unknown" && sessionUpdate === "available_commands_update"),
  }),
  mutant("acp.client/dies-of-late-updates", {
    violates: ["ACP-UPDATE-012"],
    patch: diesOf((_update, when) => when === "idle"),
  }),
  mutant("acp.client/dies-of-unknown-sessions", {
    violates: ["ACP-UPDATE-011", "ACP-UPDATE-013", "ACP-SESSION-011"],
    patch: diesOf((_update, when) => when === "unknown"),
  }),
  ...known
    .filter((kind) => kind !== "user_message_chunk")
    .map((kind) =>
      mutant(`acp.client/dies-of-${kind.replaceAll("_", "-")}`, {
        violates: ["ACP-UPDATE-014"],
        collateral: ["ACP-TURN-011"],
        patch: diesOf(({ sessionUpdate }, when) => sessionUpdate === kind && when === "turn"),
      }),
    ),
  mutant("acp.client/trims-text", {
    violates: ["ACP-UPDATE-015"],
    patch: patch({ textOf: (content) => rightClient.textOf(content).trim() }),
  }),
  mutant("acp.client/drops-markup", {
    violates: ["ACP-UPDATE-015"],
    patch: patch({ textOf: (content) => rightClient.textOf(content).replace(/<[^>]*>/g, "") }),
  }),
  mutant("acp.client/drops-bare-output", {
    violates: ["ACP-UPDATE-016"],
    patch: patch({ toolTextOf: (item) => (item["type"] === "content" ? rightClient.toolTextOf(item) : "") }),
  }),
  mutant("acp.client/drops-wrapped-output", {
    violates: ["ACP-UPDATE-016"],
    patch: patch({ toolTextOf: ({ text = "" }) => String(text) }),
  }),
  mutant("acp.client/reads-another-field-for-modes", {
    violates: ["ACP-UPDATE-017"],
    patch: patch({ modeOf: ({ modeId }) => modeId ?? "read-only" }),
  }),
  mutant("acp.client/keeps-its-first-mode", {
    violates: ["ACP-UPDATE-017"],
    patch: patch({ modeOf: () => "full" }),
  }),
  mutant("acp.client/dies-of-invalid-updates", {
    violates: ["ACP-UPDATE-018"],
    patch: patch({ update: (update) => (isObject(update) ? "survive" : "die") }),
  }),
  mutant("acp.client/dies-of-updates-without-content", {
    violates: ["ACP-UPDATE-018"],
    patch: diesOf(({ sessionUpdate, content }) => sessionUpdate === "agent_message_chunk" && !isObject(content)),
  }),
  mutant("acp.client/tools-never-end", {
    violates: ["ACP-UPDATE-019"],
    patch: patch({
      toolStatusOf: (before, { sessionUpdate, status }) => (sessionUpdate === "tool_call" ? status : before),
    }),
  }),
];
