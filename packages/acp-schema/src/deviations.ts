import {
  type Deviation,
  dropNulls,
  isAbsent,
  isObject,
  kept,
  mapField,
  mapItems,
  methodsOf,
  nullLists,
  type Place,
  repaired,
} from "@editwire/core";
import {
  bareToolContent,
  blockTypeCase,
  emptyResource,
  mediumWithoutMimeType,
  namelessLink,
  unknownBlock,
  unknownToolContent,
} from "./deviations-content.js";
import {
  bareOutcome,
  missingStatus,
  rawInputNoObject,
  statusOfAnotherUpdate,
  unknownKind,
  unknownStatus,
} from "./deviations-tools.js";
import { unfitElements } from "./deviations-lists.js";
import { protocolVersion } from "./initialize.js";
import { keepRaw } from "./keep-raw.js";
import { mcpServers } from "./places.js";
import { stopReasons } from "./prompt.js";
import { acp } from "./protocol.js";
import { isKnownUpdate, isStatedUpdate, priorities } from "./updates.js";
import { withoutUnfitFields } from "./unfit-fields.js";
import { tagStdio } from "./wire-forms.js";

const whole: Place = (value, change) => change(value);
const update: Place = (params, change) => mapField(params, "update", change);

const nullFact = {
  id: "null-optional",
  summary: "null for a field that may be absent",
  seen: "agents of the official dialect",
};
/** Read silently in the official dialect, which allows it. */
const nulls: Deviation[] = methodsOf(acp).flatMap(([method, def]) => [
  ...repaired({ ...nullFact, at: { [method]: whole } }, dropNulls(def.params)),
  ...(def.kind === "request"
    ? repaired({ ...nullFact, at: { [method]: whole }, part: "result" }, dropNulls(def.result))
    : []),
]);

const noVersion = repaired(
  {
    id: "D3",
    summary: "initialize without a protocolVersion, read as version 1",
    seen: "accepted by elephant.ai, which does not read it",
    at: { initialize: whole },
  },
  (params) => (isObject(params) && isAbsent(params["protocolVersion"]) ? { ...params, protocolVersion } : params),
);

const untaggedStdio = repaired(
  {
    id: "C8",
    summary: "an MCP server on stdio without its type",
    seen: "clients of the official dialect",
    at: mcpServers,
  },
  tagStdio,
);

const bareStdio = repaired(
  {
    id: "C9",
    summary: "an MCP server on stdio without args or env",
    seen: "no recorded peer; both specs demand them",
    at: mcpServers,
  },
  (server) => {
    if (!isObject(server) || server["type"] !== "stdio") return server;
    const { args, env } = server;
    return isAbsent(args) || isAbsent(env) ? { ...server, args: args ?? [], env: env ?? [] } : server;
  },
);

const emptyStopReason = repaired(
  {
    id: "D16",
    summary: "an empty stopReason, read as end_turn",
    seen: "elephant.ai 2026-01",
    at: { "session/prompt": whole },
    part: "result",
  },
  (result) => (isObject(result) && result["stopReason"] === "" ? { ...result, stopReason: "end_turn" } : result),
);

const unknownStopReason = repaired(
  {
    id: "C6",
    summary: "an unknown stopReason, read as end_turn",
    seen: "no recorded peer; elephant.ai passes on any string",
    at: { "session/prompt": whole },
    part: "result",
  },
  (result) => {
    const reason = isObject(result) ? result["stopReason"] : undefined;
    const known: readonly unknown[] = stopReasons;
    if (!isObject(result) || typeof reason !== "string" || reason === "" || known.includes(reason)) return result;
    return keepRaw({ ...result, stopReason: "end_turn" }, "stopReason", reason);
  },
);

const modeId = repaired(
  {
    id: "mode-id",
    summary: "a current_mode_update with modeId instead of currentModeId",
    seen: "the official documentation's example",
    at: { "session/update": update },
  },
  (value) => {
    if (!isObject(value) || value["sessionUpdate"] !== "current_mode_update" || value["currentModeId"] !== undefined)
      return value;
    const { modeId: currentModeId, ...others } = value;
    return typeof currentModeId === "string" ? { ...others, currentModeId } : value;
  },
);

const mode: Place = (result, change) =>
  mapField(result, "modes", (modes) => mapField(modes, "availableModes", (list) => mapItems(list, change)));

const namelessMode = repaired(
  {
    id: "mode-name",
    summary: "a mode of a session without a name, which gets its id as name",
    seen: "qwen serve 0.24.4",
    at: { "session/new": mode, "session/load": mode, "session/resume": mode },
    part: "result",
  },
  (value) =>
    isObject(value) && typeof value["id"] === "string" && isAbsent(value["name"])
      ? { ...value, name: value["id"] }
      : value,
);

const planEntry: Place = (params, change) =>
  update(params, (value) =>
    isObject(value) && value["sessionUpdate"] === "plan"
      ? mapField(value, "entries", (entries) => mapItems(entries, change))
      : value,
  );

const planPriority = repaired(
  {
    id: "plan-priority",
    summary: "a plan entry without a priority or with an unknown one, read as medium",
    seen: "no recorded peer",
    at: { "session/update": planEntry },
  },
  (entry) => {
    if (!isObject(entry) || priorities.includes(entry["priority"])) return entry;
    const { priority, ...others } = entry;
    const medium = { ...others, priority: "medium" };
    return isAbsent(priority) ? medium : keepRaw(medium, "priority", priority);
  },
);

const planStatus = repaired(
  {
    id: "plan-status",
    summary: "a plan entry without a status, read as pending",
    seen: "no recorded peer",
    at: { "session/update": planEntry },
  },
  (entry) => (isObject(entry) && isAbsent(entry["status"]) ? { ...entry, status: "pending" } : entry),
);

const unknownUpdate = (isKnown: (name: unknown) => boolean): Deviation[] =>
  kept(
    {
      id: "unknown-update",
      summary: "a session/update of an unknown kind",
      seen: "official agents (usage_update and others), vendors (_name)",
      at: { "session/update": update },
    },
    (value) => isObject(value) && !isKnown(value["sessionUpdate"]),
  );

/** Messages whose optional fields do not change what the sender wants: the official schema takes their defaults. */
const lenient = ["initialize", "session/prompt", "session/update", "session/request_permission"] as const;
const unfitFact = {
  id: "unfit-field",
  summary: "an optional field that does not fit; it is left out",
  seen: "allowed by the official schema, for readers of version 1",
};

const unfitField: Deviation[] = methodsOf(acp).flatMap(([method, def]) => [
  ...(lenient.some((one) => one === method)
    ? repaired({ ...unfitFact, at: { [method]: whole } }, withoutUnfitFields(def.params))
    : []),
  ...(def.kind === "request"
    ? repaired({ ...unfitFact, at: { [method]: whole }, part: "result" }, withoutUnfitFields(def.result))
    : []),
]);

/** The deviations that are read from a peer of the specification's dialect. */
export const specDeviations: readonly Deviation[] = [
  ...nulls,
  ...noVersion,
  ...untaggedStdio,
  ...bareStdio,
  ...nullLists(acp),
  ...blockTypeCase,
  ...emptyResource,
  ...missingStatus,
  ...unknownStatus,
  ...modeId,
  ...namelessMode,
  ...planPriority,
  ...planStatus,
  ...emptyStopReason,
  ...unknownStopReason,
  ...bareOutcome,
  ...unfitElements,
  ...unknownBlock,
  ...unknownToolContent,
  ...unknownUpdate(isStatedUpdate),
  ...statusOfAnotherUpdate,
  ...rawInputNoObject,
];

/** The deviations that are read from a peer of the official dialect. */
export const v1Deviations: readonly Deviation[] = [
  ...bareStdio,
  ...nullLists(acp),
  ...blockTypeCase,
  ...bareToolContent,
  ...emptyResource,
  ...unknownStatus,
  ...modeId,
  ...namelessMode,
  ...planPriority,
  ...planStatus,
  ...emptyStopReason,
  ...unknownStopReason,
  ...bareOutcome,
  ...unfitElements,
  ...unknownBlock,
  ...unknownToolContent,
  ...unknownUpdate(isKnownUpdate),
  ...unknownKind,
  ...namelessLink,
  ...mediumWithoutMimeType,
  ...unfitField,
];
