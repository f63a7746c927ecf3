import type { Duplex } from "node:stream";

/** Answers an upgrade that is refused, with a status such as `404 Not Found`, and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy()); // the caller may be gone already
  socket.once("finish", () => socket.destroy()); // a caller that keeps its end open must not keep this one
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
