export { behaviorScript } from "./behave.js";
export { SCRIPTED_MODEL } from "./name.js";
export { type ModelAnswer, nextStep, type Script, type ScriptRun, type Step, type ToolRequest } from "./script.js";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.js";
export type { ModelTurn, ToolUse } from "./turn.js";
