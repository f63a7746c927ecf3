const names = ["grep_file", "read_file", "call_chain", "apply_change"] as const;

/** The names of the tools. */
export type SmanToolName = (typeof names)[number];

/** True for the name of one of the four tools. */
export function isSmanToolName(name: string): name is SmanToolName {
  return (names as readonly string[]).includes(name);
}
