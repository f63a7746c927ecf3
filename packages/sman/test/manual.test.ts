import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { dialRaw } from "../../transport/test/raw-socket.js";
import { listenSmanPlugin } from "../src/node.js";
import { query, startBackend } from "./support/backends.js";

/** The message of the specification's manual test, as it is typed there. */
const typed = `{
  "type": "TOOL_CALL",
  "toolCallId": "test-001",
  "toolName": "grep_file",
  "params": {
    "pattern": "TODO",
    "projectKey": "autoloop"
  }
}`;

describe("the specification's manual test (C22, C42)", () => {
  const plugin = { tools: { grep_file: ({ pattern }: { pattern: string }) => `## 文件内容搜索: ${pattern}` } };

  it.each([false, true])("a plain client types a call and reads its result (strict: %s)", async (strict) => {
    const listener = await listenSmanPlugin(plugin, { projectKey: "autoloop", strict });
    onTestFinished(() => listener.close());
    const client = await dialRaw(`${listener.url}/ws/agent/chat?${query}`);
    client.send(typed);
    expect(await client.next()).toEqual({
      type: "TOOL_RESULT",
      data: {
        toolCallId: "test-001",
        success: true,
        result: "## 文件内容搜索: TODO",
        executionTime: expect.any(Number),
      },
    });
  });

  it("is for the project of the plugin, on this machine, and for callers with the token", async () => {
    const listener = await listenSmanPlugin(plugin, { projectKey: "autoloop", token: "s3cret" });
    onTestFinished(() => listener.close());
    const dial = (path: string, headers: Record<string, string>): ReturnType<typeof dialRaw> =>
      dialRaw(`${listener.url}${path}`, headers);
    await expect(dial(`/ws/agent/chat?${query}`, {})).rejects.toThrow("401");
    await expect(dial(`/elsewhere?${query}`, {})).rejects.toThrow("404");
    const other = await dial("/ws/agent/chat?sessionId=s&projectKey=x", { authorization: "Bearer s3cret" });
    expect(await other.closed).toBe(1003);
    await expect(listenSmanPlugin(plugin, { projectKey: "p", host: "0.0.0.0" })).rejects.toThrow("expected a token");
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!hasPython)("a plugin in Python (needs python3) answers a backend (C01)", async () => {
  const { backend, port } = await startBackend();
  const file = fileURLToPath(new URL("fixtures/plugin.py", import.meta.url));
  const child = spawn("python3", [file, `${port}`, `/ws/agent/chat?${query}`, "结果"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = once(child, "exit");
  onTestFinished(() => void child.kill());
  const ide = await backend.ide();
  const calls = Array.from({ length: 20 }, (_, n) => ide.call("grep_file", { pattern: `待办 ${n}` }));
  expect((await Promise.all(calls)).map(({ result }) => result)).toEqual(calls.map((_, n) => `结果: 待办 ${n}`));
  await expect(ide.call("read_file", { relativePath: "a" })).rejects.toThrow("不支持的工具: read_file");
  await ide.close();
  expect((await exit)[0]).toBe(0);
});
