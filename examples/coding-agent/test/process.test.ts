import { describe, expect, it, vi } from "vitest";
import { runProcess } from "../src/process.js";
import { lifeline } from "./support/lifeline.js";
import { tempFolder } from "./support/temp-folder.js";

const node = (code: string) => [process.execPath, "-e", code];
const { signal } = new AbortController();

describe("a program", () => {
  it("runs in the folder, without a shell, with nothing to read", async () => {
    const cwd = await tempFolder();
    const code = `process.stdin.on("end", () => { console.log(process.cwd(), process.argv[1]); process.exitCode = 3 }).resume()`;
    const { exitCode, end, output } = await runProcess([...node(code), "$HOME;`ls`"], {
      cwd,
      timeoutMs: 15_000,
      signal,
    });
    expect([exitCode, end]).toEqual([3, "Exit code 3"]);
    expect(output.trim()).toBe(`${cwd} $HOME;\`ls\``);
  });

  it("does not see the model's key", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    vi.stubEnv("NODE_TEST_CONTEXT", "child-v8");
    vi.stubEnv("HARMLESS", "yes");
    const { output } = await runProcess(
      node("console.log(process.env.OPENAI_API_KEY, process.env.NODE_TEST_CONTEXT, process.env.HARMLESS)"),
      { cwd: "/", timeoutMs: 15_000, signal },
    );
    vi.unstubAllEnvs();
    expect(output).toBe("undefined undefined yes\n");
  });

  it("gives both outputs, of a long one the beginning and the end", async () => {
    const { output } = await runProcess(
      node(`process.stderr.write("first\\n"); process.stdout.write("x".repeat(1e6) + "last")`),
      {
        cwd: "/",
        timeoutMs: 15_000,
        signal,
      },
    );
    expect(output.length).toBeLessThan(70_000);
    expect(output).toMatch(/first\n/);
    expect(output).toMatch(/… 9\d{5} bytes left out …/);
    expect(output).toMatch(/xlast$/);
  });

  it("that cannot exist is a clear error", async () => {
    for (const argv of [[""], [], ["node", "a\0b"]])
      await expect(runProcess(argv, { cwd: "/", timeoutMs: 1000, signal })).rejects.toThrow(/^Cannot run /);
  });

  it("that does not exist is a clear error", async () => {
    await expect(runProcess(["no-such-program"], { cwd: "/", timeoutMs: 1000, signal })).rejects.toThrow(
      "Cannot run no-such-program: spawn no-such-program ENOENT",
    );
  });

  it("tells which signal ended it", async () => {
    const { exitCode, end } = await runProcess(node(`process.kill(process.pid, "SIGINT")`), {
      cwd: "/",
      timeoutMs: 15_000,
      signal,
    });
    expect([exitCode, end]).toEqual([null, "Ended by SIGINT"]);
  });

  it("is ended when its time is over, and its output kept", async () => {
    const { end, output } = await runProcess(["sh", "-c", "echo on; exec sleep 1000"], {
      cwd: "/",
      timeoutMs: 1000,
      signal,
    });
    expect(end).toBe("Stopped after 1 s");
    expect(output).toBe("on\n");
  });

  it("is ended with everything that it started, however stubborn, when the turn is cancelled", async () => {
    const { code, started, ended } = await lifeline();
    const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6);`;
    const parent = `${deaf} require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf + code)}]);`;
    const cancel = new AbortController();
    const running = runProcess(node(parent), { cwd: "/", timeoutMs: 60_000, signal: cancel.signal });
    await started;
    cancel.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
    await ended;
  });

  it("does not leave behind what it started", async () => {
    const { code, started, ended } = await lifeline();
    const child = `${code} line.on("connect", () => process.send("up")); setInterval(() => {}, 1e6)`;
    const stdio = `{ stdio: ["ignore", "inherit", "inherit", "ipc"] }`;
    const spawned = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], ${stdio})`;
    const parent = `${spawned}.on("message", () => process.exit());`;
    const { exitCode } = await runProcess(node(parent), { cwd: "/", timeoutMs: 15_000, signal });
    expect(exitCode).toBe(0);
    await started;
    await ended;
  });

  it("is not started once the turn is cancelled", async () => {
    await expect(
      runProcess(node(""), { cwd: "/", timeoutMs: 1000, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
