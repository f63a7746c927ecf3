import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { WireError } from "@editwire/core";
import { describe, it } from "vitest";
import { spawnEca } from "../src/node.js";
import { all } from "./client-peer.js";

const file = fileURLToPath(new URL("fixtures/raw-server.mjs", import.meta.url));
const argv = (mode = "serve"): string[] => [process.execPath, file, mode];

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.concurrent("a server command", () => {
  it("C3: receives this process id and its working directory", async ({ expect }) => {
    const cwd = fileURLToPath(new URL(".", import.meta.url));
    const server = await spawnEca(argv(), { cwd });
    const told = JSON.parse(server.info.chatWelcomeMessage ?? "") as object;
    expect(told).toMatchObject({
      processId: process.pid,
      workspaceFolders: [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }],
    });
    const turn = server.newSession().prompt("Hello");
    expect((await all(turn)).map(({ type }) => type)).toEqual(["text", "stop"]);
    await server.close();
  });

  it("receives no process id when the caller opts out", async ({ expect }) => {
    const server = await spawnEca(argv(), { processId: null });
    expect(JSON.parse(server.info.chatWelcomeMessage ?? "")).toMatchObject({ processId: null });
    await server.close();
  });

  it("may write to an onStderr that throws", async ({ expect }) => {
    const errors: unknown[] = [];
    const onStderr = (): void => {
      throw new Error("the channel is closed");
    };
    const onError = (error: unknown): void => void errors.push(error);
    const script = "console.error('no key'); process.exitCode = 3";
    const failed = await failure(spawnEca([process.execPath, "-e", script], { onStderr, onError }));
    expect((failed as WireError).message).toContain("no key");
    expect(errors).toMatchObject([{ message: "the channel is closed" }]);
  });

  it("is ended when its start is given up", async ({ expect }) => {
    const giveUp = new AbortController();
    let pid = 0;
    const onStderr = (text: string): void => {
      pid = Number(text);
      giveUp.abort();
    };
    const mute = [process.execPath, "--eval", "console.error(process.pid); setInterval(() => {}, 1_000)"];
    const error = await failure(spawnEca(mute, { onStderr, signal: giveUp.signal, graceMs: 100 }));
    expect(error).toMatchObject({ name: "WireError", code: "aborted" });
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("C15: exits after shutdown and exit, and is reaped", async ({ expect }) => {
    const server = await spawnEca(argv());
    await server.close();
    expect(((await server.closed) as WireError).cause).toMatchObject({ data: { exitCode: 0, signal: null } });
  });

  it("C16: rejects a running turn with how the process ended", async ({ expect }) => {
    const server = await spawnEca(argv("crashes"));
    const turn = server.newSession().prompt("Hello");
    expect(await failure(turn.stopReason)).toMatchObject({ code: "closed", data: { exitCode: 4 } });
    expect(await server.closed).toMatchObject({ data: { exitCode: 4 } });
  });

  it("rejects a running turn at once when the server announces a message over the limit", async ({ expect }) => {
    const server = await spawnEca(argv("huge"), { graceMs: 50 });
    const turn = server.newSession().prompt("Hello");
    const message = "Content-Length is 99999999999: expected at most 67108864 bytes";
    expect(await failure(turn.stopReason)).toMatchObject({ code: "closed", cause: { code: "too_large", message } });
    expect(await server.closed).toMatchObject({ code: "too_large" });
  });

  it("rejects a running turn when the server stops inside a message", async ({ expect }) => {
    const server = await spawnEca(argv("half"), { graceMs: 50, stallMs: 200 });
    const turn = server.newSession().prompt("Hello");
    expect(await failure(turn.stopReason)).toMatchObject({
      code: "closed",
      cause: {
        code: "framing",
        message: "the other end stopped inside a message: 16 of 100 bytes of its body came, then nothing for 200 ms",
      },
    });
    expect(await server.closed).toMatchObject({ code: "framing" });
  });

  it("C17: fails with its exit code and its stderr when it dies first", async ({ expect }) => {
    const error = await failure(spawnEca(argv("dies")));
    expect(error).toMatchObject({ name: "WireError", code: "closed", data: { exitCode: 3 } });
    expect((error as Error).message).toContain("no licence found");
  });

  it("C17: fails with its stderr when it does not answer in time", async ({ expect }) => {
    const recorded: string[] = [];
    const error = await failure(
      spawnEca(argv("silent"), {
        timeoutMs: 1_000,
        graceMs: 50,
        onStderr: (text) => void recorded.push(text),
      }),
    );
    expect(error).toMatchObject({ name: "WireError", code: "timeout" });
    expect((error as Error).message).toContain("waiting for the database");
    expect(recorded.join("")).toBe("waiting for the database\n");
  });

  it("fails when there is none", async ({ expect }) => {
    expect(await failure(spawnEca(["no-such-command-anywhere"]))).toMatchObject({
      code: "closed",
      cause: { code: "not_connected" },
    });
  });
});
