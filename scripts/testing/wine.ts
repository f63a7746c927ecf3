import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../.cache/", import.meta.url));
const nodeExe = join(cache, "node-win/package/bin/node.exe");

/** Why programs for Windows cannot be run here; undefined when they can. */
export function whyNoWindows(): string | undefined {
  if (!existsSync(nodeExe)) return "needs Node for Windows: run scripts/ensure-wine.sh";
  try {
    execFileSync("which", ["wine"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "needs wine: run scripts/ensure-wine.sh";
  }
}

/** Milliseconds until a program is ended; the first run also makes wine's folders, which takes some ten seconds. */
const timeoutMs = 55_000;

/**
 * Runs a bundled program in Node for Windows under wine, with a new folder as its working directory. Gives the JSON
 * that it wrote to stdout. Rejects with its stderr when it fails or does not exit in time.
 */
export async function runOnWindows(program: string, args: readonly string[] = []): Promise<unknown> {
  const prefix = join(cache, "wine");
  await mkdir(prefix, { recursive: true });
  const cwd = await mkdtemp(join(tmpdir(), "editwire windows-"));
  // Under wine, Node for Windows cannot write to a pipe of this system.
  const [stdout, stderr] = await Promise.all([open(join(cwd, "stdout"), "w+"), open(join(cwd, "stderr"), "w+")]);
  try {
    const child = spawn("wine", [nodeExe, program, ...args], {
      cwd,
      detached: true,
      env: { ...process.env, WINEPREFIX: prefix, WINEDEBUG: "-all", NODE_SKIP_PLATFORM_CHECK: "1" },
      stdio: ["ignore", stdout.fd, stderr.fd],
    });
    const timer = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), timeoutMs);
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    const output = await readFile(join(cwd, "stdout"), "utf8");
    if (code === 0) return JSON.parse(output);
    const errors = await readFile(join(cwd, "stderr"), "utf8");
    throw new Error(`the program ended with ${signal ?? code}:\n${output}\n${errors}`);
  } finally {
    await Promise.all([stdout.close(), stderr.close()]);
    await rm(cwd, { recursive: true, force: true });
  }
}
