import { type Deviation, isObject, mapField, type Places } from "@editwire/core";
import { AuthMethod } from "./auth.js";
import { SessionConfigOption } from "./config-options.js";
import { PermissionOption } from "./permission.js";
import { toolCalls } from "./places.js";
import { SessionMode } from "./session.js";
import { SessionInfo } from "./session-list.js";
import { ToolCallContent, ToolCallLocation } from "./tool-calls.js";
import { type List, unfitItems } from "./unfit-items.js";
import { AvailableCommand, PlanEntry } from "./updates.js";

const whole: Places[string] = (value, change) => change(value);
const modes: Places[string] = (result, change) => mapField(result, "modes", change);
const updatesOf = (kind: string): Places => ({
  "session/update": (params, change) =>
    mapField(params, "update", (update) =>
      isObject(update) && update["sessionUpdate"] === kind ? change(update) : update,
    ),
});

const lists: readonly List[] = [
  { id: "plan-entry", element: "a plan entry", at: updatesOf("plan"), field: "entries", schema: PlanEntry },
  {
    id: "available-command",
    element: "an available command",
    at: updatesOf("available_commands_update"),
    field: "availableCommands",
    schema: AvailableCommand,
  },
  {
    id: "tool-content",
    element: "a piece of a tool call's output",
    at: toolCalls,
    field: "content",
    schema: ToolCallContent,
  },
  {
    id: "tool-location",
    element: "a location of a tool call",
    at: toolCalls,
    field: "locations",
    schema: ToolCallLocation,
  },
  {
    // An option whose meaning is unknown is not offered: no policy could tell whether it allows or rejects.
    id: "permission-option",
    element: "a permission option, such as one of an unknown kind,",
    at: { "session/request_permission": whole },
    field: "options",
    schema: PermissionOption,
  },
  {
    id: "session-mode",
    element: "a mode of a session",
    at: { "session/new": modes, "session/load": modes, "session/resume": modes },
    part: "result",
    field: "availableModes",
    schema: SessionMode,
  },
  {
    id: "session-info",
    element: "a listed session",
    at: { "session/list": whole },
    part: "result",
    field: "sessions",
    schema: SessionInfo,
  },
  {
    id: "auth-method",
    element: "a way to sign in",
    at: { initialize: whole },
    part: "result",
    field: "authMethods",
    schema: AuthMethod,
  },
  {
    id: "config-option",
    element: "an option of a session",
    at: { "session/new": whole, "session/load": whole, "session/resume": whole, "session/set_config_option": whole },
    part: "result",
    field: "configOptions",
    schema: SessionConfigOption,
  },
  {
    id: "config-option",
    element: "an option of a session",
    at: updatesOf("config_option_update"),
    field: "configOptions",
    schema: SessionConfigOption,
  },
];

/** These rows come after those that repair an element. */
export const unfitElements: readonly Deviation[] = unfitItems(lists);
