export { type CallOptions, type IdeTools, type IdeToolsOptions, openIdeTools } from "./tools.js";
export type { Formatter, FormatRequest } from "./apply-change/formatter.js";
export { smanHandlers } from "./handlers.js";
export { isSystemError, ToolError, type ToolErrorCode } from "./errors.js";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace/workspace.js";
export type { WriteMode } from "./workspace/files.js";
