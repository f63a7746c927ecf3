import type { AgentBehavior, Json } from "../../reference/agent-behavior.js";
import { of, rewrite } from "../../../../packs/rewrites.js";
import { broken, patch } from "./patch.js";

/** Sends other updates in place of one kind. */
const instead = (kind: string, change: (update: Json) => readonly Json[]): Partial<AgentBehavior> =>
  patch({ updates: (update) => (update["sessionUpdate"] === kind ? change(update) : [update]) });

const textOf = ({ content }: Json): string => String((content as Json)["text"]);

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

/** Faults of agents with updates. */
export const agentUpdateMutants = broken({
  "other-case-for-updates": [
    "UPDATE-001",
    instead("user_message_chunk", (update) => [{ ...update, sessionUpdate: "UserMessageChunk" }]),
  ],
  "thinks-aloud": [
    "UPDATE-002",
    instead("agent_message_chunk", (update) => [
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
      update,
    ]),
  ],
  "offers-commands": [
    "UPDATE-002",
    instead("user_message_chunk", (update) => [
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "review", description: "Review" }] },
      update,
    ]),
  ],
  "tools-without-beginning": ["UPDATE-003", instead("tool_call", () => []), { collateral: ["PERM-010"] }],
  "another-id-for-the-end": [
    ["UPDATE-003", "UPDATE-005"],
    instead("tool_call_update", (update) => [{ ...update, toolCallId: `${String(update["toolCallId"])}-end` }]),
  ],
  "input-as-text": [
    "UPDATE-020",
    instead("tool_call", (update) => [{ ...update, rawInput: JSON.stringify(update["rawInput"] ?? {}) }]),
  ],
  "tools-begin-completed": ["UPDATE-004", instead("tool_call", (update) => [{ ...update, status: "completed" }])],
  "failed-tools-do-not-end": [
    "UPDATE-005",
    instead("tool_call_update", (update) => (update["status"] === "failed" ? [] : [update])),
  ],
  "tools-begin-twice": ["UPDATE-021", instead("tool_call", (update) => [update, update])],
  "tools-fail-after-they-complete": [
    "UPDATE-024",
    instead("tool_call_update", (update) =>
      update["status"] === "completed" ? [update, { ...update, status: "failed" }] : [update],
    ),
  ],
  "updates-of-other-sessions": [
    "UPDATE-006",
    rewrite(
      (message) => of("session/update")(message) && JSON.stringify(message).includes("user_message_chunk"),
      (message) => ({ ...message, params: { ...(message["params"] as Json), sessionId: "another" } }),
    ),
  ],
  "swaps-chunks": ["UPDATE-007", swapsChunks],
  "tools-go-on-pending": [
    "UPDATE-008",
    instead("tool_call_update", (update) => [
      { ...update, ...(update["status"] === "in_progress" && { status: "pending" }) },
    ]),
    { cases: ["update.tool-ok"] },
  ],
});
