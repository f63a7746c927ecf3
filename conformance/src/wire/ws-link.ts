import { type RawData, WebSocket } from "ws";
import { faultyMessages } from "./faults.js";
import type { Ended, Link, OpenOptions } from "./link.js";

/** What cases for WebSockets can do beside sending messages: the `extras` of a WebSocket link. */
export interface WsExtras {
  /** The id under which the connection was dialed, where the protocol has one. */
  readonly id?: string | undefined;
  /** The connection was dialed with a token, or whatever the target wants to see. */
  readonly authorized?: boolean | undefined;
  /** Sends one message in several frames. */
  fragments(parts: readonly string[]): void;
  /** Sends a binary message. */
  binary(bytes: Uint8Array): void;
  ping(): void;
  /** Leaves the target's pings unanswered from now on. */
  ignorePings(): void;
  /** Starts the closing handshake with a code of its own. */
  closeWith(code: number, reason?: string): void;
  /** Drops the connection without a closing handshake. */
  terminate(): void;
  /** Drops the connection without a closing handshake, or keeps it open, and goes on over the next one, which the link then is. */
  reconnect?(old?: "drop" | "keep"): Promise<void>;
  /** Refuses the next `count` dials of the target. Each one is a `refused` event in the trace. */
  refuse?(count: number): void;
  /** Dials once more with other headers, and hangs up: the status of the answer, 101 when it was let in. */
  attempt?(headers: Readonly<Record<string, string>>): Promise<number>;
}

/** How a link goes on when a case drops its connection. */
export interface WsReconnect {
  /** Makes or awaits the next connection; `adopt` has to be called before anything can be lost. */
  next(adopt: (socket: WebSocket) => void): Promise<void>;
}

/** A link over a WebSocket, for either side of the handshake. A message is one text message of JSON. */
export function wsLink(
  first: WebSocket,
  { trace, graceMs, faults }: OpenOptions,
  more: Partial<WsReconnect> & Pick<WsExtras, "id" | "authorized" | "attempt" | "refuse"> = {},
): Link {
  let socket = first;
  let answersPings = true;
  let resolveEnded = (_ended: Ended): void => {};
  const ended = new Promise<Ended>((resolve) => (resolveEnded = resolve));
  const forsaken = new Set<WebSocket>();

  const listen = (one: WebSocket): void => {
    one.once("close", (code, reason) => {
      trace.add({ kind: "event", from: "target", name: "close", data: { code, reason: reason.toString("utf8") } });
      if (!forsaken.has(one)) resolveEnded({ reason: `the connection was closed with code ${code}`, code });
    });
    // A broken connection is reported by its close event.
    one.on("error", () => {});
    one.on("ping", (data) => {
      trace.add({ kind: "event", from: "target", name: "ping" });
      if (answersPings) one.pong(data);
    });
    one.on("pong", () => void trace.add({ kind: "event", from: "target", name: "pong" }));
    one.on("message", (data: RawData, isBinary: boolean) => {
      const bytes = bytesOf(data);
      trace.add({ kind: "bytes", from: "target", bytes });
      const text = bytes.toString("utf8");
      // What is said on a connection that has a successor is not said to this link.
      if (one !== socket && socket.readyState === WebSocket.OPEN)
        return void trace.add({ kind: "event", from: "target", name: "message-on-the-old-connection", data: text });
      if (isBinary)
        return void trace.add({
          kind: "malformed",
          from: "target",
          problem: "a binary message",
          excerpt: text.slice(0, 400),
        });
      try {
        trace.add({
          kind: "message",
          from: "target",
          message: JSON.parse(text) as unknown,
          frame: { framing: "ws", size: bytes.length },
        });
      } catch {
        trace.add({
          kind: "malformed",
          from: "target",
          problem: "not a JSON message (WebSocket text)",
          excerpt: text.slice(0, 400),
        });
      }
    });
  };
  listen(first);

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
  const { next, ...rest } = more;
  const reconnect = async (old: "drop" | "keep" = "drop"): Promise<void> => {
    const before = socket;
    forsaken.add(before);
    if (old === "drop") {
      trace.add({ kind: "event", from: "suite", name: "dropped" });
      const closed = new Promise((resolve) => before.once("close", resolve));
      before.terminate();
      await closed;
    }
    await next?.((coming) => {
      // What is said on the one before until this one is open is said on that one.
      const take = (): void => {
        socket = coming;
        if (old === "keep") trace.add({ kind: "event", from: "suite", name: "reconnecting" });
      };
      if (coming.readyState === WebSocket.OPEN) take();
      else coming.once("open", take);
      listen(coming);
    });
  };
  const extras: WsExtras = {
    ...rest,
    fragments: (parts) =>
      parts.forEach((part, index) => socket.send(part, { fin: index === parts.length - 1, binary: false })),
    binary: (bytes) => write(bytes, true),
    ping: () => socket.ping(),
    ignorePings: () => void (answersPings = false),
    closeWith: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    ...(next !== undefined && { reconnect }),
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
      for (const one of forsaken) one.terminate();
      const killer = setTimeout(() => socket.terminate(), graceMs);
      if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      // A connection that was dropped, and after which none came, is over as well.
      if (forsaken.has(socket)) resolveEnded({ reason: "the connection was dropped, and no other came" });
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
