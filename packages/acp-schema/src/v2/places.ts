import { type Change, isObject, mapField, mapItems, type Place, type Places } from "@editwire/core";

const whole: Place = (value, change) => change(value);

/** Where an update of one of these kinds stands. */
export function updatesOf(...kinds: readonly string[]): Places {
  return {
    "session/update": (params, change) =>
      mapField(params, "update", (update) =>
        isObject(update) && kinds.some((kind) => kind === update["sessionUpdate"]) ? change(update) : update,
      ),
  };
}

/** Where a tool call, or what is new about one, stands. */
export const toolCalls: Places = {
  ...updatesOf("tool_call_update"),
  "session/request_permission": (params, change) =>
    mapField(params, "subject", (subject) =>
      isObject(subject) && subject["type"] === "tool_call" ? mapField(subject, "toolCall", change) : subject,
    ),
};

/** Where a diff stands. */
export const diffs: Places = {
  "session/update": (params, change) =>
    mapField(params, "update", (update) =>
      isObject(update) && update["sessionUpdate"] === "tool_call_content_chunk"
        ? mapField(update, "content", ifDiff(change))
        : mapField(update, "content", (items) => mapItems(items, ifDiff(change))),
    ),
  "session/request_permission": (params, change) =>
    toolCalls["session/request_permission"]?.(params, (call) =>
      mapField(call, "content", (items) => mapItems(items, ifDiff(change))),
    ),
};

const ifDiff: (change: Change) => Change = (change) => (item) =>
  isObject(item) && item["type"] === "diff" ? change(item) : item;

/** Where a plan stands. */
export const plans: Places = {
  "session/update": (params, change) =>
    mapField(params, "update", (update) =>
      isObject(update) && update["sessionUpdate"] === "plan_update" ? mapField(update, "plan", change) : update,
    ),
};

/** The methods that open a session. Their results have the session's lists. */
export const openings: Places = { "session/new": whole, "session/resume": whole };

/** The results with the options of a session. */
export const optionLists: Places = { ...openings, "session/set_config_option": whole };
