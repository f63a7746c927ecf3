import { mutant } from "../../../../core/mutant.js";
import type { AgentBehavior, Json } from "../../reference/agent-behavior.js";
import { of, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

/** Sends other updates in place of one kind. */
const instead = (kind: string, change: (update: Json) => readonly Json[]): Partial<AgentBehavior> =>
  patch({ updates: (update) => (update["sessionUpdate"] === kind ? change(update) : [update]) });

const textOf = ({ content }: Json): string => String((content as Json)["text"]);
const says = (text: string): Json => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** Swaps every two chunks. */
function swapsChunks(): Partial<AgentBehavior> {
  let held: Json | undefined;
  return instead("agent_message_chunk", (update) => {
    if (!/^\d+ $/.test(textOf(update))) return [update];
    if (held === undefined) {
      held = update;
      return [];
    }
    const first = held;
    held = undefined;
    return [update, first];
  });
}

/** What agents get wrong with updates. */
export const agentUpdateMutants = [
  mutant("acp.agent/updates-of-its-own", {
    violates: ["ACP-UPDATE-001"],
    patch: instead("agent_message_chunk", (update) => [{ sessionUpdate: "usage_update", used: 1, size: 2 }, update]),
  }),
  mutant("acp.agent/other-case-for-updates", {
    violates: ["ACP-UPDATE-001"],
    patch: instead("user_message_chunk", (update) => [{ ...update, sessionUpdate: "UserMessageChunk" }]),
  }),
  mutant("acp.agent/thinks-aloud", {
    violates: ["ACP-UPDATE-002"],
    patch: instead("agent_message_chunk", (update) => [
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
      update,
    ]),
  }),
  mutant("acp.agent/offers-commands", {
    violates: ["ACP-UPDATE-002"],
    patch: instead("user_message_chunk", (update) => [
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "review", description: "Review" }] },
      update,
    ]),
  }),
  mutant("acp.agent/tools-without-beginning", {
    violates: ["ACP-UPDATE-003"],
    collateral: ["ACP-PERM-010"],
    patch: instead("tool_call", () => []),
  }),
  mutant("acp.agent/another-id-for-the-end", {
    violates: ["ACP-UPDATE-003", "ACP-UPDATE-005"],
    patch: instead("tool_call_update", (update) => [{ ...update, toolCallId: `${String(update["toolCallId"])}-end` }]),
  }),
  mutant("acp.agent/input-as-text", {
    violates: ["ACP-UPDATE-020"],
    patch: instead("tool_call", (update) => [{ ...update, rawInput: JSON.stringify(update["rawInput"] ?? {}) }]),
  }),
  mutant("acp.agent/tools-begin-pending", {
    violates: ["ACP-UPDATE-004"],
    patch: instead("tool_call", (update) => [{ ...update, status: "pending" }]),
  }),
  mutant("acp.agent/tools-begin-completed", {
    violates: ["ACP-UPDATE-004"],
    patch: instead("tool_call", (update) => [{ ...update, status: "completed" }]),
  }),
  mutant("acp.agent/failed-tools-do-not-end", {
    violates: ["ACP-UPDATE-005"],
    patch: instead("tool_call_update", (update) => (update["status"] === "failed" ? [] : [update])),
  }),
  mutant("acp.agent/tools-do-not-end", {
    violates: ["ACP-UPDATE-005"],
    collateral: ["ACP-PERM-003"],
    patch: instead("tool_call_update", (update) => [{ ...update, status: undefined }]),
  }),
  mutant("acp.agent/tools-end-in-progress", {
    violates: ["ACP-UPDATE-005"],
    collateral: ["ACP-PERM-003"],
    patch: instead("tool_call_update", (update) => [
      update,
      { sessionUpdate: "tool_call_update", toolCallId: update["toolCallId"], status: "in_progress" },
    ]),
  }),
  mutant("acp.agent/updates-of-other-sessions", {
    violates: ["ACP-UPDATE-006"],
    patch: rewrite(
      (message) => of("session/update")(message) && JSON.stringify(message).includes("user_message_chunk"),
      (message) => ({ ...message, params: { ...(message["params"] as Json), sessionId: "another" } }),
    ),
  }),
  mutant("acp.agent/trims-chunks", {
    violates: ["ACP-UPDATE-007"],
    patch: instead("agent_message_chunk", (update) => [says(textOf(update).trim())]),
  }),
  mutant("acp.agent/swaps-chunks", { violates: ["ACP-UPDATE-007"], patch: swapsChunks }),
  mutant("acp.agent/drops-a-chunk", {
    violates: ["ACP-UPDATE-007"],
    patch: instead("agent_message_chunk", (update) => (textOf(update) === "7 " ? [] : [update])),
  }),
  mutant("acp.agent/chunks-so-far", {
    violates: ["ACP-UPDATE-007"],
    patch: () => {
      let all = "";
      return instead("agent_message_chunk", (update) => [says((all += textOf(update)))]);
    },
  }),
  mutant("acp.agent/tools-go-on-pending", {
    violates: ["ACP-UPDATE-008"],
    cases: ["acp.agent.update.tool-ok"],
    patch: instead("tool_call_update", (update) => [
      { ...update, ...(update["status"] === "in_progress" && { status: "pending" }) },
    ]),
  }),
  mutant("acp.agent/updates-as-requests", {
    violates: ["ACP-SCHEMA-session/update:params"],
    collateral: ["ACP-RPC-005", "ACP-PERM-010"],
    cases: ["acp.agent.turn.text"],
    patch: patch(rewrite(of("session/update"), (message) => ({ ...message, id: "update-1" }))),
  }),
];
