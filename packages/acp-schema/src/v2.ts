export {
  type AcpV2,
  acpV2,
  type AcpV2Methods,
  type AcpV2Params,
  type AcpV2Result,
} from "./v2/protocol.js";
export { acpV2Profile } from "./v2/profile.js";
export { acpV2Revision } from "./v2/revision.js";
export { type UnsupportedVersion, unsupportedVersion, unsupportedVersionOf } from "./v2/errors.js";
export { type Patch, type Upsert } from "./v2/patch.js";
export { V2AgentCapabilities, V2ClientCapabilities } from "./v2/capabilities.js";
export { V2AuthMethod } from "./v2/auth.js";
export { V2ContentBlock } from "./v2/content.js";
export { V2ConfigOption } from "./v2/config-options.js";
export { V2AvailableCommand } from "./v2/commands.js";
export { V2McpServer } from "./v2/mcp-servers.js";
export { BackgroundWork, SessionActivity, StateUpdate } from "./v2/activity.js";
export { type MessageChunk, type MessageUpdate } from "./v2/messages.js";
export { type EntityCapabilities, V2ToolCallContent, V2ToolCallUpdate } from "./v2/tool-calls.js";
export { DiffChange, DiffPatch, V2Diff } from "./v2/diffs.js";
export { type TerminalOutputChunk, type TerminalUpdate } from "./v2/terminals.js";
export { V2Plan, V2PlanEntry } from "./v2/plans.js";
export { type PermissionSubject, V2PermissionOption } from "./v2/permission.js";
export { V2SessionUpdate } from "./v2/updates.js";
