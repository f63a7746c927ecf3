import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How a shim was started: the first thing that it says. */
export interface ShimHello {
  readonly token: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly pid: number;
}

/** An executable that relays its stdin and stdout to this process. */
export interface Shim {
  readonly executable: string;
  /** The first one that was started; its socket is paused. */
  readonly connected: Promise<{ socket: Socket; hello: ShimHello }>;
  /** Takes the executable away. */
  close(): Promise<void>;
}

/**
 * Makes a shim of its own for one launch. A connection must send its token. A second start is refused, and
 * `onRefused` is called.
 */
export async function makeShim(onRefused: (hello: ShimHello) => void): Promise<Shim> {
  // Only this user may look into it.
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const token = randomBytes(16).toString("hex");
  const path = process.platform === "win32" ? `\\\\.\\pipe\\conformance-${token}` : join(folder, "socket");
  const executable = join(folder, "agent");
  let taken = false;
  let take = (_shim: { socket: Socket; hello: ShimHello }): void => {};
  const connected = new Promise<{ socket: Socket; hello: ShimHello }>((resolve) => (take = resolve));
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    readHello(socket, (hello) => {
      if (hello?.token !== token) return socket.destroy();
      if (taken) {
        onRefused(hello);
        return socket.destroy();
      }
      taken = true;
      take({ socket, hello });
    });
  });
  await listening(server, path);
  await writeFile(executable, shimSource(process.execPath, path, token));
  await chmod(executable, 0o700);
  return {
    executable,
    connected,
    async close() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reads the line that comes first and leaves what follows in the socket. */
function readHello(socket: Socket, done: (hello: ShimHello | undefined) => unknown): void {
  let held = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf("\n");
    if (end < 0) return;
    socket.off("data", onData);
    socket.pause();
    const rest = held.subarray(end + 1);
    if (rest.length > 0) socket.unshift(rest);
    done(parse(held.subarray(0, end).toString("utf8")));
  };
  socket.on("data", onData);
}

function parse(line: string): ShimHello | undefined {
  try {
    return JSON.parse(line) as ShimHello;
  } catch {
    return undefined;
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}

/**
 * The program: it copies its input to the socket and the socket to its output. Like an agent, it ends with its input or
 * output.
 */
function shimSource(node: string, path: string, token: string): string {
  return `#!${node}
const socket = require("node:net").connect({ path: ${JSON.stringify(path)}, allowHalfOpen: true });
const token = ${JSON.stringify(token)};
const start = { token, argv: process.argv.slice(2), cwd: process.cwd(), pid: process.pid };
socket.write(JSON.stringify(start) + "\\n");
process.stdin.pipe(socket);
socket.pipe(process.stdout);
process.stdout.on("error", () => process.exit(0));
socket.on("end", () => process.stdout.write("", () => process.exit(0)));
socket.on("close", () => process.exit(0));
socket.on("error", () => process.exit(1));
`;
}
