import { describe, expect, it, vi } from "vitest";
import { runProcess } from "../src/process.js";
import { lifeline } from "./support/lifeline.js";
import { tempFolder } from "./support/temp-folder.js";

const node = (code: string) => [process.execPath, "-e", code];
const { signal } = new AbortController();

describe("a program", () => {
  it("runs in the folder, without a shell, with nothing to read", async () => {
    const cwd = await tempFolder();
    const atEnd = "() => { console.log(process.cwd(), process.argv[1]); process.exitCode = 3 }";
    const code = `process.stdin.on("end", ${atEnd}).resume()`;
    const { exitCode, end, output } = await runProcess([...node(code), "$HOME;`ls`"], {
      cwd,
      timeoutMs: 15_000,
      signal,
    });
    expect([exitCode, end]).toEqual([3, "Exit code 3"]);
    expect(output.trim()).toBe(`${cwd} $HOME;\`ls\``);
  });

  it("sees the variables of the list and those that the user names, and no other", async () => {
    const harmless = ["PATH", "LC_ALL", "NAMED"];
    const others = [
      "OPENAI_API_KEY",
      "ACP_TOKEN",
      "AWS_SECRET_ACCESS_KEY",
      "NODE_OPTIONS",
      "NODE_TEST_CONTEXT",
      "OTHER",
    ];
    for (const name of [...harmless, ...others]) vi.stubEnv(name, name === "PATH" ? process.env["PATH"] : name);
    vi.stubEnv("NODE_OPTIONS", "--no-deprecation");
    vi.stubEnv("CODING_AGENT_ENV", "NAMED, ALSO_NAMED");
    const { output } = await runProcess(node("console.log(JSON.stringify(Object.keys(process.env)))"), {
      cwd: "/",
      timeoutMs: 15_000,
      signal,
    });
    vi.unstubAllEnvs();
    const seen: unknown = JSON.parse(output);
    expect(seen).toEqual(expect.arrayContaining(harmless));
    for (const name of others) expect(seen).not.toContain(name);
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
    const argv = JSON.stringify(["-e", deaf + code]);
    const parent = `${deaf} require("node:child_process").spawn(process.execPath, ${argv});`;
    const cancel = new AbortController();
    const running = runProcess(node(parent), { cwd: "/", timeoutMs: 60_000, signal: cancel.signal });
    await started;
    cancel.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
    await ended;
  });

  it.runIf(process.platform === "linux")(
    "does not leave behind what left its process group, when it ends or when the turn is cancelled",
    async () => {
      const stays = "setInterval(() => {}, 1e6);";
      const leaving = (code: string): string => {
        const child = `${code} line.on("connect", () => console.log("up")); ${stays}`;
        const args = JSON.stringify([process.execPath, "-e", child]);
        return `require("node:child_process").spawn("setsid", ${args}).stdout`;
      };
      const options = { cwd: "/", timeoutMs: 60_000 };

      const first = await lifeline();
      const ending = `${leaving(first.code)}.once("data", () => process.exit())`;
      await runProcess(node(ending), { ...options, signal });
      await first.started;
      await first.ended;

      const second = await lifeline();
      const cancel = new AbortController();
      const running = runProcess(node(`${stays} ${leaving(second.code)}`), { ...options, signal: cancel.signal });
      await second.started;
      cancel.abort(new Error("cancelled"));
      await expect(running).rejects.toThrow("cancelled");
      await second.ended;
    },
  );

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
