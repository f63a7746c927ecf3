import { type Change, type Deviation, isObject, kept, repaired } from "@editwire/core";
import { callAliases, namesOf, paramAliases, resultAliases } from "./aliases.js";
import { addedMessages } from "./protocol.js";
import { fields, renamed, silentSite, toolParams, withoutNulls } from "./rewrites.js";
import type { SmanToolName } from "./tool-names.js";
import { smanTools } from "./tools.js";

const whole = (value: unknown, change: Change): unknown => change(value);
const call = { TOOL_CALL: whole };

/** A change after which members may be missing that a plugin fills. */
function filling(change: Change): Change {
  return (call) => {
    const changed = change(call);
    return changed === call ? call : silentSite(changed);
  };
}

const counts = ["context_lines", "limit", "start_line", "end_line", "line", "depth"];
/** Reads counts that are texts. Other texts stay and are refused. */
const countTexts = fields((params) => {
  const texts = counts.filter((name) => typeof params[name] === "string" && /^\d{1,15}$/.test(params[name]));
  if (texts.length === 0) return params;
  return { ...params, ...Object.fromEntries(texts.map((name) => [name, Number(params[name])])) };
});

/** Milliseconds as a count; what cannot be one is dropped. */
const wholeTime = fields(({ executionTime, ...result }) => {
  const ms = Math.round(Number(typeof executionTime === "string" ? executionTime || NaN : executionTime));
  return Number.isSafeInteger(ms) && ms >= 0 ? { ...result, executionTime: ms } : result;
});

function isTime(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** The deviations that are read in either dialect. */
const common: readonly Deviation[] = [
  ...repaired(
    {
      id: "call-names",
      summary: "a TOOL_CALL with parameters for params, or with fields in snake case",
      seen: "sman's text of 2026-01-05",
      at: call,
    },
    filling(renamed(callAliases)),
  ),
  ...repaired(
    {
      id: "param-names",
      summary: "params of a tool in the wrong one of snake and camel case, or path for relativePath",
      seen: "accepted by sman's plugin",
      at: call,
    },
    filling(toolParams((tool) => renamed(paramAliases(namesOf(smanTools[tool]))))),
  ),
  ...repaired(
    { id: "null-params", summary: "an optional param that is null", seen: "no recorded peer", at: call },
    filling(toolParams((tool) => withoutNulls(optionalNames(tool)))),
  ),
  ...repaired(
    { id: "count-text", summary: "a count or a line number that is a string", seen: "no recorded peer", at: call },
    toolParams(() => countTexts),
  ),
  ...repaired(
    {
      id: "result-names",
      summary: "a TOOL_RESULT with errorMessage for error, or with fields in snake case",
      seen: "sman's text of 2026-01-05",
      at: call,
      part: "result",
    },
    renamed(resultAliases),
  ),
  ...repaired(
    {
      id: "null-result",
      summary: "a TOOL_RESULT with a field that is null",
      seen: "no recorded peer",
      at: call,
      part: "result",
    },
    withoutNulls(["success", "result", "error", "executionTime"]),
  ),
  ...repaired(
    {
      id: "no-success",
      summary: "a TOOL_RESULT without success, which is read as a failure",
      seen: "accepted by sman's backend",
      at: call,
      part: "result",
    },
    fields((result) => (result["success"] === undefined ? { ...result, success: false } : result)),
  ),
  ...repaired(
    {
      id: "result-value",
      summary: "a result that is not a string, which is read as its JSON text",
      seen: "accepted by sman's backend",
      at: call,
      part: "result",
    },
    fields((result) => {
      const { result: value } = result;
      if (value === undefined || typeof value === "string") return result;
      return { ...result, result: JSON.stringify(value) };
    }),
  ),
  ...repaired(
    {
      id: "execution-time",
      summary: "an executionTime that is not a whole number of milliseconds",
      seen: "no recorded peer",
      at: call,
      part: "result",
    },
    (result) => (isObject(result) && !isTime(result["executionTime"]) ? wholeTime(result) : result),
  ),
  ...repaired(
    {
      id: "error-names",
      summary: "an ERROR with code and message for errorCode and errorMessage",
      seen: "sman's own text",
      at: { ERROR: whole },
    },
    renamed(
      new Map([
        ["code", "errorCode"],
        ["message", "errorMessage"],
      ]),
    ),
  ),
];

function optionalNames(tool: SmanToolName): readonly string[] {
  const required = ["pattern", "method", "replaceContent", ...(tool === "grep_file" ? [] : ["relativePath"])];
  return namesOf(smanTools[tool]).filter((name) => !required.includes(name));
}

/** The deviations that are read from a peer of the specification. */
export const specDeviations: readonly Deviation[] = [
  ...common,
  ...kept(
    {
      id: "newer-message",
      summary: "a message that the specification does not have",
      seen: "sman since 2026-01",
      at: Object.fromEntries(addedMessages.map((name) => [name, whole])),
    },
    isObject,
  ),
];

/** The deviations that are read from a peer of sman 2.0. */
export const v2Deviations: readonly Deviation[] = common;
