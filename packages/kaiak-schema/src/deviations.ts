import {
  chain,
  type Change,
  type Deviation,
  dropNulls,
  isAbsent,
  isObject,
  mapField,
  mapItems,
  nullLists,
  repaired,
} from "@editwire/core";
import { ConfigureResult } from "./configuration.js";
import { kaiak } from "./protocol.js";
import { readDeletion } from "./requests-2026.js";

/** Fills a field of an object that lacks it. */
function filled(name: string, value: unknown): Change {
  return (object) => (isObject(object) && isAbsent(object[name]) ? { ...object, [name]: value } : object);
}

const whole = (value: unknown, change: Change): unknown => change(value);

/** Removes the optional fields that are null. */
function withoutNulls(...names: string[]): Change {
  return (object) => {
    if (!isObject(object) || !names.some((name) => object[name] === null)) return object;
    return Object.fromEntries(
      Object.entries(object).filter(([name, value]) => value !== null || !names.includes(name)),
    );
  };
}

const nullOptions = repaired(
  {
    id: "null-options",
    summary: "an optional part of kaiak/generate_fix that is null",
    seen: "clients that write every field",
    at: { "kaiak/generate_fix": whole },
  },
  chain(withoutNulls("migration_context", "options"), (params) =>
    mapField(params, "incidents", (list) => mapItems(list, withoutNulls("description", "effort", "severity"))),
  ),
);

const messageType = repaired(
  {
    id: "message-type",
    summary: "a kaiak/client/user_message that names its kind in message_type",
    seen: "Kaiak's own client of 2026-01",
    at: { "kaiak/client/user_message": whole },
  },
  (params) =>
    isObject(params) && params["kind"] === undefined && typeof params["message_type"] === "string"
      ? { ...params, kind: params["message_type"] }
      : params,
);

/** Deviations of real servers and clients, and recordings of the specification's date. */
export const deviations: readonly Deviation[] = [
  ...repaired(
    {
      id: "short-configure-result",
      summary: "a result of kaiak/configure without message, configuration_applied or warnings",
      seen: "the recordings of 2025-12-25",
      at: { "kaiak/configure": whole },
      part: "result",
    },
    chain(filled("message", ""), filled("configuration_applied", {}), filled("warnings", [])),
  ),
  ...repaired(
    {
      id: "null-settings",
      summary: "a result of kaiak/configure in which an optional field is null",
      seen: "servers in Go, which write a list without items as null",
      at: { "kaiak/configure": whole },
      part: "result",
    },
    dropNulls(ConfigureResult),
  ),
  ...nullOptions,
  ...messageType,
  ...repaired(
    {
      id: "no-partial",
      summary: "a kaiak/stream/ai_response without partial, which is read as whole",
      seen: "the contract of 2026-01",
      at: { "kaiak/stream/ai_response": whole },
    },
    (params) => mapField(params, "content", filled("partial", false)),
  ),
  ...repaired(
    {
      id: "thinking",
      summary: "a kaiak/stream/thinking whose text is in thinking",
      seen: "Kaiak of 2026-01",
      at: { "kaiak/stream/thinking": whole },
    },
    (params) =>
      mapField(params, "content", (content) =>
        isObject(content) && content["text"] === undefined && typeof content["thinking"] === "string"
          ? { ...content, text: content["thinking"] }
          : content,
      ),
  ),
  ...nullLists(kaiak),
];

/** Deviations of 2026 programs from the dialect of 2026. */
export const deviations2026: readonly Deviation[] = [
  ...nullOptions,
  ...messageType,
  ...repaired(
    {
      id: "inner-params",
      summary: "a kaiak/delete_session whose params are in inner",
      seen: "the command line of Kaiak of 2026-01",
      at: { "kaiak/delete_session": whole },
    },
    (params) => (isObject(params) && isObject(params["inner"]) ? readDeletion(params["inner"]) : params),
  ),
  ...nullLists(kaiak),
];
