import { type Change, chain, isObject, mapField, methodsOf, type Rewrites, WireError } from "@editwire/core";
import { acp } from "./protocol.js";
import { unstatedUpdates } from "./updates.js";

/** Leaves out fields of an object. */
function without(...fields: readonly string[]): Change {
  return (value) => {
    if (!isObject(value) || !fields.some((field) => Object.hasOwn(value, field))) return value;
    return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
  };
}

/** Why a message cannot be written. */
function refused(method: string, what: string): WireError {
  return new WireError(
    "invalid_params",
    `${method}: the profile "spec" does not have ${what}; the profile "v1" has it`,
  );
}

function unstatedMethod(method: string): Change {
  return () => {
    throw refused(method, "this method");
  };
}

/** Refuses the updates that only version 1 has. */
export const statedUpdate: Change = (params) => {
  const update = isObject(params) ? params["update"] : undefined;
  const kind = isObject(update) ? update["sessionUpdate"] : undefined;
  if (typeof kind === "string" && unstatedUpdates.includes(kind)) throw refused("session/update", `the update ${kind}`);
  return params;
};

/** Refuses further folders: an agent that never gets them would work in the wrong ones. */
function noFurtherFolders(method: string): Change {
  return (params) => {
    const folders = isObject(params) ? params["additionalDirectories"] : undefined;
    if (Array.isArray(folders) && folders.length > 0) throw refused(method, "the field additionalDirectories");
    return without("additionalDirectories")(params);
  };
}

/** The capabilities of a client are open in the specification, which names none. */
const clientCapabilities: Change = (params) =>
  mapField(params, "clientCapabilities", without("fs", "terminal", "session", "auth", "elicitation"));

/** A client of version 1 may declare what an agent of this dialect cannot ask it for. */
export const unstatedCapabilities: Rewrites = {
  initialize: { params: (params) => mapField(params, "clientCapabilities", without("session", "elicitation")) },
};

const agentCapabilities: Change = (result) =>
  mapField(
    result,
    "agentCapabilities",
    chain(without("auth"), (capabilities) =>
      mapField(
        capabilities,
        "sessionCapabilities",
        without("list", "delete", "resume", "close", "additionalDirectories"),
      ),
    ),
  );

const opened = without("configOptions");

/**
 * Changes for what the specification's dialect cannot express. Methods, updates and folders that only version 1 has are
 * refused; capabilities and settings, which a peer of this dialect could not use, are left out.
 */
export const stated: Rewrites = {
  ...Object.fromEntries(
    methodsOf(acp).flatMap(([method, { spec }]) =>
      spec === undefined ? [[method, { params: unstatedMethod(method) }]] : [],
    ),
  ),
  initialize: { params: clientCapabilities, result: agentCapabilities },
  "session/new": { params: noFurtherFolders("session/new"), result: opened },
  "session/load": { params: noFurtherFolders("session/load"), result: opened },
};
