import type { ChildProcess } from "node:child_process";
import { wait, within } from "../core/talk/time.js";
import { LineControl } from "./control.js";
import { stderrOf } from "./launch.js";
import { type Ended, type Link, type OpenOptions, type Target, TargetError } from "./link.js";
import { endGroup, startGroup, type StdioCommand } from "./process-group.js";
import { exitOf } from "./stdio.js";
import { openWs } from "./ws.js";
import type { WsPaths } from "./ws-address.js";

/**
 * A program that listens for WebSockets and acts on its own: an adapter, steered by lines of JSON on its stdin and
 * stdout.
 */
export interface ServedOptions extends StdioCommand {
  /** A suffix for the URL that it reports. */
  readonly paths?: WsPaths | undefined;
  /** Milliseconds until the program listens. Default 30 000. */
  readonly startMs?: number | undefined;
}

/** The answer to `init` of an adapter of a listening program. */
export interface ServedAt {
  readonly url: string;
  /** The required `Authorization: Bearer …`. */
  readonly token?: string | undefined;
}

/** How long an exit may take to be known behind the end of what it ends. */
const EXIT_MS = 500;

/** A target that listens for WebSockets. Every `open` is a program of its own, which is ended as a process group. */
export function servedTarget({ argv, cwd, env = {}, paths, startMs = 30_000 }: ServedOptions): Target {
  const description = argv.join(" ");
  return {
    transport: "ws",
    description,
    async open(options) {
      const { trace, graceMs } = options;
      const child = await startGroup({ argv, cwd, env: { ...env, ...options.env } }, options);
      const gone = exitOf(child, trace);
      const control = controlOf(child, (text) => void trace.add({ kind: "stderr", from: "target", text }));
      const close = async (): Promise<void> => {
        control.shutdown();
        await endGroup(child, graceMs);
        await within(gone, graceMs);
      };
      try {
        const { url, token } = await listening(control, gone, startMs);
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const dial = (open: OpenOptions): Promise<Link> => openWs({ url, headers, paths, control }, open);
        return { ...withProgram(await dial(options), gone, close), beside: dial };
      } catch (error) {
        await close();
        if (error instanceof TargetError) throw error;
        throw new TargetError(
          `\`${description}\`: ${error instanceof Error ? error.message : String(error)}${stderrOf(trace)}`,
        );
      }
    },
  };
}

function controlOf({ stdin, stdout }: ChildProcess, noise: (text: string) => void): LineControl {
  if (stdin === null || stdout === null) throw new TargetError("the target has no stdin or stdout");
  return new LineControl(stdout, stdin, (line) => noise(`${line}\n`));
}

async function listening(control: LineControl, gone: Promise<Ended>, startMs: number): Promise<ServedAt> {
  const exited = gone.then(({ reason }): never => {
    throw new Error(reason);
  });
  // A program reports its result by its exit, not by the end of its output.
  const ready = control.init({}).catch(async (error: unknown) => {
    await Promise.race([exited, wait(EXIT_MS)]);
    throw error;
  });
  const answer = await within(Promise.race([ready, exited]), startMs);
  const { url, token } = (answer ?? {}) as Partial<ServedAt>;
  const received = answer === undefined ? `nothing in ${startMs} ms` : JSON.stringify(answer);
  if (typeof url !== "string") throw new Error(`expected init to be answered with {"url": …}, received ${received}`);
  return { url, token };
}

/** The link to the program, which is over when either is. */
function withProgram(link: Link, gone: Promise<Ended>, close: () => Promise<void>): Link {
  const lost = link.ended.then((end) => Promise.race([gone, wait(EXIT_MS).then(() => end)]));
  return {
    ...link,
    ended: Promise.race([gone, lost]),
    async close() {
      await link.close();
      await close();
    },
  };
}
