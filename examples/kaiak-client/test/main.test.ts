import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, jdk, runMain } from "./java.js";
import { beforeAll, describe, expect, test } from "vitest";
import { runProgram, type RunningProgram } from "../../terminal-client/test/run-program.js";
import { programs } from "./programs.js";

const unset = { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", CODING_AGENT_MODEL: "" };
const sample = fileURLToPath(new URL("../sample", import.meta.url));
const report = fileURLToPath(new URL("fixtures/output.yaml", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "kaiak-client-")));
const socket = join(folder, "server.sock");
const sources = "src/main/java/com/example";
const converter = `${sources}/DataConverter.java`;
const fingerprint = `${sources}/Fingerprint.java`;

beforeAll(async () => {
  const [command, ...args] = [...programs.server, "--socket", socket];
  const env = { ...process.env, ...unset, TMPDIR: folder };
  const server = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], env });
  const exited = once(server, "exit");
  await new Promise<void>((resolve) =>
    server.stderr.on("data", (chunk: Buffer) => {
      if (chunk.includes("serving Kaiak")) resolve();
    }),
  );
  return async () => {
    server.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
});

/** A copy of the sample project. */
function project(): { readonly cwd: string; read(path: string): string } {
  const cwd = mkdtempSync(join(folder, "project-"));
  cpSync(sample, cwd, { recursive: true });
  return { cwd, read: (path) => readFileSync(join(cwd, path), "utf8") };
}

function start(cwd: string, ...args: readonly string[]): RunningProgram {
  return runProgram([...programs.client, "--socket", socket, "--cwd", cwd, ...args], unset);
}

async function run(cwd: string, input: string, ...args: readonly string[]) {
  const program = start(cwd, ...args);
  program.feed(input);
  const code = await program.ended;
  return { code, output: program.output };
}

test("starts a server, shows the run, and asks line by line without a terminal", async () => {
  const { cwd, read } = project();
  const before = read(fingerprint);
  const server = programs.server.map((word) => `'${word}'`).join(" ");
  const program = runProgram(
    [...programs.client, "--server", server, "--cwd", cwd, join(cwd, "incidents.json")],
    unset,
  );
  program.feed("perhaps\ny\ndeny\n");
  expect(await program.ended).toBe(0);
  const { output } = program;
  expect(output).toContain(`› 2 incidents in ${cwd}\n`);
  expect(output).toContain(`? ${converter}  +3 −3  modify, low risk\n  │ @@ -1,17 +1,17 @@\n`);
  expect(output).toContain("  │ -import javax.xml.bind.DatatypeConverter;\n  │ +import java.util.Base64;\n");
  expect(output).toContain(
    [
      `? Apply the change to ${converter}?  y approve, n deny, e edit`,
      "  │ “perhaps” is not an answer",
      "  └ approve",
      "",
      `✓ write_file  ${converter}`,
    ].join("\n"),
  );
  expect(output).toContain(`  └ deny\n\n✗ write_file  ${fingerprint}  rejected\n`);
  expect(output).toMatch(/\ndone · 2 changes proposed · \d+\.\d s\n$/);
  expect(read(converter)).toContain("Base64.getEncoder()");
  expect(read(fingerprint)).toBe(before);
});

test("takes the report of Konveyor's analyzer; and --yes approves", async () => {
  const { cwd, read } = project();
  const { code, output } = await run(cwd, "", "--yes", "--report-root", "/opt/input/source", report);
  expect(code).toBe(0);
  expect(output).toContain(`› 4 incidents in ${cwd}\n`);
  expect(output).toContain("  └ approve (answered by --yes)\n");
  expect(read(converter) + read(fingerprint)).not.toContain("DatatypeConverter");
});

describe("the options", () => {
  test("--permission, --exclude and --no-explanations reach the server", async () => {
    const { cwd, read } = project();
    const denied = await run(
      cwd,
      "",
      "--yes",
      "--permission",
      "write_file=deny",
      "--exclude",
      "**/Finger*",
      "--no-explanations",
      join(cwd, "incidents.json"),
    );
    expect(denied.code).toBe(0);
    expect(denied.output).toMatch(
      /✗ read_file {2}\S+Fingerprint.java {2}Error: \S+ is not among the files of this workspace/,
    );
    expect(denied.output).toContain(`✗ write_file  ${converter}  rejected\n`);
    expect(denied.output).not.toContain("I read it before I judge");
    expect(read(converter) + read(fingerprint)).toMatch(/DatatypeConverter[^]*DatatypeConverter/);
  });

  test("--auto-apply asks nothing about small changes, and --keep keeps the session", async () => {
    const { cwd, read } = project();
    const { code, output } = await run(cwd, "", "--auto-apply", "--keep", join(cwd, "incidents.json"));
    expect(code).toBe(0);
    expect(output).not.toContain("Apply the change");
    expect(read(converter)).not.toContain("DatatypeConverter");
    const [, session = ""] = /the session is kept: --session (\S+)\n$/.exec(output) ?? [];
    const again = await run(cwd, "", "--session", session, join(cwd, "incidents.json"));
    expect(again.output).toContain(`${fingerprint} calls nothing of DatatypeConverter`);
  });
});

const withoutJdk = jdk !== undefined && jdk >= 17 ? "" : ` (skipped: needs a JDK from 17 on; found ${jdk ?? "none"})`;

test.skipIf(withoutJdk !== "")(`the sample compiles and runs on Java 17 afterwards${withoutJdk}`, async () => {
  const { cwd } = project();
  expect(compile(cwd)).toMatch(/package javax\.xml\.bind does not exist/);
  expect((await run(cwd, "", "--yes", join(cwd, "incidents.json"))).code).toBe(0);
  expect(compile(cwd)).toBeUndefined();
  expect(runMain(cwd, "com.example.Main")).toBe(
    "R3LDvMOfZSwgMTIg4oKs\n11\n5C5084161E2BC7E1F362C4A023085CFCEF2D9237627E599FE47487A9B9635EB3\n",
  );
});

describe("the end", () => {
  test("nobody to ask: every change is declined", async () => {
    const { cwd, read } = project();
    const { code, output } = await run(cwd, "", join(cwd, "incidents.json"));
    expect(code).toBe(0);
    expect(output).toContain("  └ deny (there is nobody to ask; --yes approves)\n");
    expect(read(converter)).toContain("DatatypeConverter");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s cancels the run and leaves the files whole: %i", async (signal, expected) => {
    const { cwd, read } = project();
    const before = read(converter);
    const program = start(cwd, join(cwd, "incidents.json"));
    await program.shows(`Apply the change to ${converter}?`);
    program.kill(signal);
    expect(await program.ended).toBe(expected);
    expect(program.output).toContain("cancelling …\n");
    expect(read(converter)).toBe(before);
    expect(readdirSync(join(cwd, sources)).sort()).toEqual(["DataConverter.java", "Fingerprint.java", "Main.java"]);
  });

  test("a run that fails: 3", async () => {
    const { cwd } = project();
    const server = [...programs.server, "--base-url", "http://127.0.0.1:9", "--model", "m"];
    const args = ["--server", server.map((word) => `'${word}'`).join(" "), "--cwd", cwd];
    const program = runProgram([...programs.client, ...args, join(cwd, "incidents.json")], unset);
    expect(await program.ended).toBe(3);
    expect(program.output).toMatch(/✗ Cannot reach the model endpoint [^]*\nfailed · 0 changes proposed · /);
  });

  test.each([
    ["no server", 1, ["--server", "no-such-server"], "no such command"],
    ["no socket", 1, ["--socket", "/no/such.sock"], "/no/such.sock"],
    ["a folder that is not there", 1, ["--socket", socket, "--cwd", "/no/such"], "Invalid workspace directory"],
    ["no incidents", 2, ["--socket", socket, "/no/such.json"], "Cannot read /no/such.json"],
  ])("%s: %i", async (_what, expected, args, message) => {
    const file = args.some((arg) => arg.endsWith(".json")) ? [] : [report];
    const program = runProgram([...programs.client, ...args, ...file], unset);
    expect(await program.ended).toBe(expected);
    expect(program.output).toContain(message);
  });
});
