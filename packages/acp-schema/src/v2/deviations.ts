import {
  type Deviation,
  isAbsent,
  isObject,
  mapField,
  mapItems,
  methodsOf,
  nullLists,
  type Place,
  type Places,
  repaired,
} from "@editwire/core";
import { SessionInfo } from "../session-list.js";
import { withoutUnfitFields } from "../unfit-fields.js";
import { type List, unfitItems } from "../unfit-items.js";
import { V2AuthMethod } from "./auth.js";
import { V2AvailableCommand } from "./commands.js";
import { V2ConfigOption } from "./config-options.js";
import { V2ContentBlock } from "./content.js";
import { DiffChange } from "./diffs.js";
import { diffs, openings, optionLists, plans, toolCalls, updatesOf } from "./places.js";
import { V2PlanEntry } from "./plans.js";
import { acpV2 } from "./protocol.js";
import { V2ToolCallContent, V2ToolCallLocation } from "./tool-calls.js";

const whole: Place = (value, change) => change(value);
const result = "result" as const;

const commandItems = (places: Places): Places =>
  Object.fromEntries(
    Object.entries(places).map(([method, place]) => [
      method,
      (value, change) =>
        place(value, (holder) => mapField(holder, "availableCommands", (items) => mapItems(items, change))),
    ]),
  );

const commandFact = {
  id: "command-type",
  summary: "a command without a type, read as one of the type command",
  seen: "the documentation of August 2026, whose commands have none",
};
const typedCommand = (command: unknown): unknown =>
  isObject(command) && isAbsent(command["type"]) && typeof command["name"] === "string"
    ? { ...command, type: "command" }
    : command;
const untypedCommand: Deviation[] = [
  ...repaired({ ...commandFact, at: commandItems(updatesOf("available_commands_update")) }, typedCommand),
  ...repaired({ ...commandFact, at: commandItems(openings), part: result }, typedCommand),
];

const noMessageId = repaired(
  {
    id: "message-id",
    summary: "a prompt's result without a messageId, read as an empty one",
    seen: "the documentation of August 2026, whose result is empty",
    at: { "session/prompt": whole },
    part: result,
  },
  (value) => (isObject(value) && isAbsent(value["messageId"]) ? { ...value, messageId: "" } : value),
);

const command = { id: "available-command", element: "an available command", field: "availableCommands" };
const option = { id: "config-option", element: "an option of a session", field: "configOptions" };
const lists: readonly List[] = [
  { id: "plan-entry", element: "a plan entry", at: plans, field: "entries", schema: V2PlanEntry },
  { ...command, at: updatesOf("available_commands_update"), schema: V2AvailableCommand },
  { ...command, at: openings, part: result, schema: V2AvailableCommand },
  { ...option, at: updatesOf("config_option_update"), schema: V2ConfigOption },
  { ...option, at: optionLists, part: result, schema: V2ConfigOption },
  { id: "diff-change", element: "a file of a diff", at: diffs, field: "changes", schema: DiffChange },
  {
    id: "tool-content",
    element: "a piece of a tool call's output",
    at: toolCalls,
    field: "content",
    schema: V2ToolCallContent,
  },
  {
    id: "tool-location",
    element: "a location of a tool call",
    at: toolCalls,
    field: "locations",
    schema: V2ToolCallLocation,
  },
  {
    id: "message-content",
    element: "a block of a whole message",
    at: updatesOf("user_message", "agent_message", "agent_thought", "session_message"),
    field: "content",
    schema: V2ContentBlock,
  },
  {
    id: "compaction-summary",
    element: "a block of a compaction's whole summary",
    at: updatesOf("compaction_update"),
    field: "summary",
    schema: V2ContentBlock,
  },
  {
    id: "session-info",
    element: "a listed session",
    at: { "session/list": whole },
    part: result,
    field: "sessions",
    schema: SessionInfo,
  },
  {
    id: "auth-method",
    element: "a way to sign in",
    at: { initialize: whole },
    part: result,
    field: "authMethods",
    schema: V2AuthMethod,
  },
];

const unfitFact = {
  id: "unfit-field",
  summary: "an optional field that does not fit; it is left out",
  seen: "allowed by the official schema, for readers of version 2",
};

/** The params whose optional fields may be left out, each with those that may not: they change what is asked for. */
const lenient: Readonly<Record<string, readonly string[]>> = {
  initialize: [],
  "session/prompt": ["idempotencyKey"],
  "session/request_permission": ["subject"],
  "session/update": [],
};

const unfitField: Deviation[] = methodsOf(acpV2).flatMap(([method, def]) => {
  const needed = lenient[method];
  return [
    ...(needed === undefined
      ? []
      : repaired({ ...unfitFact, at: { [method]: whole } }, withoutUnfitFields(def.params, needed))),
    ...(def.kind === "request"
      ? repaired({ ...unfitFact, at: { [method]: whole }, part: result }, withoutUnfitFields(def.result))
      : []),
  ];
});

/** The deviations that are read from a peer of version 2. */
export const v2Deviations: readonly Deviation[] = [
  ...nullLists(acpV2),
  ...untypedCommand,
  ...unfitItems(lists),
  ...noMessageId,
  ...unfitField,
];
