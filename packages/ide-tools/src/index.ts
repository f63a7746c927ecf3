export { type CallOptions, type IdeTools, type IdeToolsOptions, openIdeTools } from "./tools.js";
export type { Formatter, FormatRequest } from "./apply-change/formatter.js";
export { smanHandlers } from "./handlers.js";
export { isSystemError, ToolError, type ToolErrorCode, type ToolErrorDetails } from "./errors.js";
export type { Language } from "./wording/wording.js";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace/workspace.js";
export type { WriteMode } from "./workspace/files.js";

// The parts of the tools, for tools of your own.
export type { EditedText } from "./apply-change/edit.js";
export type { NoEdit } from "./apply-change/match.js";
export type { Match } from "./grep/confirm.js";
export {
  type Matches,
  openSearch,
  type Search,
  type SearchOptions,
  type SearchQuery,
} from "./grep/search.js";
export type { Project } from "./project.js";
export { editText, excerptOf, type PartOptions } from "./parts.js";
export type { Excerpt, ExcerptLimits, LineRange } from "./text/excerpt.js";
