import type { TraceEntry } from "../../trace/trace.js";
import type { Case } from "./case.js";

/**
 * How the suite makes a target act: by commands in the prompt, by a scripted model, by its environment, or not at all
 * (`none`): then it gets plain prompts, and decides itself what it does.
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

/** The provider of a mode, or the one that was given. */
export function behaviorsBy(mode: BehaviorMode | BehaviorProvider = "none"): BehaviorProvider {
  if (typeof mode !== "string") return mode;
  switch (mode) {
    case "commands":
    case "env":
      return { mode, say: (name, args) => `conf:${name} ${JSON.stringify(args)}` };
    case "model":
      return { mode, say: (name, args) => `[[conf:${name} ${JSON.stringify(args)}]]` };
    case "none":
      return { mode, names: Object.keys(plainPrompts), say: (name, { text = "" }) => plainPrompt(name, String(text)) };
  }
}

/** The prompts in place of behaviors for a target that cannot be steered: short ones, so that no turn costs much. */
const plainPrompts: Readonly<Record<string, string>> = {
  text: "Reply with the word ok, and use no tools.",
  slow: "Count from 1 to 200, one number on each line, and use no tools.",
};

function plainPrompt(name: string, text: string): string {
  const prompt = plainPrompts[name] ?? name;
  return text === "" ? prompt : `${prompt} Ignore these words: ${text}`;
}

/** The behaviors that a case needs and a target does not show. A `plain` case needs none of a target without any. */
export function missingBehaviors(
  { needs = [], plain = false }: Pick<Case, "needs" | "plain">,
  provider: BehaviorProvider,
): readonly string[] {
  if (provider.mode === "none") {
    const special = needs.filter((name) => !hasBehavior(provider, name));
    return plain ? [] : special.length > 0 ? special : needs;
  }
  return needs.filter((name) => !hasBehavior(provider, name));
}

/** Says whether a provider has a behavior. */
export function hasBehavior({ names }: BehaviorProvider, name: string): boolean {
  return names === undefined || names.includes(name);
}
