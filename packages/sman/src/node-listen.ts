import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** Where a side listens. */
export interface SmanAddress {
  /** Default 0: any free port. */
  port?: number | undefined;
  /** The address to listen on. Default `127.0.0.1`. */
  host?: string | undefined;
}

/** What takes the upgrades of a server. */
interface Upgrades {
  /** False for an upgrade of another path. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
}

/** An HTTP server of its own. Rejects with what `listen` of Node throws. */
export async function listenFor(
  { upgrade, close: closeUpgrades }: Upgrades,
  { port = 0, host: address = "127.0.0.1" }: SmanAddress,
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => void response.writeHead(404).end());
  server.on("upgrade", (request, socket: Duplex, head) => {
    if (!upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
  server.listen(port, address);
  await once(server, "listening");
  const { port: free } = server.address() as AddressInfo;
  const name = address.includes(":") ? `[${address}]` : address;
  return {
    port: free,
    url: `ws://${name}:${free}`,
    async close() {
      server.close();
      await closeUpgrades();
      server.closeAllConnections();
    },
  };
}

/** True for an upgrade of this path. */
export function isFor(path: string, { url = "/" }: IncomingMessage): boolean {
  return url.split("?", 1)[0] === path;
}
