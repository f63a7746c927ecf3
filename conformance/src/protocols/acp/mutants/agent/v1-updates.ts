import type { Mutant } from "../../../../core/mutant.js";
import type { Json } from "../../reference/agent-behavior.js";
import { cases, update } from "./beside-text.js";
import { inV1 } from "./patch.js";

const shows = (content: Json) => update("agent_message_chunk", { content });

/** Agents that call what the client does not offer, and whose updates have another form than the official one. */
export const v1Updates: readonly Mutant[] = inV1({
  "v1-notice-unasked": [
    "SERVICE-003",
    update("notice", { noticeId: "n", message: "m", severity: "info" }),
    { cases, collateral: ["SCHEMA-session/update:params", "META-001"] },
  ],
  "v1-compaction-unasked": [
    "SERVICE-003",
    update("compaction_update", { compactionId: "c", status: "completed" }),
    { cases, collateral: ["SCHEMA-session/update:params", "META-001"] },
  ],
  "v1-relative-location": [
    "PATH-001",
    { updates: (one) => [one["sessionUpdate"] === "tool_call" ? { ...one, locations: [{ path: "src/a.ts" }] } : one] },
    { cases: ["update.tool-ok"], collateral: ["SCHEMA-session/update:params"] },
  ],
  "v1-counts-lines-from-zero": [
    "PATH-002",
    {
      updates: (one) => [
        one["sessionUpdate"] === "tool_call" ? { ...one, locations: [{ path: "/tmp/a.ts", line: 0 }] } : one,
      ],
    },
    { cases: ["update.tool-ok"] },
  ],
  "v1-links-without-a-name": ["UPDATE-025", shows({ type: "resource_link", uri: "file:///tmp/a.ts" }), { cases }],
  "v1-images-without-a-type": ["UPDATE-025", shows({ type: "image", data: "AAEC" }), { cases }],
  "v1-sounds-without-a-type": ["UPDATE-025", shows({ type: "audio", data: "AAEC" }), { cases }],
  "v1-updates-of-a-kind-of-their-own": ["UPDATE-022", update("token_count", { count: 3 }), { cases }],
  "v1-tools-of-a-kind-of-their-own": [
    "UPDATE-022",
    { updates: (one) => [one["sessionUpdate"] === "tool_call" ? { ...one, kind: "shell" } : one] },
    { cases: ["update.tool-ok"] },
  ],
  "v1-commands-without-description": [
    "UPDATE-022",
    update("available_commands_update", { availableCommands: [{ name: "review" }] }),
    { cases },
  ],
});
