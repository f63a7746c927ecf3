import { type Change, isObject, mapField, mapItems, type Place, type Places } from "@editwire/core";

const chunks: readonly unknown[] = [
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "compaction_summary_chunk",
];
const toolUpdates: readonly unknown[] = ["tool_call", "tool_call_update"];

/** Tells an update of a tool call. Asked first wherever updates are rewritten: most of them are text. */
function isToolUpdate(update: unknown): update is Record<string, unknown> {
  return isObject(update) && toolUpdates.includes(update["sessionUpdate"]);
}

function isUpdate(update: unknown, kind: string): boolean {
  return isObject(update) && update["sessionUpdate"] === kind;
}

function isChunk(update: unknown): boolean {
  return isObject(update) && chunks.includes(update["sessionUpdate"]);
}

/** Where a tool call, or what is new about one, stands. */
export const toolCalls = {
  "session/update": (params, change) =>
    mapField(params, "update", (update) => (isToolUpdate(update) ? change(update) : update)),
  "session/request_permission": (params, change) => mapField(params, "toolCall", change),
} satisfies Places;

const contentItems: (place: Place) => Place = (place) => (params, change) =>
  place(params, (call) => mapField(call, "content", (items) => mapItems(items, change)));

/** Where a piece of a tool call's output stands. */
export const toolContents = {
  "session/update": contentItems(toolCalls["session/update"]),
  "session/request_permission": contentItems(toolCalls["session/request_permission"]),
} satisfies Places;

/** Applies a change to the block inside of a wrapped piece of output. */
const wrapped: (change: Change) => Change = (change) => (item) =>
  isObject(item) && item["type"] === "content" ? mapField(item, "content", change) : item;

/** Where a content block stands, once tool output is wrapped. */
export const blocks = {
  "session/prompt": (params, change) => mapField(params, "prompt", (prompt) => mapItems(prompt, change)),
  "session/update": (params, change) =>
    mapField(params, "update", (update) => {
      if (isChunk(update)) return mapField(update, "content", change);
      if (isToolUpdate(update)) return mapField(update, "content", (items) => mapItems(items, wrapped(change)));
      return isUpdate(update, "compaction_update")
        ? mapField(update, "summary", (items) => mapItems(items, change))
        : update;
    }),
  "session/request_permission": (params, change) => toolContents["session/request_permission"](params, wrapped(change)),
} satisfies Places;

/** Where an MCP server stands. */
export const mcpServers = {
  "session/new": (params, change) => mapField(params, "mcpServers", (servers) => mapItems(servers, change)),
  "session/load": (params, change) => mapField(params, "mcpServers", (servers) => mapItems(servers, change)),
  "session/resume": (params, change) => mapField(params, "mcpServers", (servers) => mapItems(servers, change)),
} satisfies Places;
