import { type RawData, WebSocket } from "ws";
import { faultyMessages } from "./faults.js";
import { type Ended, type Link, type OpenOptions, type Target, TargetError } from "./link.js";

/** What cases for WebSockets can do beside sending messages: the `extras` of a WebSocket link. */
export interface WsExtras {
  /** Sends one message in several frames. */
  fragments(parts: readonly string[]): void;
  /** Sends a binary message. */
  binary(bytes: Uint8Array): void;
  ping(): void;
  /** Starts the closing handshake with a code of its own. */
  closeWith(code: number, reason?: string): void;
  /** Drops the connection without a closing handshake. */
  terminate(): void;
}

/** How a WebSocket target is reached. */
export interface WsTargetOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly protocols?: readonly string[] | undefined;
}

const CONNECT_MS = 10_000;

/** A target that listens for WebSockets. Every `open` is a connection of its own. */
export function wsTarget({ url, headers = {}, protocols = [] }: WsTargetOptions): Target {
  return {
    transport: "ws",
    description: url,
    async open(options) {
      const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS });
      // What a server says right behind its handshake is in the same turn: listen before anything else.
      const link = wsLink(socket, options);
      await new Promise<void>((resolve, reject) => {
        socket.once("open", resolve);
        socket.once("error", (error) => reject(new TargetError(`cannot connect to ${url}: ${error.message}`, { cause: error })));
      });
      options.trace.add({ kind: "event", from: "suite", name: "open", data: { url, protocol: socket.protocol } });
      return link;
    },
  };
}

/** A link over a WebSocket, for either side of the handshake. A message is one text message of JSON. */
export function wsLink(socket: WebSocket, { trace, graceMs, faults }: OpenOptions): Link {
  const ended = new Promise<Ended>((resolve) => {
    socket.once("close", (code, reason) => {
      trace.add({ kind: "event", from: "target", name: "close", data: { code, reason: reason.toString("utf8") } });
      resolve({ reason: `the connection was closed with code ${code}`, code });
    });
  });
  // A connection that breaks is told by its close.
  socket.on("error", () => {});
  for (const name of ["ping", "pong"] as const) socket.on(name, () => void trace.add({ kind: "event", from: "target", name }));
  socket.on("message", (data: RawData, isBinary: boolean) => {
    const bytes = bytesOf(data);
    trace.add({ kind: "bytes", from: "target", bytes });
    const text = bytes.toString("utf8");
    if (isBinary) return void trace.add({ kind: "malformed", from: "target", problem: "a binary message", excerpt: text.slice(0, 400) });
    try {
      trace.add({ kind: "message", from: "target", message: JSON.parse(text) as unknown, frame: { framing: "ws", size: bytes.length } });
    } catch {
      trace.add({ kind: "malformed", from: "target", problem: "not a JSON message (WebSocket text)", excerpt: text.slice(0, 400) });
    }
  });
  const write = (data: string | Uint8Array, binary = false): void => {
    trace.add({ kind: "bytes", from: "suite", bytes: Buffer.from(data) });
    if (socket.readyState === WebSocket.OPEN) socket.send(data, { binary });
  };
  // A message goes out in one frame, or, where faults cut it, in fragments.
  const disturbed = faultyMessages(
    {
      begin: () => ({
        piece(bytes, last) {
          trace.add({ kind: "bytes", from: "suite", bytes });
          if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { fin: last, binary: false });
        },
        abandon: () => socket.terminate(),
      }),
    },
    faults,
  );
  let tail = Promise.resolve();
  const send = (text: string): void => {
    if (faults.length === 0) write(text);
    else tail = tail.then(() => disturbed(Buffer.from(text)));
  };
  const extras: WsExtras = {
    fragments: (parts) => parts.forEach((part, index) => socket.send(part, { fin: index === parts.length - 1, binary: false })),
    binary: (bytes) => write(bytes, true),
    ping: () => socket.ping(),
    closeWith: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
  return {
    trace,
    transport: "ws",
    send(message) {
      trace.add({ kind: "message", from: "suite", message });
      send(JSON.stringify(message));
    },
    sendBytes: (bytes) => send(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
    halfClose: () => socket.close(1000),
    async close() {
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      const killer = setTimeout(() => socket.terminate(), graceMs);
      if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      await ended;
      clearTimeout(killer);
    },
    ended,
    extras,
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
