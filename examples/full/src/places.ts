import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, realpath } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Places } from "./messages.js";

/** A new folder, and ports of this machine that are free now. */
export async function choosePlaces(): Promise<Places> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "editwire-full-")));
  const [hostPort = 0, acpPort = 0, idePort = 0] = await freePorts(3);
  return { folder, project: join(folder, "guesthouse"), hostPort, acpPort, idePort, token: randomUUID() };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
