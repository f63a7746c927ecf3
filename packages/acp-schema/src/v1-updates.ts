import { chain, type Change, isObject, mapField, mapItems } from "@editwire/core";
import { completeBlock, completeCommand, officialToolCall } from "./wire-forms.js";

const field: (name: string, change: Change) => Change = (name, change) => (value) => mapField(value, name, change);
const items: (name: string, change: Change) => Change = (name, change) =>
  field(name, (value) => mapItems(value, change));

const chunk = field("content", completeBlock);
const output: Change = (item) =>
  isObject(item) && item["type"] === "content" ? mapField(item, "content", completeBlock) : item;
const toolCall = chain(items("content", output), officialToolCall);

/** By the kind of the update: most messages of a turn are updates, so each kind is looked for once. */
const completions: ReadonlyMap<unknown, Change> = new Map([
  ["user_message_chunk", chunk],
  ["agent_message_chunk", chunk],
  ["agent_thought_chunk", chunk],
  ["compaction_summary_chunk", chunk],
  ["compaction_update", items("summary", completeBlock)],
  ["tool_call", toolCall],
  ["tool_call_update", toolCall],
  ["available_commands_update", items("availableCommands", completeCommand)],
]);

/** Gives an update what the official dialect demands and the model lets be absent. */
export const completeUpdate: Change = (update) =>
  isObject(update) ? (completions.get(update["sessionUpdate"])?.(update) ?? update) : update;

/** The same for a permission request. */
export const completePermission: Change = (params) => mapField(params, "toolCall", toolCall);
