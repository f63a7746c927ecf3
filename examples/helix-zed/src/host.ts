import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { helixZedHandler } from "@editwire/helix-zed/node";
import { sqliteStore } from "@editwire/helix-zed/sqlite";
import { helixZedProfiles } from "@editwire/helix-zed";
import Database from "libsql";
import { serveProduct } from "./product.js";

/** Where the host listens and keeps its conversations. */
export interface HostOptions {
  readonly port: number;
  readonly store: string;
  readonly token?: string | undefined;
  readonly profile: keyof typeof helixZedProfiles;
  /** Whether stderr also has which agents connect. */
  readonly verbose: boolean;
}

/** Runs the product until the process is ended. */
export async function runHost({ port, store, token, profile, verbose }: HostOptions): Promise<void> {
  const host = helixZedHandler({
    store: sqliteStore(new Database(store)),
    token,
    profile: helixZedProfiles[profile],
    onError: (error) => console.error(error),
    onEvent(event) {
      if (verbose && event.type === "connected") console.error(`the agent of ${event.agentId} is connected`);
    },
  });
  const server = createServer((request, response) => {
    serveProduct(host, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => {
    if (!host.upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.once("SIGTERM", () => {
    server.close();
    void host.close().then(() => server.closeAllConnections());
  });
}
