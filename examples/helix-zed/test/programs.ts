import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";

/** Bundles the example and its ACP agent, so that they start in milliseconds. Gives their paths. */
export async function bundlePrograms(): Promise<{ main: string; acpAgent: string }> {
  const cache = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "test-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const source = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  await build({
    entryPoints: { main: source("../src/main.ts"), acpAgent: source("fixtures/acp-agent.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@editwire/source"],
    external: ["ws", "libsql", "commander"],
  });
  return { main: join(folder, "main.mjs"), acpAgent: join(folder, "acpAgent.mjs") };
}

/** A program under test. */
export class Program {
  readonly child: ChildProcess;
  readonly stderr: string[] = [];

  constructor(argv: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, argv, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stderr?.on("data", (data: Buffer) => this.stderr.push(data.toString()));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  /** The first line that it prints. */
  async firstLine(): Promise<string> {
    for await (const line of createInterface({ input: this.child.stdout as NonNullable<ChildProcess["stdout"]> })) return line;
    throw new Error(`it printed nothing; stderr: ${this.stderr.join("")}`);
  }

  /** Kills it as kill -9 does. */
  async kill(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
