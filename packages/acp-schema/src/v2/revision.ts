/**
 * Which drafts of version 2 this package follows. All of both is read; `newer` is what programs of the older one keep
 * as unknown, so that a program sends it only where it is asked to.
 */
export const acpV2Revision = {
  /** The draft that is sent: the schema of the official SDK for TypeScript. */
  sent: { package: "@agentclientprotocol/sdk", version: "2.4.0" },
  /** The newest draft that is read: the schema of the official Rust crate. */
  read: { package: "agent-client-protocol-schema", version: "1.20.0" },
  /** Names in the newest draft that the other lacks. */
  newer: {
    /** Kinds of updates. */
    updates: ["plan_removed", "replay_complete", "session_message", "session_message_chunk", "subagent_update"],
    /** Fields and capabilities by the method that has them. */
    fields: {
      initialize: ["capabilities.session.systemPrompt"],
      "session/new": ["systemPrompt"],
      "session/resume": ["systemPrompt"],
      "session/prompt": ["idempotencyKey"],
    },
    /** Tags of variants. */
    variants: { state: ["unknown"], background: ["subagent"], plan: ["markdown"], content: ["session"] },
    /** Fields that may be absent or null only there, by the kind of update. */
    patches: { compaction_update: ["status"] },
  },
} as const;
