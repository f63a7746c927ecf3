import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { within } from "../core/time.js";
import { LineControl } from "./control.js";
import { type Link, type Target, TargetError } from "./link.js";
import { endGroup, startGroup } from "./process-group.js";
import { shimSource } from "./shim.js";
import { socketLink } from "./socket.js";

/** A program that is a client: it starts its own agent, and the suite is that agent. */
export interface LaunchOptions {
  /** The program; `{agent}` in an argument stands for the command of the agent that it should start. */
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `lines`: it is steered by lines of JSON on its stdin and stdout (`LineControl`). `none` (default): nobody steers it. */
  readonly control?: "lines" | "none" | undefined;
  /** Milliseconds until it has started its agent. Default 30 000. */
  readonly startMs?: number | undefined;
}

/**
 * A target that is a client on stdio. The agent that it starts is a shim: an executable which relays its stdin and stdout to the
 * suite. Every `open` is a program of its own, ended as a process group.
 */
export function launchTarget(options: LaunchOptions): Target {
  const { argv, cwd, env = {}, control: kind = "none", startMs = 30_000 } = options;
  return {
    transport: "stdio",
    description: argv.join(" "),
    async open(open) {
      const shim = await makeShim();
      const command = argv.map((part) => part.replaceAll("{agent}", shim.executable));
      const child = await startGroup({ argv: command, cwd, env: { ...env, ...open.env, CONFORMANCE_AGENT: shim.executable } }, open.trace);
      const control = kind === "lines" && child.stdout && child.stdin ? new LineControl(child.stdout, child.stdin) : undefined;
      const close = async (): Promise<void> => {
        control?.shutdown();
        await endGroup(child, open.graceMs);
        await shim.close();
      };
      try {
        const socket = await within(shim.connected, startMs);
        if (socket === undefined) throw new TargetError(`\`${argv.join(" ")}\` did not start its agent in ${startMs} ms`);
        const link: Link = socketLink(socket, "stdio", open);
        const both = async (): Promise<void> => {
          await link.close();
          await close();
        };
        return { ...link, close: both, ...(control && { control }) };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

interface Shim {
  readonly executable: string;
  readonly connected: Promise<Socket>;
  close(): Promise<void>;
}

/** An executable that connects its stdio with a socket of ours. */
async function makeShim(): Promise<Shim> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const path = process.platform === "win32" ? `\\\\.\\pipe\\${folder.split("\\").at(-1)}` : join(folder, "socket");
  const executable = join(folder, "agent");
  let take = (_socket: Socket): void => {};
  const connected = new Promise<Socket>((resolve) => (take = resolve));
  const server = createServer({ allowHalfOpen: true }, (socket) => take(socket));
  await listening(server, path);
  await writeFile(executable, shimSource(process.execPath, path));
  await chmod(executable, 0o755);
  return {
    executable,
    connected,
    async close() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
