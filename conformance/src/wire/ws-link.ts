import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import { faultyMessages } from "./faults.js";
import type { Link, OpenOptions } from "./link.js";
import { WsConnection, type WsReconnect } from "./ws-connection.js";

/** The suite reads a message of any length, in any number of frames. */
export const anyLength = { maxPayload: 0, maxFragments: 0, maxBufferedChunks: 0 };

/** Operations for cases about WebSockets besides sending messages: the `extras` of a WebSocket link. */
export interface WsExtras {
  /** The id under which the connection was dialed, where the protocol has one. */
  readonly id?: string | undefined;
  /** The connection was dialed with a token, or with what else the target requires. */
  readonly authorized?: boolean | undefined;
  /** Sends one message in several frames. */
  fragments(parts: readonly string[]): void;
  /** Sends a binary message. */
  binary(bytes: Uint8Array): void;
  /** Sends a ping frame. Default: without data; at most 125 bytes. The data of a pong are those of its event. */
  ping(data?: string): void;
  /** Leaves the target's pings unanswered from now on. */
  ignorePings(): void;
  /** Starts the closing handshake with a code of its own. */
  closeWith(code: number, reason?: string): void;
  /** Drops the connection without a closing handshake. */
  terminate(): void;
  /** Drops the connection without a closing handshake, or keeps it open, and continues over the next connection. */
  reconnect?(old?: "drop" | "keep"): Promise<void>;
  /** Refuses the next `count` dials of the target. Each one is a `refused` event in the trace. */
  refuse?(count: number): void;
  /**
   * Dials once more with other headers, and hangs up. Gives the status of the answer; 101 means that the target
   * accepted.
   */
  attempt?(headers: Readonly<Record<string, string>>): Promise<number>;
  /** The headers of the answer to the upgrade, if the suite dialed. */
  answered?(): IncomingHttpHeaders;
  /** Dials once more, also with another query, and keeps both connections. Rejects with `TargetError` when refused. */
  another?(query?: Readonly<Record<string, string>>): Promise<WsOther>;
  /**
   * Dials once more with another query. Gives the close of the target, or `undefined` when it left the connection open
   * for `ms` milliseconds. The code is the HTTP status when it refused the upgrade, and 1006 when it said nothing.
   */
  knock?(query: Readonly<Record<string, string>>, ms: number): Promise<WsClose | undefined>;
}

/** A further connection to a target, which is not in the trace. */
export interface WsOther {
  /** The headers of the answer to its upgrade. */
  readonly headers: IncomingHttpHeaders;
  /** The texts that the target sent on it. */
  readonly heard: readonly string[];
  /** Sends a request, and gives its answer. Never resolves when the target does not answer. */
  ask(request: { readonly id: string; readonly method: string; readonly params: unknown }): Promise<unknown>;
  close(): void;
}

/** How a WebSocket was closed. */
export interface WsClose {
  readonly code: number;
  readonly reason: string;
}

/** The operations that only one side of the handshake has. */
type OfSide = Pick<WsExtras, "id" | "authorized" | "attempt" | "knock" | "refuse" | "answered" | "another">;

/** A link over a WebSocket, for either side of the handshake. A message is one text message of JSON. */
export function wsLink(
  first: WebSocket,
  { trace, graceMs, faults }: OpenOptions,
  more: Partial<WsReconnect> & OfSide = {},
): Link {
  const connection = new WsConnection(first, trace);
  const send = senderOf(connection, faults);
  return {
    trace,
    transport: "ws",
    send(message) {
      trace.add({ kind: "message", from: "suite", message });
      send(JSON.stringify(message));
    },
    sendBytes: (bytes) => send(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
    halfClose: () => connection.socket.close(1000),
    close: () => connection.close(graceMs),
    ended: connection.ended,
    extras: extrasOf(connection, more),
  };
}

/** Sends a text as one frame. Where faults cut it, it goes out in fragments. */
function senderOf(connection: WsConnection, faults: OpenOptions["faults"]): (text: string) => void {
  if (faults.length === 0) return (text) => connection.write(text, { binary: false });
  const disturbed = faultyMessages(
    {
      begin: () => ({
        piece: (bytes, last) => connection.write(bytes, { fin: last, binary: false }),
        abandon: () => connection.socket.terminate(),
      }),
    },
    faults,
  );
  let tail = Promise.resolve();
  return (text) => void (tail = tail.then(() => disturbed(Buffer.from(text))));
}

function extrasOf(connection: WsConnection, { next, ...rest }: Partial<WsReconnect> & OfSide): WsExtras {
  return {
    ...rest,
    fragments: (parts) =>
      parts.forEach((part, index) => connection.socket.send(part, { fin: index === parts.length - 1, binary: false })),
    binary: (bytes) => connection.write(bytes, { binary: true }),
    ping: (data = "") => connection.socket.ping(data),
    ignorePings: () => connection.ignorePings(),
    closeWith: (code, reason) => connection.socket.close(code, reason),
    terminate: () => connection.socket.terminate(),
    ...(next !== undefined && { reconnect: (old = "drop") => connection.reconnect(old, next) }),
  };
}
