import { describe, expect, test } from "vitest";
import { runConformance, type RunOptions, servedTarget } from "../src/index.js";
import { helixZed } from "../src/protocols/helix-zed/protocol.js";
import { isRunning } from "./processes.js";
import { bin } from "./programs.js";

const reference = [...bin, "reference", "helix-zed", "--role", "host"];

async function judge(argv: readonly string[], options: Partial<RunOptions> = {}, startMs = 15_000) {
  const report = await runConformance({
    protocol: helixZed,
    role: "host",
    target: servedTarget({ argv, paths: helixZed.ws, startMs }),
    filter: ["helix-zed.host.send.first", "helix-zed.host.link.again"],
    jobs: 1,
    graceMs: 300,
    seed: 1,
    ...options,
  });
  const events = report.cases.flatMap(({ trace }) => trace).flatMap((entry) => (entry.kind === "event" ? [entry] : []));
  const pids = events.flatMap(({ name, data }) =>
    name === "open" && data !== null && typeof data === "object" && "pid" in data ? [Number(data.pid)] : [],
  );
  return { report, events, pids };
}

/** A program that answers `init` with something. */
const answers = (result: unknown): string[] => [
  process.execPath,
  "-e",
  `process.stdin.on("data", () => console.log(JSON.stringify({ id: 1, ok: true, result: ${JSON.stringify(result)} })))`,
];

describe("a program that listens for WebSockets", () => {
  test("says where, is steered, and is ended", async () => {
    const { report, pids } = await judge(reference);
    expect(report).toMatchObject({ outcome: "passed", run: { transport: "ws" } });
    expect(report.cases.slice(1).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      "helix-zed.host.send.first pass",
      "helix-zed.host.link.again pass",
    ]);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test("is a target error when it ends first, with its exit code and its stderr", async () => {
    const { report } = await judge([process.execPath, "-e", 'console.error("no port"); process.exit(3)']);
    expect(report).toMatchObject({
      outcome: "target-error",
      exitCode: 4,
      error: expect.stringMatching(/exited with code 3[^]*no port/),
    });
  });

  test.each([
    ["nothing", [process.execPath, "-e", "process.stdin.resume()"], "received nothing in 300 ms", 300],
    ["no address", answers({ port: 80 }), 'expected init to be answered with {"url": …}, received {"port":80}', 15_000],
    ["an address where nobody is", answers({ url: "ws://127.0.0.1:1" }), "cannot connect to ws://127.0.0.1:1", 15_000],
  ])("is a target error when it says %s", async (_what, argv, problem, startMs) => {
    const { report } = await judge(argv, {}, startMs);
    expect(report).toMatchObject({ outcome: "target-error", error: expect.stringContaining(problem) });
  });

  test("that dies in a case is reported by its exit, and its children die with it", async () => {
    const program = `
      const [command, ...args] = ${JSON.stringify(reference)};
      const host = require("node:child_process").spawn(command, args, { stdio: ["pipe", "inherit", "inherit"] });
      console.error("child " + host.pid);
      const sends = (chunk) => String(chunk).includes('"send"');
      process.stdin.on("data", (chunk) => (sends(chunk) ? process.exit(7) : host.stdin.write(chunk)));
    `;
    const { report, events } = await judge([process.execPath, "-e", program], {
      filter: ["helix-zed.host.link.thread"],
      graceMs: 20_000, // a busy system takes its time to end what is killed
    });
    expect(events).toContainEqual(expect.objectContaining({ name: "exit", data: { code: 7, signal: null } }));
    const child = report.cases
      .flatMap(({ trace }) => trace)
      .flatMap((entry) => (entry.kind === "stderr" ? (/child (\d+)/.exec(entry.text)?.[1] ?? []) : []));
    expect(child.length).toBeGreaterThan(0);
    expect(child.map(Number).filter(isRunning)).toEqual([]);
  });
});
