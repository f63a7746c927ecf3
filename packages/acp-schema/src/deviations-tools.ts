import { type Change, isObject, kept, mapField, type Places, repaired } from "@editwire/core";
import { keepRaw } from "./keep-raw.js";
import { toolCalls } from "./places.js";
import { toolCallStatuses, toolKinds } from "./tool-calls.js";
import { pendingByDefault } from "./wire-forms.js";

const statuses: readonly unknown[] = toolCallStatuses;
const kinds: readonly unknown[] = toolKinds;

const updates: Places = { "session/update": toolCalls["session/update"] };

/** A tool call that begins has a status, so it gets the spec's; one that goes on keeps the one it has. */
export const unknownStatus = repaired(
  {
    id: "C2",
    summary: "a tool call's status outside of the protocol's four",
    seen: "no recorded peer; elephant.ai passes on any string",
    at: toolCalls,
  },
  (call) => {
    if (!isObject(call) || typeof call["status"] !== "string" || statuses.includes(call["status"])) return call;
    const { status, ...others } = call;
    return keepRaw(
      call["sessionUpdate"] === "tool_call" ? { ...others, status: "in_progress" } : others,
      "status",
      status,
    );
  },
);

export const missingStatus = repaired(
  {
    id: "tool-call-status",
    summary: "a tool_call without a status",
    seen: "agents of the official dialect, where pending is the default",
    at: updates,
  },
  pendingByDefault,
);

export const statusOfAnotherUpdate = kept(
  {
    id: "D11",
    summary: "a tool_call that is not in_progress, or a tool_call_update that is pending",
    seen: "agents of the official dialect",
    at: updates,
  },
  (call) =>
    isObject(call) &&
    (call["sessionUpdate"] === "tool_call" ? call["status"] !== "in_progress" : call["status"] === "pending"),
);

export const unknownKind = kept(
  {
    id: "D13",
    summary: "a tool kind outside of the official ones, such as channel",
    seen: "elephant.ai 2026-03",
    at: toolCalls,
  },
  (call) => isObject(call) && call["kind"] !== undefined && !kinds.includes(call["kind"]),
);

export const rawInputNoObject = kept(
  {
    id: "raw-input",
    summary: "a rawInput that is not an object",
    seen: "agents of the official dialect, which allows any value",
    at: updates,
  },
  (call) => isObject(call) && call["rawInput"] !== undefined && !isObject(call["rawInput"]),
);

const outcomeObject: Change = (result) => {
  if (!isObject(result) || typeof result["outcome"] !== "string") {
    return mapField(result, "outcome", (outcome) =>
      mapField(outcome, "outcome", (word) => (typeof word === "string" ? word.toLowerCase() : word)),
    );
  }
  const { outcome, optionId, ...others } = result;
  if (/^cancell?ed$/i.test(result["outcome"])) return { ...result, outcome: { outcome: "cancelled" } };
  if (/^selected$/i.test(result["outcome"]))
    return typeof optionId === "string" ? { ...others, outcome: { outcome: "selected", optionId } } : result;
  return { ...result, outcome: { outcome: "selected", optionId: outcome } };
};

export const bareOutcome = repaired(
  {
    id: "C12",
    summary: "a permission outcome as a bare word or in another case",
    seen: "clients of elephant.ai, which reads both",
    at: { "session/request_permission": (result, change) => change(result) },
    part: "result",
  },
  outcomeObject,
);
