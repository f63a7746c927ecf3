export { type RecordedRequest, SCRIPTED_MODEL, type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.js";
export type { Answer, Failure, Script, ScriptRun, Step, ToolRequest } from "./script.js";
export type { ToolUse, Turn } from "./turn.js";
export { fixFailingTest } from "./scripts/fix-failing-test.js";
