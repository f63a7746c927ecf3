import type { Duplex } from "node:stream";

/** Answers a request on a bare connection with a status such as `404 Not Found`, and closes the connection. */
export function refuseSocket(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy()); // the caller may be gone already
  socket.once("finish", () => socket.destroy()); // a caller that keeps its end open must not keep this one
  const later = status.startsWith("503") ? "Retry-After: 1\r\n" : "";
  socket.end(`HTTP/1.1 ${status}\r\n${later}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
