import type { Case } from "../../../../core/run/case.js";
import { type TaggedFacts, taggedCases } from "../../../../packs/tagged.js";
import type { BackendCall, BackendContext } from "../../backend-role.js";
import { accept } from "../../accept.js";
import { fits } from "../../../../core/talk/judge.js";
import { table } from "../../table.js";

/** The calls that wrong results are sent for, by their ids. */
const calls = new Map<unknown, BackendCall>();

const facts: TaggedFacts<BackendContext> = {
  prefix: "sman.backend",
  role: "backend",
  table,
  peer: "plugin",
  requirements: {
    frames: "SMAN-ROBUST-001",
    types: "SMAN-ROBUST-002",
    bodies: "SMAN-ROBUST-003",
    more: "SMAN-ROBUST-004",
  },
  tag: "type",
  body: "data",
  unknown: { call: "TOOL_CALL", chat: "AGENT_CHAT" },
  examples: {
    TOOL_RESULT: {
      method: "TOOL_RESULT",
      params: { toolCallId: "conformance-wrong", success: true, result: "done", error: "none", executionTime: 3 },
      isValid: ({ toolCallId, ...result }: Record<string, unknown>) =>
        typeof toolCallId === "string" &&
        fits(table, "TOOL_CALL", "result", accept("TOOL_CALL", "result", result)) === true,
    },
  },
  message: (type, data) => ({ type, data }),
  async prepare(t) {
    const call = await t.call("grep_file", { pattern: "wrong" });
    calls.set(call.ask.id, call);
    return { toolCallId: call.ask.id };
  },
  finish(t, { toolCallId }) {
    const call = calls.get(toolCallId);
    if (call !== undefined) t.succeed(call.ask);
    calls.delete(toolCallId);
  },
  async handled(t, message) {
    const { toolCallId } = message["data"] as { toolCallId?: unknown };
    t.send.invalid(message);
    await calls.get(toolCallId)?.done;
    calls.delete(toolCallId);
  },
  works: (t) => t.works(),
};

/** Cases about messages that a backend must survive. */
export const robustCases: readonly Case[] = taggedCases(facts);
