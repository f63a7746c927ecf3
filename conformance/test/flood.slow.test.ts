import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin } from "./programs.js";
import { isRunning } from "./processes.js";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-flood-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "y".repeat(200) } };
const message = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
const endless = (stream: "stdout" | "stderr", block: string): string => `
  const block = Buffer.from(${block});
  const go = () => { while (process.${stream}.write(block)); process.${stream}.once("drain", go); };
  go();`;
const floods = {
  "messages on stdout": endless("stdout", `(${JSON.stringify(message)} + "\\n").repeat(500)`),
  "no end of a line": endless("stdout", `"x".repeat(65_536)`),
  "text on stderr": endless("stderr", `("noise ".repeat(20) + "\\n").repeat(500)`),
};

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  /** The most memory that the suite has used, in MiB. */
  readonly peak: number;
}

/** Judges a program, which writes its process id to a file first. */
function judge(program: string): { readonly suite: ChildProcess; pid(): number; readonly ended: Promise<Ended> } {
  const file = join(folder, `pid-${Math.random()}`);
  const script = join(folder, `target-${Math.random()}.cjs`);
  writeFileSync(script, `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));${program}`);
  const args = ["run", "acp", "--role", "agent", "--", process.execPath, script];
  const suite = spawn(bin[0], [bin[1], ...args], { stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  suite.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, memoryOf(suite.pid))), 50);
  const ended = once(suite, "close").then(([code]) => {
    clearInterval(look);
    return { code: code as unknown, stdout, peak };
  });
  return { suite, pid: () => Number(readFileSync(file, "utf8")), ended };
}

/** The resident memory of a process, in MiB; 0 for one that is over, and where the system does not say. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe("a target that sends without end", () => {
  test.each(Object.entries(floods))("%s: is stopped, in bounded memory", async (_name, program) => {
    const { ended, pid } = judge(program);
    const { code, stdout, peak } = await ended;
    expect([1, 4]).toContain(code);
    expect(stdout).toContain("flooded");
    expect(peak).toBeLessThan(450);
    expect(isRunning(pid())).toBe(false);
  });
});

describe("SIGINT ends the suite and its target within two seconds", () => {
  const deaf = `for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {}); setInterval(() => {}, 1_000);`;
  test.each([...Object.entries(floods), ["nothing, and ignores signals", deaf] as const])(
    "a target that sends %s",
    async (_name, program) => {
      const { suite, pid, ended } = judge(program);
      await expect.poll(pid, { timeout: 10_000 }).toBeGreaterThan(0);
      const start = performance.now();
      suite.kill("SIGINT");
      const { code, stdout } = await ended;
      expect(performance.now() - start).toBeLessThan(2_000);
      expect(code).toBe(130);
      expect(stdout).toContain("interrupted");
      expect(isRunning(pid())).toBe(false);
    },
  );
});
