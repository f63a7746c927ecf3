import type { TraceEntry } from "../../trace/trace.js";

/**
 * How the suite makes a target act: by commands in the prompt, by a scripted model, by its environment, or not at all.
 */
export type BehaviorMode = "commands" | "model" | "env" | "none";

/** Defines how behaviors are requested. */
export interface BehaviorProvider {
  readonly mode: BehaviorMode;
  /** The behaviors that the target has; default: all. */
  readonly names?: readonly string[] | undefined;
  /** Why what the target did in a case does not show how it behaves; `undefined` when it does. */
  readonly unreached?: ((name: string, trace: readonly TraceEntry[]) => string | undefined) | undefined;
  /** The text that requests a behavior. */
  say(name: string, args: Record<string, unknown>): string;
}

/** The provider of a mode. */
export function behaviorsBy(mode: BehaviorMode): BehaviorProvider {
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

/** Says whether a provider has a behavior. */
export function hasBehavior({ names }: BehaviorProvider, name: string): boolean {
  return names === undefined || names.includes(name);
}
