import type { AgentPermissionOption } from "../api/events.js";

type Options = readonly AgentPermissionOption[];

/** Whether exactly one option has a kind. */
export function hasOne(options: Options, kind: AgentPermissionOption["kind"]): boolean {
  return options.filter((option) => option.kind === kind).length === 1;
}

/** Whether every option has a kind of its own, so that its kind is enough to choose it. */
export function haveOwnKinds(options: Options): boolean {
  return options.every(({ kind }) => hasOne(options, kind));
}

/** The ids of the options by what the user reads: their names, with the ids where two have the same name. */
export function idsByName(options: Options): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { name, optionId } of options) ids.set(ids.has(name) ? `${name} (${optionId})` : name, optionId);
  return ids;
}
