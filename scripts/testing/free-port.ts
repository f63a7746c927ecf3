import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The lowest port that systems give to those who ask for any (Linux; others begin higher). A port below it stays free
 * while nobody listens on it.
 */
const firstGivenPort = 32_768;
const firstPort = 10_240;

const taken = new Set<number>();

/** A free port of this machine for a server that a test ends and starts again. No other server gets it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (firstGivenPort - firstPort));
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  await once(server.close(), "close");
  return true;
}
