import type { AgentPermissionOption } from "../api/events.js";

/** The word of each kind of option. Clients of both dialects answer with them. */
const words: Readonly<Record<AgentPermissionOption["kind"], string>> = {
  allow_once: "approve",
  allow_always: "always_allow",
  reject_once: "deny",
  reject_always: "always_deny",
};

/** The ids of options, of which each has a kind of its own, by the words that a client answers with. */
export function optionsOf(options: readonly AgentPermissionOption[]): ReadonlyMap<string, string> {
  return new Map(options.map(({ optionId, kind }) => [words[kind], optionId]));
}
