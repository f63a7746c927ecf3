import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from "node:net";
import type { Diagnostic } from "@editwire/core";
import { WireError } from "@editwire/core/errors";
import type { Codec } from "@editwire/framing";
import { type ByteStreamOptions, heldByteStreamTransport } from "../stream/transport.js";
import { ListenerReports } from "../listening/reports.js";
import { boundPathOf, listenAtPath } from "./socket-path.js";
import { nodeByteStream, nodeStreamTransport } from "./streams.js";
import { defaultMaxQueuedTotal, QueueTotal } from "../listening/queue-total.js";
import type { Transport } from "../transport.js";

/** Where a socket is: the path of a Unix socket (of a named pipe on Windows), or a TCP port. */
export type SocketAddress = { readonly path: string } | { readonly port: number; readonly host?: string | undefined };

/** The limits of a socket's transport. */
export interface SocketOptions extends ByteStreamOptions {
  /**
   * Milliseconds without a byte after which the system of a TCP peer is probed. Without an answer, the connection
   * closes some ten seconds later. Default 15,000; 0: never. A slow process still passes the probe, because its system
   * answers.
   */
  keepAliveMs?: number | undefined;
}

/** How a listener admits its connections. */
export interface SocketListenOptions extends SocketOptions {
  /**
   * Connections at a time. Default 1,024. One more takes the place of the oldest that has not sent a whole message;
   * where all have, it is dropped.
   */
  maxConnections?: number | undefined;
  /**
   * Bytes that wait for all connections together. Default 64 MiB. Past them, the slowest connections are closed, and
   * `onDiagnostic` gets `listener.overloaded`.
   */
  maxQueuedTotal?: number | undefined;
  /** Called when connections had to leave, once for each kind in a second, then with the number of the others. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** A listening socket. */
export interface SocketListener {
  /** Where it listens; the port is the one that was bound. */
  readonly address: SocketAddress;
  /** Stops listening, ends every connection and removes the Unix socket's file, if it is still this socket's. */
  close(): Promise<void>;
}

/** The bytes of the path of a Unix socket. Node 20 shortens a longer one without an error. */
const maxPathBytes = process.platform === "linux" ? 107 : 103;

/** Connects to a socket. Throws `WireError("not_connected")` with the address when no process listens there. */
export async function connectSocket(
  address: SocketAddress,
  codec: Codec,
  options: SocketOptions = {},
): Promise<Transport> {
  checkPath("connect to", address);
  const socket = createConnection({ ...onLoopback(address), ...probing(options), noDelay: true });
  try {
    await once(socket, "connect");
  } catch (cause) {
    throw new WireError("not_connected", `cannot connect to ${nameOf(address)}: ${(cause as Error).message}`, {
      cause,
    });
  }
  return nodeStreamTransport(socket, socket, codec, options);
}

/**
 * Listens on a socket and calls `onConnection` with a transport for each connection, which must start it immediately.
 * TCP listens on loopback unless `host` says otherwise. A Unix socket is made with mode 0600: a socket that a dead
 * process left is replaced, by one process if several start at the same time. An address that a living process serves,
 * a path with another file, and any other address that cannot be bound is `WireError("not_connected")`.
 */
export async function listenSocket(
  address: SocketAddress,
  codec: Codec,
  onConnection: (transport: Transport) => void,
  options: SocketListenOptions = {},
): Promise<SocketListener> {
  checkPath("listen on", address);
  const { maxConnections = 1024 } = options;
  const open = new Map<Socket, ReturnType<typeof heldByteStreamTransport>>();
  const reports = new ListenerReports(options.onDiagnostic);
  const total = new QueueTotal(options.maxQueuedTotal ?? defaultMaxQueuedTotal, reports);
  const server = createServer({ ...probing(options), noDelay: true, allowHalfOpen: true }, (socket) => {
    if (!makeRoom()) return void socket.destroy();
    const transport = heldByteStreamTransport(nodeByteStream(socket, socket), codec, options);
    open.set(socket, transport);
    const stopCounting = total.watch(transport);
    socket.once("close", () => {
      open.delete(socket);
      stopCounting();
    });
    onConnection(transport);
  });
  /** Ends the oldest connection that has sent no message, if there are too many. False when all have. */
  const makeRoom = (): boolean => {
    if (open.size < maxConnections) return true;
    const [silent] = [...open].find(([, { wasHeard }]) => !wasHeard) ?? [];
    if (silent === undefined)
      reports.add("listener.full", "a connection was dropped: all others send (maxConnections)");
    else reports.add("listener.full", "a connection that has sent no message made room for another (maxConnections)");
    silent?.destroy();
    return silent !== undefined;
  };
  const removeFile = await listen(server, address);
  process.once("exit", removeFile);
  return {
    address:
      "path" in address ? address : { host: address.host ?? "127.0.0.1", port: (server.address() as AddressInfo).port },
    async close() {
      process.off("exit", removeFile);
      removeFile(); // while this process still serves it: nobody takes the place of a living socket
      for (const socket of open.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Binds. Returns what removes the file of a Unix socket. */
async function listen(server: Server, address: SocketAddress): Promise<() => void> {
  try {
    if (isFile(address)) return await listenAtPath(server, address.path);
    await once(server.listen(onLoopback(address)), "listening");
    return () => {};
  } catch (cause) {
    throw new WireError("not_connected", `cannot listen on ${nameOf(address)}: ${(cause as Error).message}`, { cause });
  }
}

/** Whether an address is a Unix socket's. The pipes of Windows are no files. */
function isFile(address: SocketAddress): address is { readonly path: string } {
  return "path" in address && process.platform !== "win32";
}

function checkPath(action: "connect to" | "listen on", address: SocketAddress): void {
  if (!isFile(address)) return;
  const { path } = address;
  const paths = action === "connect to" ? [path] : [path, boundPathOf(path)];
  const excess = Math.max(...paths.map((each) => Buffer.byteLength(each))) - maxPathBytes;
  if (excess <= 0) return;
  const limit = `the path of a socket has at most ${Buffer.byteLength(path) - excess} bytes`;
  throw new WireError("not_connected", `cannot ${action} ${path}: ${limit}`);
}

function probing({ keepAliveMs = 15_000 }: SocketOptions): { keepAlive: boolean; keepAliveInitialDelay: number } {
  return { keepAlive: keepAliveMs > 0, keepAliveInitialDelay: keepAliveMs };
}

function onLoopback(address: SocketAddress): { path: string } | { port: number; host: string } {
  return "path" in address ? { path: address.path } : { port: address.port, host: address.host ?? "127.0.0.1" };
}

function nameOf(address: SocketAddress): string {
  return "path" in address ? address.path : `${address.host ?? "127.0.0.1"}:${address.port}`;
}
