/// <reference lib="esnext.disposable" preserve="true" />
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { checkGuard, createGuard, type GuardOptions, type HeaderSource, type Refusal } from "../../listening/guard.js";
import { identify, type Identity } from "../../listening/identify.js";
import { defaultMaxQueuedTotal, QueueTotal } from "../../listening/queue-total.js";
import { ListenerReports } from "../../listening/reports.js";
import type { Transport } from "../../transport.js";
import { selectSubprotocol, tokenOf } from "../../web-socket/token.js";
import { refuseSocket } from "../http-sockets.js";
import { type HttpListener, type ListenOptions, listenServed, type Served } from "../http.js";
import { WebSocketSlots } from "./slots.js";
import { defaultMaxMessageBytes, type NodeWebSocketOptions, transportOf } from "./transport.js";

/** How a server admits WebSockets. */
export interface WebSocketServerOptions extends NodeWebSocketOptions, GuardOptions {
  /** The path that is served; `upgrade` returns false for another one. Default: every path. */
  path?: string | undefined;
  /** Connections at a time, with those whose caller is being identified; one more is answered 503. Default 1,024. */
  maxConnections?: number | undefined;
  /**
   * Bytes that wait for all connections together. Default 64 MiB. Past them, the slowest connections are closed, and
   * `onDiagnostic` gets `listener.overloaded`.
   */
  maxQueuedTotal?: number | undefined;
  /**
   * Says whether the first message of a connection makes it one that keeps its slot. At `maxConnections`, the oldest
   * connection without such a message makes room for the next caller. Default: every connection keeps its slot.
   */
  opens?: ((message: unknown) => boolean) | undefined;
  /** Refuses a caller that passed the other checks, with the status that it returns, such as `400 Bad Request`. */
  refuse?: ((request: IncomingMessage) => string | undefined) | undefined;
  /**
   * Refuses a caller after the upgrade, with the close code and the reason that it returns, for protocols that refuse
   * this way. Such a connection does not reach `onConnection`.
   */
  refuseOpen?: ((request: IncomingMessage) => { code: number; reason: string } | undefined) | undefined;
  /** Headers of the answer to an upgrade. Default: none but those of WebSockets. */
  answerHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

/** Takes WebSocket upgrades of an existing HTTP server. */
export interface WebSocketUpgrader {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and leaves its socket
   * alone: another listener, or the caller, must answer it.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends every connection, and refuses those that come later. */
  close(): Promise<void>;
}

/**
 * Makes the upgrade handler of a server. The guard refuses callers before the upgrade: 401 or 403, and nothing else is
 * read. `onConnection` gets what `authenticate` returned for the caller; `undefined` without that option.
 */
export function webSocketUpgrader(
  onConnection: (transport: Transport, request: IncomingMessage, caller: string | undefined) => void,
  options: WebSocketServerOptions = {},
): WebSocketUpgrader {
  const { maxConnections = 1024, path } = options;
  checkGuard(options);
  const guard = createGuard(options);
  /** Undefined until `ws` is loaded. */
  let server: WebSocketServer | undefined;
  const loading = loadServer(options).then((loaded) => (server = loaded));
  /** Connections whose caller is being identified, and those that came before `ws` was loaded. */
  const waiting = new Set<Duplex>();
  const slots = new WebSocketSlots(maxConnections, options.opens);
  const reports = new ListenerReports(options.onDiagnostic);
  const total = new QueueTotal(options.maxQueuedTotal ?? defaultMaxQueuedTotal, reports);
  const { refuse, refuseAsFull } = refusing(reports, maxConnections);

  const accept = (by: WebSocketServer, [request, socket, head]: Upgrade, caller: string | undefined): void => {
    const refusal = options.refuse?.(request);
    if (refusal !== undefined) return refuseSocket(socket, refusal);
    if (!slots.makeRoom()) return refuseAsFull(socket);
    by.handleUpgrade(request, socket, head, (webSocket) => {
      slots.count(webSocket);
      const end = options.refuseOpen?.(request);
      if (end !== undefined) return refuseOpenSocket(webSocket, end);
      slots.add(webSocket);
      const transport = transportOf(webSocket, socket, options);
      webSocket.once("close", total.watch(transport));
      onConnection(transport, request, caller);
    });
  };

  const acceptLater = async (...upgrade: Upgrade): Promise<void> => {
    const [request, socket] = upgrade;
    const lost = (): void => void socket.destroy();
    socket.on("error", lost); // until the upgrade, nothing else listens for it
    waiting.add(socket);
    const [{ caller, refusal }, by] = await Promise.all([identifyUpgrade(options, request), loading]);
    waiting.delete(socket);
    if (socket.destroyed) return;
    socket.off("error", lost);
    if (refusal === undefined) accept(by, upgrade, caller);
    else refuse(request, socket, refusal);
  };

  return {
    upgrade(request, socket, head) {
      if (path !== undefined && request.url?.split("?", 1)[0] !== path) return false;
      const refusal = guard(headersOf(request));
      if (refusal !== undefined) refuse(request, socket, refusal);
      else if (!slots.hasRoom(waiting.size)) refuseAsFull(socket);
      else if (options.authenticate !== undefined || server === undefined) void acceptLater(request, socket, head);
      else accept(server, [request, socket, head], undefined);
      return true;
    },
    async close() {
      for (const socket of waiting) socket.destroy();
      const loaded = await loading;
      slots.terminate();
      await new Promise((resolve) => loaded.close(resolve));
    },
  };
}

/** Loads `ws`, which takes longer than the rest of this entry point. */
async function loadServer(options: WebSocketServerOptions): Promise<WebSocketServer> {
  const { maxMessageBytes: maxPayload = defaultMaxMessageBytes, answerHeaders = () => ({}) } = options;
  const { WebSocketServer: Server } = await import("ws");
  const handleProtocols = selectSubprotocol;
  const server = new Server({ noServer: true, maxPayload, perMessageDeflate: false, handleProtocols });
  return server.on("headers", (lines) => {
    for (const [name, value] of Object.entries(answerHeaders())) lines.push(`${name}: ${value}`);
  });
}

/** The arguments of `upgrade`. */
type Upgrade = [request: IncomingMessage, socket: Duplex, head: Buffer];

function identifyUpgrade(options: WebSocketServerOptions, request: IncomingMessage): Promise<Identity> {
  return identify(options, { headers: headersOf(request), path: request.url ?? "/" });
}

/** Refuses callers before the upgrade, and reports them. */
function refusing(reports: ListenerReports, maxConnections: number) {
  return {
    refuse(request: IncomingMessage, socket: Duplex, refusal: Refusal): void {
      reports.refused(refusal, `upgrade ${request.url?.split("?", 1)[0]}`); // the query may hold secrets
      refuseSocket(socket, statusLine(refusal.status));
    },
    refuseAsFull(socket: Duplex): void {
      const why = `all ${maxConnections} others keep their slots (maxConnections)`;
      reports.add("listener.full", `a connection was refused: ${why}`);
      refuseSocket(socket, statusLine(503));
    },
  };
}

/** Closes a socket that was just opened. Messages that arrive meanwhile are not read. */
function refuseOpenSocket(socket: WebSocket, { code, reason }: { code: number; reason: string }): void {
  socket.on("error", () => {}); // the caller may be gone already
  socket.close(code, reason);
}

const statusTexts = { 401: "Unauthorized", 403: "Forbidden", 500: "Internal Server Error", 503: "Service Unavailable" };

const statusLine = (status: Refusal["status"]): string => `${status} ${statusTexts[status]}`;

/** The headers of an upgrade. The token that a page sent as a subprotocol takes the place of `authorization`. */
function headersOf({ headers }: IncomingMessage): HeaderSource {
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  };
  const token = tokenOf(get("sec-websocket-protocol"));
  if (token === undefined) return { get };
  return { get: (name) => (name.toLowerCase() === "authorization" ? `Bearer ${token}` : get(name)) };
}

/** `AsyncDisposable`, whose promise is a real one. */
interface Disposed {
  [Symbol.asyncDispose](): Promise<void>;
}

/** A side that outlives its connections, with the upgrades that bring it new ones. Its `close` closes both. */
export function upgradesOf<S extends { close(): Promise<void> }>(
  side: S,
  upgrader: WebSocketUpgrader,
): S & Pick<WebSocketUpgrader, "upgrade"> & Disposed {
  const close = async (): Promise<void> => {
    await side.close();
    await upgrader.close();
  };
  return { ...side, upgrade: upgrader.upgrade, close, [Symbol.asyncDispose]: close };
}

/**
 * As `listenServed`, for what takes WebSockets only; `url` is then such as `ws://127.0.0.1:41234`. The listener has the
 * members of what is served, except for `upgrade`.
 */
export async function listenWebSockets<S extends Required<Pick<Served, "upgrade" | "close">>>(
  served: S,
  options: Omit<ListenOptions, "upgrade"> = {},
): Promise<Omit<S, "upgrade"> & HttpListener & Disposed> {
  const { upgrade, ...side } = served;
  const listener = await listenServed({ upgrade, close: side.close }, options);
  const url = listener.url.replace(/^http/, "ws");
  return { ...side, ...listener, url, [Symbol.asyncDispose]: listener.close };
}
