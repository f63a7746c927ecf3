import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ndjson } from "@editwire/framing";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type SpawnOptions, resolveCommand, spawnTransport } from "../src/node.js";
import { type Ends, transportTests } from "./contract.js";
import { deferred, NearEnd } from "./near-end.js";

const fixtures = await bundle(import.meta.url, {
  far: "fixtures/far-process.ts",
  grandchild: "fixtures/grandchild.ts",
  parent: "fixtures/parent.ts",
});
const node = process.execPath;

function farProcess(options: SpawnOptions = {}): Ends & { pid: number } {
  const facts = { blocked: deferred<number>(), flooded: deferred<unknown>(), closed: deferred<number>() };
  const onStderr = (text: string): void => {
    options.onStderr?.(text);
    for (const [, fact, n] of text.matchAll(/\{"(blocked|flooded|closed)":(\d+)\}/g))
      facts[fact as keyof typeof facts].resolve(Number(n));
  };
  const near = spawnTransport([node, fixtures.far], ndjson(), { ...options, onStderr });
  const pid = near.pid as number;
  const kill = (): void => void process.kill(pid, "SIGKILL");
  const release = (): void => void process.kill(pid, "SIGUSR2");
  const flooded = facts.flooded.promise.then(() => {});
  return { near, pid, blocked: facts.blocked.promise, flooded, farClosed: facts.closed.promise, release, kill };
}

/**
 * A listening socket that observes a process: the process connects when it starts, and the connection closes when it
 * ends.
 */
async function witness(): Promise<{ path: string; gone: Promise<unknown> }> {
  const path = join(await mkdtemp(join(tmpdir(), "editwire-")), "socket");
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const gone = once(server, "connection").then(([socket]: Socket[]) => once((socket as Socket).resume(), "close"));
  return { path, gone };
}

const run = (argv: readonly string[], options?: SpawnOptions): NearEnd =>
  new NearEnd(spawnTransport(argv, ndjson(), options));

transportTests("spawnTransport, with stdioTransport in the child", async (options) => farProcess(options));

describe("a flood of 64 MB over stdio", () => {
  const size = 64_000;
  const n = 1_000;

  it("costs a bounded amount of memory in a child whose reader is slow", async () => {
    const end = new NearEnd(farProcess().near);
    end.onMessage = () => new Promise(setImmediate);
    const { waits, grownBy } = await end.ask({ do: "flood", n, size }, "flooded");
    expect(waits).toBeGreaterThan(0);
    expect(grownBy).toBeLessThan(48_000_000);
  });

  it("costs a bounded amount of memory in a child that is slow itself", async () => {
    const end = new NearEnd(farProcess().near);
    const pad = "x".repeat(size);
    await end.tell({ do: "dawdle" });
    for (let i = 0; i < n; i += 1) await end.tell({ do: "take", i, pad });
    const { taken, grownBy } = await end.ask({ do: "report" }, "taken");
    expect(taken).toBe(n);
    expect(grownBy).toBeLessThan(48_000_000);
  });
});

describe("the close reason of a child", () => {
  it("says how it exited and what it said last", async () => {
    const end = new NearEnd(farProcess().near);
    const text = "starting\nError: no model\n    at run (agent.js:1:1) {\n}\n\nNode.js v20.20.2\n";
    await end.tell({ do: "exit", code: 3, text });
    const reason = await end.closed;
    expect(reason).toMatchObject({
      code: "closed",
      message: "node exited with code 3: Error: no model",
      data: { exitCode: 3, signal: null, stderr: text },
    });
    expect(end.received.at(-1)).toEqual({ last: "words" });
  });

  it("names the signal that killed it", async () => {
    const { near, kill } = farProcess();
    const end = new NearEnd(near);
    await end.ask({ do: "echo", value: 1 }, "echo");
    kill?.();
    expect(await end.closed).toMatchObject({
      message: "node was killed by SIGKILL",
      data: { exitCode: null, signal: "SIGKILL", stderr: "" },
    });
  });

  it("has the end of a long stderr, cut at a character", async () => {
    const end = run([node, "-e", 'process.stderr.write("é".repeat(9_999) + "x"); process.exitCode = 1'], {
      stderrTailBytes: 100,
    });
    expect((await end.closed).data).toMatchObject({ stderr: `${"é".repeat(49)}x` });
  });

  it("is this side's own after a close, with the child's end as the cause", async () => {
    const end = new NearEnd(farProcess().near);
    await end.ask({ do: "echo", value: 1 }, "echo");
    await end.transport.close();
    expect(end.reasons[0]).toMatchObject({
      message: "closed by this side",
      cause: { message: "node exited with code 0" },
    });
  });

  it("names a command that does not exist, and where it was looked for", async () => {
    const end = run(["no-such-agent", "acp"], { cwd: tmpdir() });
    expect(await end.closed).toMatchObject({
      code: "not_connected",
      message: `cannot start "no-such-agent" in "${tmpdir()}": no such command`,
      cause: { code: "ENOENT" },
    });
    expect(end.transport).toMatchObject({ pid: undefined });
  });

  it("names a folder that does not exist", async () => {
    const end = run([node], { cwd: "/no/such/folder" });
    expect(await end.closed).toMatchObject({
      code: "not_connected",
      message: `cannot start "${node}" in "/no/such/folder": the folder does not exist`,
    });
  });
});

describe("starting a child", () => {
  const script =
    "console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(1), A: process.env.A, B: " +
    "process.env.B, HOME: process.env.HOME }))";

  it("passes arguments through no shell, the folder and variables on top of the own ones", async () => {
    const args = ["a b", "$(echo c)", "*", '"'];
    const end = run([node, "-e", script, ...args], { cwd: "/", env: { A: "1", HOME: undefined } });
    await end.closed;
    expect(end.received).toEqual([{ cwd: "/", args, A: "1" }]);
  });

  it("passes on nothing of its own environment when told so", async () => {
    const end = run([node, "-e", script], { env: { A: "1" }, inheritEnv: false });
    await end.closed;
    expect(end.received).toMatchObject([{ A: "1" }]);
    expect(end.received[0]).not.toHaveProperty("HOME");
  });

  it.each([[[]], [[""]], ["my-agent --acp"], [undefined], [["my-agent", 5]]])("refuses %j, no command", (argv) => {
    const expected = 'expected a command and its arguments, such as ["my-agent", "--acp"], received ';
    const message = (name: string): string => `${name}: ${expected}${JSON.stringify(argv)}`;
    expect(() => spawnTransport(argv as string[], ndjson())).toThrow(new TypeError(message("spawnTransport")));
    expect(() => resolveCommand(argv as string[])).toThrow(new TypeError(message("resolveCommand")));
  });

  it("delivers what a child said that was gone before anybody listened", async () => {
    const bye = deferred<unknown>();
    const transport = spawnTransport(
      [node, "-e", 'console.log(\'{"last":"words"}\'); console.error("bye")'],
      ndjson(),
      { onStderr: bye.resolve },
    );
    await bye.promise;
    for (;;) {
      try {
        process.kill(transport.pid as number, 0);
        await new Promise(setImmediate);
      } catch {
        break; // Exited, and waited for.
      }
    }
    const end = new NearEnd(transport);
    expect((await end.closed).message).toBe("node exited with code 0");
    expect(end.received).toEqual([{ last: "words" }]);
  });
});

describe("ending a child", () => {
  const graceMs = 300;

  it("lets it exit at the end of its stdin, and stops watching it", async () => {
    const listeners = process.listenerCount("exit");
    const end = new NearEnd(farProcess().near);
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    await end.ask({ do: "echo", value: 1 }, "echo");
    await end.transport.close();
    expect(end.reasons[0]?.cause).toMatchObject({ data: { exitCode: 0 } });
    expect(process.listenerCount("exit")).toBe(listeners);
  });

  it("sends SIGTERM to one that ignores the end of its stdin", async () => {
    const { path, gone } = await witness();
    const end = run([node, fixtures.grandchild, path, "mortal"], { graceMs });
    await end.next("here");
    await end.transport.close();
    expect(end.reasons[0]?.cause).toMatchObject({
      message: "node was killed by SIGTERM after it did not exit in time",
    });
    await gone;
  });

  it("sends SIGKILL to one that ignores SIGTERM too", async () => {
    const { path, gone } = await witness();
    const end = run([node, fixtures.grandchild, path], { graceMs });
    await end.next("here");
    await end.transport.close();
    expect(end.reasons[0]?.cause).toMatchObject({
      message: "node was killed by SIGKILL after it did not exit in time",
    });
    await gone;
  });

  it("ends one that closed its stdin", async () => {
    const end = new NearEnd(farProcess({ graceMs }).near);
    await end.ask({ do: "deafen" }, "deaf");
    void end.tell({ do: "report" });
    expect(await end.closed).toMatchObject({ message: "node was killed by SIGTERM after it closed its stdin" });
  });

  it("does not wait for a grandchild that holds the pipes, and kills it", async () => {
    const { path, gone } = await witness();
    const end = new NearEnd(farProcess({ graceMs }).near);
    await end.ask({ do: "fork", script: fixtures.grandchild, args: [path] }, "here");
    await end.tell({ do: "exit", code: 0 });
    expect((await end.closed).message).toBe("node exited with code 0");
    expect(end.received.slice(-2)).toEqual([{ here: true }, { last: "words" }]);
    await gone;
  });

  it("does not listen for long to a grandchild that escaped and talks on", async () => {
    const { path, gone } = await witness();
    const end = new NearEnd(farProcess({ graceMs }).near);
    await end.ask({ do: "fork", script: fixtures.grandchild, args: [path, "chatty"], escape: true }, "chat");
    await end.tell({ do: "exit", code: 0 });
    expect((await end.closed).message).toBe("node exited with code 0");
    expect(end.received).toContainEqual({ last: "words" });
    await gone; // Of its broken pipe.
  });

  it("takes a grandchild along when it is closed", async () => {
    const { path, gone } = await witness();
    const end = new NearEnd(farProcess({ graceMs }).near);
    await end.ask({ do: "fork", script: fixtures.grandchild, args: [path] }, "here");
    await end.transport.close();
    await gone;
  });

  it.each([
    ["exit", "node exited with code 0"],
    ["SIGKILL", "node was killed by SIGKILL"],
    ["SIGTERM", "node was killed by SIGTERM"],
  ])("leaves no process behind when this one ends by %s", async (end, reason) => {
    const { path, gone } = await witness();
    const parent = run([node, fixtures.parent, end, node, fixtures.grandchild, path]);
    expect((await parent.closed).message).toBe(reason);
    await gone;
  });

  it("leaves no stopped process behind when this one is killed", async () => {
    const { path, gone } = await witness();
    const parent = run([node, fixtures.parent, "SIGKILL", node, fixtures.grandchild, path, "stopped"]);
    await parent.closed;
    await gone;
  });
});
