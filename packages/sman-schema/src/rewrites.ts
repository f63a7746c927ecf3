import { type Change, isObject, mapField, WireError } from "@editwire/core";
import { type Aliases, aliasesOf, hasMember } from "./aliases.js";
import { isSmanToolName, type SmanToolName } from "./tool-names.js";

type Fields = Record<string, unknown>;

/** Changes the fields of an object. Other values stay as they are. */
export function fields(change: (fields: Fields) => Fields): Change {
  return (value) => (isObject(value) ? change(value) : value);
}

/** Removes the members that are null. */
export function withoutNulls(names?: readonly string[]): Change {
  return fields((object) => {
    const isDropped = (name: string): boolean => object[name] === null && (names?.includes(name) ?? true);
    if (!Object.keys(object).some(isDropped)) return object;
    return Object.fromEntries(Object.entries(object).filter(([name]) => !isDropped(name)));
  });
}

/** Gives members their names. A member that is there under its name stays. */
export function renamed(aliases: Aliases): Change {
  return fields((object) => {
    let changed: Fields | undefined;
    for (const key of Object.keys(object)) {
      const name = aliases.get(key);
      if (name === undefined || (changed ?? object)[name] !== undefined) continue;
      changed ??= { ...object };
      changed[name] = changed[key];
      delete changed[key];
    }
    return changed ?? object;
  });
}

/** Changes the params of a call of one of the four tools. */
export function toolParams(changeOf: (tool: SmanToolName) => Change): Change {
  return fields((call) => {
    const { toolName } = call;
    if (typeof toolName !== "string" || !isSmanToolName(toolName)) return call;
    return mapField(call, "params", changeOf(toolName)) as Fields;
  });
}

const siteAliases = aliasesOf(["projectKey", "webSocketSessionId"]);

/** Fills the fields of a connection that are missing. */
function withSite(params: Fields, site: Fields): Fields {
  let missing: Fields | undefined;
  for (const name of Object.keys(site)) if (!hasMember(params, name, siteAliases)) (missing ??= {})[name] = site[name];
  return missing === undefined ? params : { ...params, ...missing };
}

/**
 * Fills the session of a call: the specification's own test leaves it out. A session in `params` only is used at the
 * root, too.
 */
export const silentSite: Change = fields((call) => {
  const inner = isObject(call["params"]) ? call["params"] : {};
  const webSocketSessionId = call["webSocketSessionId"] ?? inner["webSocketSessionId"] ?? "";
  const whole = withSite(call, { webSocketSessionId });
  return mapField(
    whole,
    "params",
    fields((params) => withSite(params, { webSocketSessionId })),
  ) as Fields;
});

/** Refuses to send a message that the dialect does not have. */
export function refuse(what: string): Change {
  return () => {
    throw new WireError("invalid_params", `${what} is not a message of the profile "spec"; the profile "v2" has it`);
  };
}
