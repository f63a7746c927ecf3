import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isWireError, WireError } from "@editwire/core";

/**
 * Unpacks an archive into a folder. `kind` ends as its name does. Throws `WireError("invalid_result")` for an entry or
 * a link that leads out of the folder and for what is no such archive, and `"too_large"` for too many bytes.
 */
export async function unpack(
  id: string,
  kind: string,
  archive: string,
  folder: string,
  maxBytes: number,
): Promise<void> {
  const sum = totalOf(id, maxBytes);
  try {
    if (kind.endsWith(".zip")) await unzip(id, archive, folder, sum);
    else await untar(id, kind.endsWith("bz2") ? bunzipped(archive) : gunzipped(archive), folder, sum);
  } catch (error) {
    if (isWireError(error)) throw error;
    throw new WireError("invalid_result", `${id}: the archive cannot be unpacked: ${String(error)}`, { cause: error });
  }
}

/** Counts the bytes that are unpacked. */
function totalOf(id: string, maxBytes: number): (bytes: number) => void {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > maxBytes) throw new WireError("too_large", `${id}: its archive unpacks to more than ${maxBytes} bytes`);
  };
}

async function unzip(id: string, archive: string, folder: string, count: (bytes: number) => void): Promise<void> {
  const { unzipSync } = await import("fflate");
  const files = unzipSync(await readFile(archive), {
    filter({ name, originalSize }) {
      inside(id, name);
      count(originalSize);
      return !/[\\/]$/.test(name);
    },
  });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, inside(id, name));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

async function untar(
  id: string,
  archive: AsyncIterable<Uint8Array>,
  folder: string,
  count: (bytes: number) => void,
): Promise<void> {
  const { unpackTar } = await import("modern-tar/fs");
  const into = unpackTar(folder, {
    filter({ name, size, type, linkname = "" }) {
      const path = inside(id, name);
      count(size);
      if (type === "symlink") inside(id, posix.isAbsolute(linkname) ? linkname : posix.join(dirname(path), linkname));
      else if (type === "link") inside(id, linkname);
      return true;
    },
  });
  await pipeline(archive, into);
}

/** The path of an entry, which must stay in the folder. */
function inside(id: string, name: string): string {
  const path = posix.normalize(name.replaceAll("\\", "/"));
  if (!posix.isAbsolute(path) && !/^[a-z]:/i.test(path) && path !== ".." && !path.startsWith("../")) return path;
  throw new WireError(
    "invalid_result",
    `${id}: its archive has ${JSON.stringify(name)}, which is outside of its folder`,
  );
}

function gunzipped(archive: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(archive);
  const plain = createGunzip();
  file.on("error", (error) => plain.destroy(error));
  return file.pipe(plain);
}

/** Node reads no bzip2. The program of this name is on every macOS and on most other systems. */
async function* bunzipped(archive: string): AsyncGenerator<Uint8Array> {
  const child = spawn("bzip2", ["-dc", archive], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  ended.catch(() => {});
  yield* child.stdout as AsyncIterable<Uint8Array>;
  const code = await ended;
  if (code !== 0) throw new Error(`bzip2 exited with code ${code}`);
}
