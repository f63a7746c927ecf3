import { once } from "node:events";
import { chmodSync, closeSync, existsSync, lstatSync, mkdtempSync, openSync, renameSync, rmSync } from "node:fs";
import { createConnection, type Server } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Milliseconds after which a lock is the one of a process that was killed: it is held for some milliseconds. */
const abandonedMs = 5_000;
const retryMs = 20;
/** Like what `listenAtPath` binds at first, in the folder of the socket. */
const firstName = ".123456/s";

/** The longest path that is bound on the way to a socket's own. */
export function boundPathOf(path: string): string {
  return join(dirname(path), firstName);
}

/**
 * Listens at the path of a Unix socket, with access for this user alone. The file that a dead process left is replaced.
 * Returns a function that removes the file, unless another one is there by now. Throws when something else is there,
 * or when the path cannot be bound.
 *
 * The socket is bound in a private folder and then moved: what Node removes at the close is the name that was bound,
 * whatever is there by then. Of several processes that find a dead socket, one at a time looks and takes its place.
 */
export async function listenAtPath(server: Server, path: string): Promise<() => void> {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`);
  const unlock = await lock(`${path}.lock`);
  try {
    await checkFree(path);
    return await bind(server, path);
  } finally {
    unlock();
  }
}

async function bind(server: Server, path: string): Promise<() => void> {
  const folder = mkdtempSync(`${dirname(path)}/.`);
  const first = join(folder, "s");
  try {
    await once(server.listen(first), "listening");
    chmodSync(first, 0o600);
    const own = lstatSync(first);
    renameSync(first, path);
    return () => {
      const now = lstatSync(path, { throwIfNoEntry: false });
      if (now?.ino === own.ino && now.dev === own.dev) rmSync(path, { force: true });
    };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws for anything but the socket of a dead process. */
async function checkFree(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error("a file that is not a socket is there");
  const probe = createConnection({ path });
  const answer = await once(probe, "connect").then(
    () => "connected",
    ({ code }: { code?: string }) => code,
  );
  probe.destroy();
  if (answer === "connected" || answer === "EAGAIN") throw new Error("another process serves it");
  if (answer !== "ECONNREFUSED" && answer !== "ENOENT") throw new Error(`the socket that is there answers ${answer}`);
}

/** Waits for a lock file, and takes it. Returns a function that gives it back. */
async function lock(path: string): Promise<() => void> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const heldMs = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (Math.max(heldMs, waitedMs) > abandonedMs) rmSync(path, { force: true });
    else await setTimeout(retryMs);
  }
}
