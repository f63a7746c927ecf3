import type { WebSocket } from "ws";

/** Milliseconds between pings, and how long an answer may take. */
export interface PingTimes {
  readonly pingMs: number;
  readonly pongMs: number;
}

/** Calls back after `ms` milliseconds, never for `Infinity`. Returns a function that stops it. */
export function timer(ms: number, ring: () => void): () => void {
  if (!Number.isFinite(ms)) return () => {};
  const handle = setTimeout(ring, ms);
  return () => clearTimeout(handle);
}

/** Pings a connection, and drops it when no answer comes in time. Returns what stops it. */
export function keepAlive(socket: WebSocket, { pingMs, pongMs }: PingTimes): () => void {
  let stop = (): void => {};
  const wait = (): void => {
    stop = timer(pingMs, () => {
      stop = timer(pongMs, () => socket.terminate());
      socket.ping();
    });
  };
  socket.on("pong", () => {
    stop();
    wait();
  });
  wait();
  return () => stop();
}
