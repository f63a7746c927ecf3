/** A behavior that a prompt asks for. */
export interface BehaviorToken {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const START = "[[conf:";
const END = "]]";

/** Writes the token that asks for a behavior. */
export function writeToken({ name, args }: BehaviorToken): string {
  return `${START}${name}${Object.keys(args).length === 0 ? "" : ` ${JSON.stringify(args)}`}${END}`;
}

/** Finds the last token in a text, whatever stands around it. */
export function findToken(text: string): BehaviorToken | undefined {
  for (
    let start = text.lastIndexOf(START);
    start !== -1;
    start = start === 0 ? -1 : text.lastIndexOf(START, start - 1)
  ) {
    const [, name, rest = ""] = /^([a-z][a-z0-9-]*)\s*([^]*)$/.exec(text.slice(start + START.length)) ?? [];
    if (name === undefined) continue;
    // The arguments may hold the end mark themselves: the token ends where they are complete.
    for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END, end + 1)) {
      const args = argumentsOf(rest.slice(0, end).trim());
      if (args !== undefined) return { name, args };
    }
  }
  return undefined;
}

function argumentsOf(json: string): Record<string, unknown> | undefined {
  if (json === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
