import { access, constants, stat } from "node:fs/promises";
import { contentLength } from "@editwire/framing";
import { kaiakError } from "@editwire/kaiak-schema";
import { checkText, safeStderr } from "@editwire/session";
import {
  checkCommand,
  connectSocket,
  listenSocket,
  type SocketListener,
  type SocketListenOptions,
  type SocketOptions,
  spawnTransport,
  type SpawnOptions,
  stdioTransport,
} from "@editwire/transport/node";
import { checkClientOptions, connectKaiak } from "./client/client.js";
import type { KaiakClient, KaiakClientOptions } from "./client/api.js";
import { ServerState } from "./server/methods.js";
import { checkServer, serveShared } from "./server/server.js";
import type { KaiakServer, KaiakServerConnection, KaiakServerOptions } from "./server/api.js";

/** How what is read may be framed. */
export interface KaiakReadOptions {
  /**
   * How to treat text that is not a header where a header is expected, such as a log line on a server's stdout.
   * `strict` (default): it ends the connection. `resync`: it is reported to `onDiagnostic`, and reading continues at
   * the next header.
   */
  noise?: "strict" | "resync" | undefined;
}

/** How a server command is started and used. */
export interface KaiakSpawnOptions extends KaiakClientOptions, KaiakReadOptions, SpawnOptions {}

/**
 * Starts a server command, given as `[command, ...args]`. No shell is used, except on Windows for `.cmd` files, with
 * every argument escaped. `close` ends a server that keeps running after the end of its stdin. Without `onError`,
 * errors go to stderr.
 */
export async function spawnKaiak(argv: readonly string[], options: KaiakSpawnOptions = {}): Promise<KaiakClient> {
  checkCommand("spawnKaiak", argv);
  checkClientOptions("spawnKaiak", options);
  const transport = spawnTransport(argv, contentLength({ noise: options.noise }), safeStderr(options));
  return connectKaiak(transport, options);
}

/** How a socket is dialed and used. */
export interface KaiakDialOptions extends KaiakClientOptions, KaiakReadOptions, SocketOptions {}

/**
 * Connects to a server's Unix socket, or to its named pipe on Windows. Throws `WireError("not_connected")` with the
 * path.
 */
export async function dialKaiak(path: string, options: KaiakDialOptions = {}): Promise<KaiakClient> {
  checkText("dialKaiak", "path", path);
  checkClientOptions("dialKaiak", options);
  return connectKaiak(await connectSocket({ path }, contentLength({ noise: options.noise }), options), options);
}

/**
 * Serves one client on the stdin and stdout of this process. At the end of stdin the connection closes, and what the
 * client has not read within a second is dropped: a process with nothing else to do exits then. The `working_dir` of a
 * configuration must exist. Without `onError`, errors that the client does not receive go to stderr. Throws a
 * `TypeError` for a server without `prompt`.
 */
export function serveKaiakStdio(server: KaiakServer, options: KaiakServerOptions = {}): KaiakServerConnection {
  checkServer("serveKaiakStdio", server, options);
  const state = new ServerState(options);
  return serveShared("serveKaiakStdio", stdioTransport(contentLength()), server, served(options), state);
}

/** How a server listens. */
export interface KaiakListenOptions extends KaiakServerOptions, SocketListenOptions {
  /** The path of a Unix socket, or of a named pipe on Windows. */
  path: string;
}

/**
 * Serves any number of clients on a Unix socket, with mode 0600, or on a named pipe on Windows. They share the sessions
 * and the configuration. The file that a dead process left is replaced, and `close` removes it. A workspace directory
 * must exist. Without `onError`, errors that clients do not get go to stderr. Throws `WireError("not_connected")` when
 * another process serves it.
 */
export async function listenKaiak(server: KaiakServer, options: KaiakListenOptions): Promise<SocketListener> {
  checkServer("listenKaiak", server, options);
  const { path } = options;
  checkText("listenKaiak", "path", path);
  const state = new ServerState(options);
  const shared = served(options);
  return listenSocket(
    { path },
    contentLength(),
    (transport) => void serveShared("listenKaiak", transport, server, shared, state),
    options,
  );
}

function served(options: KaiakServerOptions): KaiakServerOptions {
  return { checkWorkspace: unusableDirectory, ...options };
}

/** Throws -32002 for a directory that is there and cannot be read. */
async function unusableDirectory(directory: string): Promise<string | undefined> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true) return `Directory '${directory}' does not exist`;
  await access(directory, constants.R_OK | constants.X_OK).catch(() => {
    throw kaiakError("WorkspaceAccessDenied", {
      field: "workspace.working_dir",
      details: `Directory '${directory}' cannot be read`,
    });
  });
  return undefined;
}
