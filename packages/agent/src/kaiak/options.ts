import type { AgentPermissionOption } from "../events.js";

/** The word of each kind of option. Clients of both dialects answer with them. */
const words: Readonly<Record<AgentPermissionOption["kind"], string>> = {
  allow_once: "approve",
  allow_always: "always_allow",
  reject_once: "deny",
  reject_always: "always_deny",
};

/**
 * The ids of options by the words that a client answers with: that of their kind for the first one, else their names.
 */
export function optionsOf(options: readonly AgentPermissionOption[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { optionId, name, kind } of options) {
    const word = [words[kind], name, optionId].find((one) => !ids.has(one));
    if (word !== undefined) ids.set(word, optionId);
  }
  return ids;
}
