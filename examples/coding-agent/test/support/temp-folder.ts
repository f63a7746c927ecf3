import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const sampleProject = fileURLToPath(new URL("../../../sample-project", import.meta.url));

/** A folder with the given files, which goes away with the test. */
export async function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coding-agent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** A copy of the sample project, which goes away with the test. */
export async function sampleCopy(): Promise<string> {
  const folder = await tempFolder();
  await cp(sampleProject, folder, { recursive: true });
  return folder;
}

/**
 * An empty folder whose path has as many bytes as another one, which goes away with the test. It is in `/tmp` where the
 * machine's own path is too long.
 */
export async function folderAsLongAs(path: string): Promise<string> {
  const random = 6; // what mkdtemp adds
  const base = [tmpdir(), "/tmp"].find((candidate) => candidate.length + 1 + random < path.length) ?? "";
  const folder = await mkdtemp(`${base}/`.padEnd(path.length - random, "eca-playback-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
