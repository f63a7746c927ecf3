export { type IdeTools, type IdeToolsOptions, openIdeTools } from "./tools.js";
export type { Formatter } from "./apply-change/formatter.js";
export { smanHandlers } from "./handlers.js";
export { isSystemError, ToolError, type ToolErrorCode } from "./errors.js";
export { openWorkspace, type Workspace } from "./workspace/workspace.js";

// The parts of the tools, for tools of your own.
export { openSearch } from "./grep/search.js";
export { editText, excerptOf } from "./parts.js";
