/** How a target is told what to do: by commands in the prompt, by a scripted model behind it, by its environment, or not at all. */
export type BehaviourMode = "commands" | "model" | "env" | "none";

/** Says how behaviours are asked for. */
export interface BehaviourProvider {
  readonly mode: BehaviourMode;
  /** Which behaviours it has; absent: all. */
  readonly names?: readonly string[] | undefined;
  /** The text that asks for one. */
  say(name: string, args: Record<string, unknown>): string;
}

/** The provider of a mode. */
export function behavioursBy(mode: BehaviourMode): BehaviourProvider {
  switch (mode) {
    case "commands":
    case "env":
      return { mode, say: (name, args) => `conf:${name} ${JSON.stringify(args)}` };
    case "model":
      return { mode, say: (name, args) => `[[conf:${name} ${JSON.stringify(args)}]]` };
    case "none":
      return { mode, names: [], say: (name) => name };
  }
}

/** Says whether a provider has a behaviour. */
export function hasBehaviour({ names }: BehaviourProvider, name: string): boolean {
  return names === undefined || names.includes(name);
}
