import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BinaryDistribution } from "@editwire/acp-schema/registry";
import { WireError } from "@editwire/core";
import { download } from "./download.js";
import { unpack } from "./unpack.js";

/** Where a program is installed from and to. */
export interface Installation {
  /** Of the agent, for messages. */
  readonly id: string;
  readonly binary: BinaryDistribution;
  /** The folder of this agent, version and platform, which a complete installation makes. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The path of an installed program. It is downloaded, checked and unpacked first unless `folder` has it. The folder
 * appears as a whole: what is interrupted leaves nothing behind that a later start would take for a program.
 */
export async function installed(installation: Installation): Promise<string> {
  const { folder, binary, id } = installation;
  const command = commandPath(id, binary.cmd);
  if (await isFile(join(folder, command))) return join(folder, command);
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), ".part-"));
  try {
    const archive = join(work, "archive");
    await fetchArchive(installation, archive);
    const content = join(work, "content");
    await mkdir(content);
    const kind = new URL(binary.archive).pathname.toLowerCase();
    if (/\.(zip|tar\.gz|tgz|tar\.bz2|tbz2)$/.test(kind))
      await unpack(id, kind, archive, content, installation.maxBytes);
    else await copyProgram(archive, join(content, command));
    await checkProgram(id, content, command);
    await rename(content, folder).catch(async () => {
      // The folder is there: another process has installed the agent in the meantime, or it is not complete.
      if (await isFile(join(folder, command))) return;
      await rm(folder, { recursive: true, force: true });
      await rename(content, folder);
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return join(folder, command);
}

/** The path of the program below its folder. */
function commandPath(id: string, cmd: string): string {
  const path = posix.normalize(cmd.replaceAll("\\", "/"));
  if (posix.isAbsolute(path) || /^[a-z]:/i.test(path) || path === ".." || path.startsWith("../") || path === ".")
    throw new WireError(
      "invalid_params",
      `${id}: expected a cmd inside of the archive, received ${JSON.stringify(cmd)}`,
    );
  return path;
}

async function fetchArchive({ id, binary, maxBytes, timeoutMs, signal }: Installation, file: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(
    download(binary.archive, { maxBytes, timeoutMs, signal }),
    async function* hashed(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  const found = hash.digest("hex");
  if (binary.sha256 === undefined || found === binary.sha256.toLowerCase()) return;
  throw new WireError(
    "invalid_result",
    `${id}: expected an archive with the sha256 ${binary.sha256}, received ${found}`,
  );
}

async function copyProgram(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** The program is a file of the archive, and not a link that leads out of it. */
async function checkProgram(id: string, content: string, command: string): Promise<void> {
  const real = await realpath(join(content, command)).catch(() => undefined);
  if (real === undefined)
    throw new WireError("invalid_result", `${id}: expected ${command} in the archive, which does not have it`);
  if (relative(await realpath(content), real).split(sep)[0] === ".." || !(await isFile(real)))
    throw new WireError("invalid_result", `${id}: expected ${command} to be a file of the archive`);
  await chmod(real, 0o755);
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
