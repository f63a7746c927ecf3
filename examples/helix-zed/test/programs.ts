import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { firstLine } from "../../../scripts/testing/lines.js";
import { bundle } from "../../../scripts/testing/bundle.js";

/** Bundles the example and its ACP agent. Gives their paths. */
export function bundlePrograms(): Promise<{ main: string; acpAgent: string }> {
  return bundle(
    import.meta.url,
    { main: "../src/main.ts", acpAgent: "fixtures/acp-agent.ts" },
    { external: ["libsql"] },
  );
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
    return firstLine(this.child.stdout).catch(() => {
      throw new Error(`it printed nothing; stderr: ${this.stderr.join("")}`);
    });
  }

  /** Kills it as kill -9 does. */
  async kill(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}
