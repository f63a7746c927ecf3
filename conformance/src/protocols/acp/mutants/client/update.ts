import { isObject } from "@editwire/core";
import type { Json } from "../../reference/agent-behavior.js";
import { type ClientBehavior, rightClient, type When } from "../../reference/client-behavior.js";
import { broken, each, patch } from "./patch.js";

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

/** Shows no text that it has just shown. */
function dropsRepeated(): Partial<ClientBehavior> {
  let before = "";
  return {
    textOf(content) {
      const text = rightClient.textOf(content);
      const isRepeated = text === before;
      before = text;
      return isRepeated ? "" : text;
    },
  };
}

/** Faults of clients with updates. */
export const updateMutants = broken({
  "dies-of-output-as-text": ["UPDATE-009", diesOf(({ rawOutput }) => typeof rawOutput === "string")],
  "needs-a-stop-reason": ["UPDATE-009", { ends: ({ stopReason }) => stopReason !== "" }],
  "dies-of-unknown-updates": [
    "UPDATE-010",
    diesOf(({ sessionUpdate }) => typeof sessionUpdate === "string" && !known.includes(sessionUpdate)),
  ],
  "dies-of-early-commands": [
    "UPDATE-011",
    diesOf(({ sessionUpdate }, when) => when === "unknown" && sessionUpdate === "available_commands_update"),
  ],
  "dies-of-late-updates": ["UPDATE-012", diesOf((_update, when) => when === "idle")],
  "dies-of-unknown-sessions": [
    ["UPDATE-011", "UPDATE-013", "SESSION-011"],
    diesOf((_update, when) => when === "unknown"),
  ],
  ...each(
    known.filter((kind) => kind !== "user_message_chunk"),
    (kind) => ({
      [`dies-of-${kind.replaceAll("_", "-")}`]: [
        "UPDATE-014",
        diesOf(({ sessionUpdate }, when) => sessionUpdate === kind && when === "turn"),
        { collateral: ["TURN-011"] },
      ],
    }),
  ),
  "drops-repeated-text": ["UPDATE-015", dropsRepeated, { cases: ["update.text"] }],
  "shows-unknown-sessions-in-its-last": [
    "UPDATE-015",
    { shownIn: (sessionId, open) => (open.includes(sessionId) ? sessionId : (open.at(-1) ?? "")) },
    { cases: ["update.two-sessions"] },
  ],
  "adds-to-its-plan": ["PLAN-002", { planOf: (before, entries) => [...before, ...entries] }],
  "drops-wrapped-output": ["UPDATE-016", { toolTextOf: ({ text = "" }) => String(text) }],
  "begins-in-the-first-mode": [
    "UPDATE-017",
    {
      firstModeOf: ({ availableModes }) => (Array.isArray(availableModes) ? (availableModes as Json[])[0]?.["id"] : ""),
    },
  ],
  "keeps-its-first-mode": ["UPDATE-017", { modeOf: () => "full" }],
  "overlooks-the-beginning-of-tools": [
    "UPDATE-019",
    { toolStatusOf: (before, { sessionUpdate, status = before }) => (sessionUpdate === "tool_call" ? before : status) },
  ],
  "tools-never-end": [
    "UPDATE-019",
    { toolStatusOf: (before, { sessionUpdate, status }) => (sessionUpdate === "tool_call" ? status : before) },
  ],
});
