import type { Case } from "../../../../core/run/case.js";
import { type TaggedExample, type TaggedFacts, taggedCases } from "../../../../packs/tagged.js";
import { fieldsOf, type PluginContext } from "../../plugin-role.js";
import { table } from "../../table.js";
import { takesParams, toolNames, tools } from "../../samples.js";

const example = (name: (typeof toolNames)[number]): TaggedExample => ({
  method: "TOOL_CALL",
  params: { toolCallId: "conformance-wrong", ...fieldsOf(name, tools[name].params) },
  isValid: ({ toolCallId, ...call }: Record<string, unknown>) =>
    typeof toolCallId === "string" && takesParams("TOOL_CALL", call),
});

const facts: TaggedFacts<PluginContext> = {
  prefix: "sman.plugin",
  role: "plugin",
  table,
  peer: "backend",
  requirements: {
    frames: "SMAN-ROBUST-001",
    types: "SMAN-ROBUST-002",
    bodies: "SMAN-ROBUST-003",
    more: "SMAN-ROBUST-004",
  },
  tag: "type",
  unknown: { result: "TOOL_RESULT", greeting: "CONNECTED" },
  examples: Object.fromEntries(toolNames.map((name) => [name, example(name)])),
  message: (type, params) => ({ type, ...(params as object) }),
  prepare: (t) => Promise.resolve({ toolCallId: t.conversation.freshId() }),
  async handled(t, message) {
    await t.send.invalid(message).result();
  },
  works: (t) => t.works(),
};

/** Cases about messages that a plugin must survive. */
export const robustCases: readonly Case[] = taggedCases(facts);
