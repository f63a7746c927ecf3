import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { registryOf, type RegistryAgent } from "@editwire/acp-schema/registry";

/** This machine, in the words of the registry. */
export const platform = [
  process.platform === "win32" ? "windows" : process.platform,
  process.arch === "x64" ? "x86_64" : process.arch === "arm64" ? "aarch64" : process.arch,
].join("-");

/** The answer of a server at a path. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bytes of the body after which the connection breaks. */
  readonly breaksAfter?: number;
}

/** A server of files on this machine. `asked` has the paths that were asked for. */
export async function fileServer(answers: ReadonlyMap<string, Answer>) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { status = 200, headers = {}, body = "", breaksAfter } = answers.get(url) ?? { status: 404 };
    response.writeHead(status, headers);
    if (breaksAfter === undefined) response.end(body);
    else response.write(Buffer.from(body).subarray(0, breaksAfter), () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => void server.close(resolve).closeAllConnections()),
  };
}

/** A registry with one agent. */
export function registryWith(distribution: RegistryAgent["distribution"]) {
  return registryOf({ agents: [{ id: "echo", name: "Echo", version: "1.0.0", distribution }] });
}
