import { UsageError } from "../core/errors.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { httpTarget } from "../wire/http.js";
import { launchTarget } from "../wire/launch.js";
import type { Target } from "../wire/link.js";
import { unixTarget } from "../wire/socket.js";
import { stdioTarget } from "../wire/stdio.js";
import { wsTarget } from "../wire/ws.js";
import { modelTarget } from "../targets/model-target.js";
import { readRecipe, type Recipe } from "../targets/recipe.js";

/** The flags that say how the target is reached; a command behind `--` is the other way. */
export interface TargetFlags {
  readonly role: string;
  readonly url?: string | undefined;
  readonly unix?: string | undefined;
  readonly steer?: boolean | undefined;
  readonly cwd?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly behaviours?: string | undefined;
}

/** The target that the command line names. Throws a `UsageError` when it names none, or two. */
export function targetOf(protocol: ConformanceProtocol, command: readonly string[], flags: TargetFlags): Target {
  const { role, url, unix, steer, cwd, env = [] } = flags;
  const recipe = recipeOf(flags);
  if (recipe !== undefined) {
    return modelTarget(recipe, { ...(command.length > 0 && { argv: command }), cwd, env: Object.fromEntries(env.map(variable)) });
  }
  const ways = [command.length > 0, url !== undefined, unix !== undefined].filter(Boolean).length;
  if (ways !== 1) throw new UsageError("name one target: a command behind --, or --url, or --unix");
  if (unix !== undefined) return unixTarget(unix);
  if (url?.startsWith("ws") === true) return wsTarget({ url });
  if (url !== undefined) {
    if (protocol.http === undefined) throw new UsageError(`${protocol.name} has no HTTP transport`);
    return httpTarget({ url, paths: protocol.http });
  }
  const start = { argv: command, cwd, env: Object.fromEntries(env.map(variable)) };
  const starts = protocol.roles[role]?.steered === true || command.some((part) => part.includes("{agent}"));
  return starts ? launchTarget({ ...start, control: steer === true ? "lines" : "none" }) : stdioTarget(start);
}

/**
 * The recipe of a target that the suite starts with a scripted model behind it. One that listens somewhere was started by others,
 * who gave it the model of `conformance model`. Throws a `UsageError` when there is no such recipe.
 */
export function recipeOf({ target, behaviours, url, unix }: Pick<TargetFlags, "target" | "behaviours" | "url" | "unix">): Recipe | undefined {
  const elsewhere = url !== undefined || unix !== undefined;
  if (target === undefined) return behaviours === "model" && !elsewhere ? readRecipe("any") : undefined;
  if (elsewhere) throw new UsageError("--target starts a command; it goes with neither --url nor --unix");
  return readRecipe(target);
}

function variable(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env takes NAME=value, not "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
