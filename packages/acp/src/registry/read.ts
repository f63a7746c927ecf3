import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentRegistry, registryOf } from "@editwire/acp-schema/registry";
import { download } from "./download.js";

/** How a registry of agents is read. */
export interface ReadRegistryOptions {
  /** A file that keeps the registry of a URL. Default: none; the URL is fetched each time. */
  cacheFile?: string | undefined;
  /** Milliseconds for which `cacheFile` is used without a look at the URL. Default 3 hours. */
  maxAgeMs?: number | undefined;
  /** Milliseconds until the server answers. Default 10,000. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A registry of agents as it was read. */
export interface ReadRegistry extends AgentRegistry {
  /** Why it comes from `cacheFile` although that is older than `maxAgeMs`. Absent: it does not. */
  readonly stale?: string | undefined;
}

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a registry of agents from a file, given as a path or a `file:` URL, or from an `https:` URL. Entries that do
 * not fit are in `leftOut`. When the URL cannot be read, the registry comes from `cacheFile`, however old that is, and
 * `stale` has the reason. Throws `WireError("not_connected")` if there is neither, `"too_large"` above 16 MiB,
 * `"aborted"`, a `TypeError` for what is no registry, and the error of `node:fs` for a file that cannot be read.
 */
export async function readRegistry(from: string | URL, options: ReadRegistryOptions = {}): Promise<ReadRegistry> {
  if (!isRemote(from)) return registryOf(JSON.parse(await readFile(pathOf(from), "utf8")));
  const { cacheFile, maxAgeMs = 3 * 60 * 60 * 1000 } = options;
  if (cacheFile === undefined) return registryOf(JSON.parse(await textAt(from, options)));
  const cached = await stat(cacheFile).catch(() => undefined);
  if (cached !== undefined && Date.now() - cached.mtimeMs < maxAgeMs) {
    const registry = await readCache(cacheFile);
    if (registry !== undefined) return registry;
  }
  try {
    const text = await textAt(from, options);
    const registry = registryOf(JSON.parse(text));
    await keep(cacheFile, text);
    return registry;
  } catch (error) {
    const registry = options.signal?.aborted === true ? undefined : await readCache(cacheFile);
    if (registry === undefined) throw error;
    return { ...registry, stale: String(error) };
  }
}

async function textAt(url: string | URL, { timeoutMs = 10_000, signal }: ReadRegistryOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of download(url, { maxBytes, timeoutMs, signal })) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The registry in a file; `undefined` if there is none that fits. */
async function readCache(file: string): Promise<AgentRegistry | undefined> {
  try {
    return registryOf(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** Writes a file beside it and renames that, so that no other process reads half of it. */
async function keep(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(part, text);
  await rename(part, file);
}

const isRemote = (from: string | URL): boolean => /^https?:/i.test(String(from));

function pathOf(from: string | URL): string {
  return /^file:/i.test(String(from)) ? fileURLToPath(from) : String(from);
}
