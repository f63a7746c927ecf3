export type { ModelApiName } from "./api.js";
export { type BehaviorScriptOptions, behaviorScript, modelBehaviors } from "./behave.js";
export type { MadeCall, ModelConversation, ModelMessage, OfferedTool, ToolResult } from "./conversation.js";
export { SCRIPTED_MODEL } from "./name.js";
export type { RecordedRequest } from "./recorder.js";
export { openScratch, type Scratch } from "./scratch.js";
export {
  type Failure,
  type ModelAnswer,
  nextStep,
  type Script,
  type ScriptRun,
  type Step,
  type ToolRequest,
} from "./script.js";
export { type ModelUrls, type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.js";
export { type BehaviorToken, writeToken } from "./token.js";
export type { ToolMap, ToolMapping } from "./tools.js";
export type { ModelTurn, ToolUse } from "./turn.js";
