import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A place where a process reports by running `code`, which connects as `line`, and is seen to end by the end of its
 * connection.
 */
export async function lifeline(): Promise<{ code: string; started: Promise<unknown>; ended: Promise<unknown> }> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connected = once(server, "connection").then(([socket]) => socket as Socket);
  return {
    code: `const line = require("node:net").connect(${port}, "127.0.0.1");`,
    started: connected,
    ended: connected.then((socket) =>
      once(
        socket.on("error", () => {}),
        "close",
      ),
    ),
  };
}
