import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { linesOf } from "../src/wire/lines.js";
import type { RunReport } from "../src/core/verdict/report.js";
import { bin } from "./programs.js";

const folder = mkdtempSync(join(tmpdir(), "conformance-endings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that can be judged. It passes its stdin and stdout to the reference, unless it says otherwise. */
function program(name: string, code: string): readonly string[] {
  const file = join(folder, `${name}.mjs`);
  const reference = JSON.stringify([...bin.slice(1), "reference", "acp", "--role", "agent"]);
  writeFileSync(
    file,
    `import { spawn } from "node:child_process";
    const reference = (stdio) => spawn(process.execPath, ${reference}, { stdio })
      .once("exit", (code) => process.exit(code ?? 1));
    ${code}`,
  );
  return [process.execPath, file];
}

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: RunReport;
}

/** Judges a program with the suite as a process. `during` gets the process and the lines of its stderr. */
async function judge(
  argv: readonly string[],
  flags: readonly string[],
  during: (suite: ChildProcess, line: string) => void = () => {},
): Promise<Ended> {
  const file = join(folder, `${Math.random()}.json`);
  const run = ["run", "acp", "--role", "agent", "--behaviors", "commands", "--report", `json=${file}`];
  const suite = spawn(bin[0], [...bin.slice(1), ...run, ...flags, "--", ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  suite.stdout.on("data", (chunk: Buffer) => (stdout += String(chunk)));
  const closed = once(suite, "close");
  for await (const line of linesOf(suite.stderr)) {
    stderr += `${line}\n`;
    during(suite, line);
  }
  const [code] = (await closed) as [unknown];
  return { code, stdout, stderr, report: JSON.parse(readFileSync(file, "utf8")) as RunReport };
}

const failing = ({ cases }: RunReport): string[] =>
  cases.flatMap(({ checks }) => checks).flatMap(({ id, verdict }) => (verdict === "fail" ? [id] : []));
const blocked = ({ cases }: RunReport): number => cases.filter(({ verdict }) => verdict === "blocked").length;
const spec = ["--profile", "spec"];
const some = [...spec, "--filter", "acp.agent.session.*", "acp.agent.mode.*", "acp.agent.initialize.*"];

describe("a run ends with a verdict when", () => {
  test("the target writes a banner at every start: it is reported once, and every case is judged", async () => {
    const banner = program("banner", `console.log("Welcome, pid " + process.pid); reference("inherit");`);
    const { code, report } = await judge(banner, [...some, "acp.agent.malformed.initialize.*"]);
    expect(code).toBe(1);
    expect(failing(report)).toEqual(["acp.framing.only-messages#ACP-FRAME-001"]);
    expect(report.cases[0]).toMatchObject({ id: "calibration", verdict: "fail" });
    expect(blocked(report)).toBe(0);
  });

  test("the target refuses every request: nothing is asked that needs a handshake", async () => {
    const refuses = program(
      "refuses",
      `let held = "";
      process.stdin.setEncoding("utf8").on("data", (chunk) => {
        const lines = (held + chunk).split("\\n");
        held = lines.pop();
        lines.forEach(refuse);
      });
      function refuse(line) {
        let id;
        try { ({ id } = JSON.parse(line)); } catch { return; }
        const error = { code: -32601, message: "Method not found" };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error }));
      }`,
    );
    const { code, stdout, report } = await judge(refuses, [...some, "--verbose"]);
    expect(code).toBe(1);
    expect(failing(report).filter((id) => !id.startsWith("acp.agent.initialize."))).toEqual([]);
    expect(stdout).toContain("did not begin: no handshake: initialize was refused");
    expect(stdout).toMatch(/… and \d+ more, which are in --report json=FILE/);
    const unasked = report.cases.filter(({ reason }) => reason?.startsWith("no handshake: ") === true);
    expect(unasked.length).toBeGreaterThan(report.cases.length / 2);
  });

  test("the target exits at once: it says how, and which requirements it blocks", async () => {
    const exits = program("exits", `console.error("no API key"); process.exit(3);`);
    const { code, stdout } = await judge(exits, [...some, "--verbose"]);
    expect(code).toBe(4);
    expect(stdout).toContain("no handshake: the target exited with code 3\n  | stderr:\n  | no API key");
    expect(stdout).toMatch(/did not begin: no handshake: the target exited with code 3\n.*version {2}\[ACP-INIT-001\]/);
  });

  test("the target is silent, and the suite is ended while it waits", async () => {
    const silent = program("silent", `process.stdin.resume(); process.kill(process.ppid, "SIGTERM");`);
    const { code, report } = await judge(silent, []);
    expect(code).toBe(130);
    expect(report.cases).toEqual([]);
  });

  test("the target reads whole lines only, and is silent about everything else", async () => {
    const lines = program(
      "lines",
      `const { stdin } = reference(["pipe", "inherit", "inherit"]);
      let text = "";
      process.stdin.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        for (let end = text.indexOf("\\n"); end >= 0; end = text.indexOf("\\n")) {
          if (text.startsWith("{")) stdin.write(text.slice(0, end + 1));
          text = text.slice(end + 1);
        }
      }).on("end", () => stdin.end());`,
    );
    const headers = ["acp.agent.framing.header-*", "acp.agent.framing.split-*"];
    const { code, report } = await judge(lines, [...spec, "--time-scale", "0.1", "--filter", ...headers]);
    expect(code).toBe(1);
    expect(failing(report)).toEqual(["acp.agent.framing.header-first#ACP-FRAME-002"]);
    const waited = report.cases.filter(({ reason }) => reason?.startsWith("nothing arrived") === true);
    expect(waited.length).toBeLessThanOrEqual(2); // those that began before it was known
    expect(report.causes[0]?.message).toBe("the target does not answer messages in header framing");
  });
});

describe("what happens from outside is not held against the target:", () => {
  test("one that is ended by SIGTERM is started again", async () => {
    const marker = join(folder, "ended");
    const mortal = program(
      "mortal",
      `import { existsSync, writeFileSync } from "node:fs";
      const child = reference(["pipe", "inherit", "inherit"]);
      let prompts = 0;
      process.stdin.on("data", (chunk) => {
        prompts += String(chunk).split('"session/prompt"').length - 1;
        if (prompts < 2 || existsSync(${JSON.stringify(marker)})) return void child.stdin.write(chunk);
        writeFileSync(${JSON.stringify(marker)}, "");
        child.removeAllListeners("exit").kill("SIGKILL");
        process.kill(process.pid, "SIGTERM");
      }).on("end", () => child.stdin.end());`,
    );
    const { code, report } = await judge(mortal, [...spec, "--filter", "acp.agent.turn.*"]);
    expect(existsSync(marker)).toBe(true);
    expect(failing(report)).toEqual([]);
    expect(blocked(report)).toBe(0);
    expect(report.outcome).toBe("passed");
    expect(code).toBe(0);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "a suite that gets %s reports what it has",
    async (signal) => {
      const whole = program("whole", `reference("inherit");`);
      const { code, stdout, report } = await judge(whole, spec, (suite, line) => {
        if (/^[1-9]\d* of \d+ cases/.test(line)) suite.kill(signal);
      });
      expect(code).toBe(130);
      expect(report.cases.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(0);
      expect(report.cases.length).toBeLessThan(report.run.selected);
      expect(failing(report)).toEqual([]);
      expect(stdout).toContain("interrupted (exit 130)");
    },
    60_000,
  );
});
