import { existsSync } from "node:fs";
import { Option } from "commander";
import type { BehaviorMode } from "../core/run/behaviors.js";
import { UsageError } from "../core/errors.js";
import { positiveNumber } from "./numbers.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { httpTarget } from "../wire/http.js";
import { httpSeat } from "../wire/http-seat.js";
import { launchTarget } from "../wire/launch.js";
import { type Seat, stdioSeat } from "../wire/seat.js";
import { awaitedTarget } from "../wire/seat-target.js";
import { wsSeat } from "../wire/ws-seat.js";
import type { Target } from "../wire/link.js";
import { unixTarget } from "../wire/socket.js";
import { servedTarget } from "../wire/served.js";
import { streamableTarget } from "../wire/streamable.js";
import { streamableSeat } from "../wire/streamable-seat.js";
import { stdioTarget } from "../wire/stdio.js";
import { wsTarget } from "../wire/ws.js";
import { modelTarget } from "../targets/model-target.js";
import { readRecipe, type Recipe } from "../targets/recipe.js";

/** The flags that say how the target is reached, if not by a command after `--`. */
export interface TargetFlags {
  readonly role: string;
  readonly url?: string | undefined;
  readonly unix?: string | undefined;
  readonly steer?: boolean | undefined;
  readonly over?: string | undefined;
  readonly watch?: boolean | undefined;
  readonly cwd?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly behaviors?: BehaviorMode | undefined;
}

/** `--behaviors`, which `run` and `fuzz` have. */
export const behaviorsOption = (): Option =>
  new Option("--behaviors <mode>", "how the suite makes the target act")
    .choices(["commands", "model", "env", "none"])
    .default("none");

/** `--framing`. */
export const framingOption = (): Option =>
  new Option("--framing <framing>", "framing of the messages that the suite sends; default: the protocol's").choices([
    "line",
    "header",
  ]);

/** `--time-scale`. */
export const timeScaleOption = (): Option =>
  new Option(
    "--time-scale <number>",
    "factor for all deadlines and pauses; below 1, it does not shorten the 30 s that a target has to start and to " +
      "make the handshake",
  )
    .argParser(positiveNumber)
    .default(1);

/** `--over`. */
export const overOption = (): Option =>
  new Option(
    "--over <transport>",
    "how a client reaches the suite: stdio, by starting {agent} in its arguments, or http, streamable or ws, at {url}",
  )
    .choices(["stdio", "http", "streamable", "ws"])
    .default("stdio");

/** The target that the command line names. Throws a `UsageError` unless it names exactly one. */
export function targetOf(protocol: ConformanceProtocol, command: readonly string[], flags: TargetFlags): Target {
  const { role, url, unix, steer, watch, cwd, env = [] } = flags;
  if (cwd !== undefined && !existsSync(cwd))
    throw new UsageError(`--cwd: expected an existing folder, received ${cwd}`);
  if (url !== undefined && !/^(http|wss?):$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    throw new UsageError(`--url: expected a URL that begins with http://, ws:// or wss://, received "${url}"`);
  }
  const recipe = recipeOf(flags);
  if (recipe !== undefined) {
    return modelTarget(recipe, {
      ...(command.length > 0 && { argv: command }),
      cwd,
      env: Object.fromEntries(env.map(variable)),
    });
  }
  const { steered, socket } = protocol.roles[role] ?? {};
  if (watch === true && command.length === 0 && socket !== "listens")
    return awaitedTarget(seatOf(protocol, flags), (how) => process.stderr.write(`${how}\n`));
  const ways = [command.length > 0, url !== undefined, unix !== undefined].filter(Boolean).length;
  if (ways !== 1) throw new UsageError("expected one target: a command after --, or --url, or --unix");
  if (unix !== undefined) return unixTarget(unix);
  if (url?.startsWith("ws") === true)
    return wsTarget({ url, paths: protocol.ws, headers: bearer(process.env["CONFORMANCE_TOKEN"]) });
  if (url !== undefined) {
    const { streamable } = protocol;
    if (streamable !== undefined && new URL(url).pathname === streamable.path)
      return streamableTarget({ url, headers: streamable });
    if (protocol.http === undefined) throw new UsageError(`${protocol.name} has no HTTP transport`);
    return httpTarget({ url, paths: protocol.http });
  }
  const start = { argv: command, cwd, env: Object.fromEntries(env.map(variable)) };
  if (socket === "listens") return servedTarget({ ...start, paths: protocol.ws });
  const comes =
    steered === true ||
    socket === "dials" ||
    command.some((part) => part.includes("{agent}") || part.includes("{url}"));
  return comes
    ? launchTarget({ ...start, control: steer === true ? "lines" : "none", seat: seatOf(protocol, flags) })
    : stdioTarget(start);
}

/** Where a client finds the suite. */
function seatOf({ name, http, ws, streamable }: ConformanceProtocol, { over = "stdio" }: TargetFlags): Seat {
  if (ws !== undefined) return wsSeat();
  if (over === "stdio") return stdioSeat();
  if (over === "ws") return wsSeat({ path: streamable?.path });
  if (over === "streamable") {
    if (streamable === undefined) throw new UsageError(`${name} has no Streamable HTTP`);
    return streamableSeat(streamable);
  }
  if (over !== "http") throw new UsageError(`--over: expected stdio, http, streamable or ws, received "${over}"`);
  if (http === undefined) throw new UsageError(`${name} has no HTTP transport`);
  return httpSeat(http);
}

/**
 * The recipe of a target that the suite starts with a scripted model behind it. A target that listens was started by
 * someone else, with the model of `editwire-conformance model`. Throws a `UsageError` for an unknown recipe.
 */
export function recipeOf({
  target,
  behaviors,
  url,
  unix,
}: Pick<TargetFlags, "target" | "behaviors" | "url" | "unix">): Recipe | undefined {
  const elsewhere = url !== undefined || unix !== undefined;
  if (target === undefined) return behaviors === "model" && !elsewhere ? readRecipe("any") : undefined;
  if (elsewhere) throw new UsageError("--target starts a command; it cannot be combined with --url or --unix");
  return readRecipe(target);
}

function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function variable(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env: expected NAME=value, received "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
