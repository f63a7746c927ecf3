import type { ChildProcess } from "node:child_process";
import { wait, within } from "../core/talk/time.js";
import type { Trace } from "../trace/trace.js";
import { LineControl } from "./control.js";
import { type Ended, type Link, type OpenOptions, type Target, TargetError } from "./link.js";
import { endGroup, startGroup } from "./process-group.js";
import { type Seat, stdioSeat } from "./seat.js";
import { exitOf } from "./stdio.js";

/** A program that is a client: it starts its own agent or connects to one, and the suite is that agent. */
export interface LaunchOptions {
  /**
   * The program. `{agent}` in an argument stands for the command of the agent that it should start, `{url}` for its
   * address.
   */
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * `lines`: the program is an adapter, steered by lines of JSON on its stdin and stdout. `none` (default): it is not
   * steered.
   */
  readonly control?: "lines" | "none" | undefined;
  /** Where the suite's agent is. Default: an executable that speaks on stdin and stdout. */
  readonly seat?: Seat | undefined;
  /** Milliseconds until the program has reached its agent. Default 30 000. */
  readonly startMs?: number | undefined;
}

/** How long the exit of a program may come after its connection has ended. */
const EXIT_MS = 250;
const sessionCwd = process.platform === "win32" ? "C:\\" : "/tmp";

/**
 * A target that is a client. Every `open` starts a program and an agent of its own. The program ends with its whole
 * process group.
 */
export function launchTarget(options: LaunchOptions): Target {
  const { argv, cwd, env = {}, control: kind = "none", seat = stdioSeat(), startMs = 30_000 } = options;
  const description = argv.join(" ");
  return {
    transport: seat.transport,
    description,
    async open(open) {
      const { trace, framing, graceMs } = open;
      const place = await seat.prepare(open);
      const variables = Object.entries({ ...place.variables, ...open.variables });
      const fill = (part: string): string =>
        variables.reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), part);
      const surroundings = Object.fromEntries(
        variables.map(([name, value]) => [`CONFORMANCE_${name.toUpperCase()}`, value]),
      );
      let child: ChildProcess;
      try {
        child = await startGroup({ argv: argv.map(fill), cwd, env: { ...env, ...open.env, ...surroundings } }, open);
      } catch (error) {
        await place.close();
        throw error;
      }
      const gone = exitOf(child, trace);
      const { control, failed } = steer(child, kind, trace, gone);
      const close = async (): Promise<void> => {
        control?.shutdown();
        await endGroup(child, graceMs);
        await place.close();
      };
      const inited = control?.init({ agent: place.agent, cwd: sessionCwd, framing });
      const reached = await within(
        Promise.race([place.taken, gone.then(({ reason }) => reason), failed(inited)]),
        startMs,
      );
      if (reached === undefined || typeof reached === "string") {
        await close();
        throw new TargetError(
          `\`${description}\`: ${reached ?? `it did not reach its agent within ${startMs} ms`}${stderrOf(trace)}`,
        );
      }
      return steered(reached, { gone, close, control });
    },
  };
}

interface Steering {
  readonly control?: LineControl | undefined;
  /** Resolves with a reason when the adapter does not begin. */
  failed(inited: Promise<unknown> | undefined): Promise<string>;
}

function steer(child: ChildProcess, kind: "lines" | "none", trace: Trace, gone: Promise<Ended>): Steering {
  const noise = (text: string): void => void trace.add({ kind: "stderr", from: "target", text });
  const { stdin, stdout } = child;
  const never = new Promise<never>(() => {});
  if (kind === "none" || stdin === null || stdout === null) {
    stdout?.on("data", (chunk: Buffer) => noise(chunk.toString("utf8")));
    return { failed: () => never };
  }
  const failed: Steering["failed"] = async (inited) => {
    try {
      await inited;
      return await never;
    } catch (error) {
      // A program that exits says more by its exit code.
      const end = await within(gone, 4 * EXIT_MS);
      return end?.reason ?? `its adapter refused to begin: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return { control: new LineControl(stdout, stdin, (line) => noise(`${line}\n`)), failed };
}

/** The link to the client, which is over when either the connection or the program is. */
function steered(
  link: Link,
  { gone, close, control }: { gone: Promise<Ended>; close(): Promise<void>; control?: LineControl | undefined },
): Link {
  // A program that dies takes its connection along, and its exit code says more.
  const lost = link.ended.then((end) => Promise.race([gone, wait(EXIT_MS).then(() => end)]));
  const closeBoth = async (): Promise<void> => {
    await close();
    await link.close();
  };
  return { ...link, ended: Promise.race([gone, lost]), close: closeBoth, ...(control && { control }) };
}

/** The end of what a target wrote on stderr, for an error; empty when it wrote nothing. */
export function stderrOf({ entries }: OpenOptions["trace"]): string {
  const text = entries
    .flatMap((entry) => (entry.kind === "stderr" ? [entry.text] : []))
    .join("")
    .trimEnd();
  return text === "" ? "" : `\nstderr:\n${text.split("\n").slice(-12).join("\n")}`;
}
