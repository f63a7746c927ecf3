import { RemoteError, WireError } from "@editwire/core";
import type { SmanToolHandlers } from "@editwire/sman-schema";
import { describe, expect, it } from "vitest";
import { deferred } from "../../transport/test/raw-socket.js";
import { createSmanPlugin } from "../src/index.js";
import { ask, call, startPlugin } from "./support/plugins.js";

const echo: SmanToolHandlers = { grep_file: ({ pattern }) => `found ${pattern}` };

describe("a call", () => {
  it("is answered as the specification shows it, everything in data (C03, C40, C41)", async () => {
    const { backend } = await startPlugin(echo);
    backend.send(call("grep_file-83742e07-1767686721056", "grep_file", { pattern: "待办 🚀" }));
    expect(await backend.next()).toEqual({
      type: "TOOL_RESULT",
      data: {
        toolCallId: "grep_file-83742e07-1767686721056",
        success: true,
        result: "found 待办 🚀",
        executionTime: expect.toSatisfy((ms: number) => Number.isInteger(ms) && ms >= 0),
      },
    });
  });

  it.each(["é\u0000\ud83d\ude80".padEnd(256, "x"), " ", "a/b c", 7])(
    "has its id %j echoed as it is (C40)",
    async (id) => {
      const { backend } = await startPlugin(echo);
      expect((await ask(backend, call(id, "grep_file", { pattern: "a" })))["toolCallId"]).toBe(id);
    },
  );

  it("gets the params with the connection's project and session", async () => {
    const seen: unknown[] = [];
    const { backend, diagnostics } = await startPlugin({ read_file: (params) => (seen.push(params), "") });
    const lines = { relativePath: "a", start_line: 1, unknown: [1] };
    await ask(backend, {
      type: "TOOL_CALL",
      toolCallId: "1",
      toolName: "read_file",
      params: {
        ...lines,
        projectKey: "autoloop",
        webSocketSessionId: "inside",
        projectRoot: "/",
        project_root: "/",
        projectPath: "/",
      },
      webSocketSessionId: "root",
      projectPath: "/etc",
    });
    expect(seen).toEqual([{ ...lines, projectKey: "autoloop", webSocketSessionId: "root" }]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["two-sessions"]); // reading 2
  });

  it("without a project fails, because the specification requires it", async () => {
    const { backend } = await startPlugin({ read_file: () => "" });
    const call = { type: "TOOL_CALL", toolName: "read_file", webSocketSessionId: "root" };
    for (const projectKey of [undefined, null]) {
      const params = { relativePath: "a", projectKey };
      const answer = await ask(backend, { ...call, toolCallId: `1-${projectKey}`, params });
      expect(answer).toMatchObject({ success: false, error: expect.stringContaining("projectKey") as string });
    }
  });

  it("of another project fails (reading 24)", async () => {
    const { backend } = await startPlugin(echo);
    const other = {
      type: "TOOL_CALL",
      toolCallId: "1",
      toolName: "grep_file",
      params: { pattern: "a", projectKey: "x" },
    };
    expect(await ask(backend, other)).toMatchObject({ success: false, error: "projectKey 不匹配: x" });
  });

  const missing: [string, object, string][] = [
    ["grep_file", {}, "缺少必需参数: pattern"],
    ["read_file", {}, "缺少必需参数: relativePath"],
    ["call_chain", {}, "缺少必需参数: method"],
    ["apply_change", { relativePath: "a" }, "缺少必需参数: replaceContent"],
    ["apply_change", { replaceContent: "a" }, "缺少必需参数: relativePath"],
    ["grep_file", { pattern: "a", limit: "many" }, "参数无效: limit: expected number, received string"],
    ["call_chain", { method: "noDot" }, "参数无效: method: expected ClassName.methodName"],
  ];
  it.each(missing)("of %s with %j fails and names the param (C45, reading 9)", async (tool, params, error) => {
    const runs: string[] = [];
    const run = (): string => (runs.push(tool), "");
    const { backend } = await startPlugin({ grep_file: run, read_file: run, call_chain: run, apply_change: run });
    expect(await ask(backend, call("1", tool, params))).toMatchObject({ toolCallId: "1", success: false, error });
    expect(runs).toEqual([]);
  });

  it("without toolName or params fails, and without an id has an empty one (C44, C45, reading 22)", async () => {
    const { backend } = await startPlugin(echo);
    const base = { type: "TOOL_CALL", toolCallId: "1" };
    expect(await ask(backend, { ...base, params: {} })).toMatchObject({
      success: false,
      error: "缺少必需参数: toolName",
    });
    expect(await ask(backend, { ...base, toolCallId: "2", toolName: "grep_file" })).toMatchObject({
      success: false,
      error: "缺少必需参数: params",
    });
    const { error } = (await ask(backend, { ...base, toolCallId: "3", toolName: "grep_file", params: [] })) as {
      error: string;
    };
    expect(error).toContain("params: expected");
    for (const toolCallId of [undefined, "", null, {}]) {
      expect(
        await ask(backend, { type: "TOOL_CALL", toolCallId, toolName: "grep_file", params: { pattern: "a" } }),
      ).toEqual({
        toolCallId: "",
        success: false,
        error: "toolCallId 字段缺失或为空",
        executionTime: 0,
      });
    }
  });

  it.each(["find_usages", "toString", "", "__proto__", "call_chain"])(
    "of the unknown tool %j fails (C43)",
    async (tool) => {
      const { backend } = await startPlugin(echo);
      expect(await ask(backend, call("1", tool, { method: "a.b" }))).toEqual({
        toolCallId: "1",
        success: false,
        error: `不支持的工具: ${tool}`,
        executionTime: 0,
      });
    },
  );

  it("is answered once, whatever its tool does wrong (C40, C41)", async () => {
    const results: unknown[] = [
      () => Promise.reject(new Error("secret /home/me")),
      () => Promise.reject(new RemoteError(1, "文件不存在: a")),
      () => {
        throw Object.assign(new Error("a is a folder"), { name: "ToolError" });
      },
      () => Promise.reject(new WireError("overloaded", "secret")) as never,
      () => undefined,
      () => 7,
      () => ({ success: "true", result: "x" }),
      () => ({ success: false, error: "" }),
      () => ({ success: true, result: "fine", path: "/home/me" }),
    ];
    const { backend, errors } = await startPlugin({ grep_file: () => (results.shift() as () => string)() });
    const answers: unknown[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { success, result, error } = await ask(backend, call(`c${n}`, "grep_file", { pattern: "a" }));
      answers.push(success === true ? result : [error]);
    }
    const crashed = ["工具执行异常"];
    expect(answers).toEqual([
      crashed,
      ["文件不存在: a"],
      ["a is a folder"],
      ["系统过载，请稍后重试"],
      crashed,
      crashed,
      crashed,
      ["未知错误"],
      "fine",
    ]);
    expect(errors.map((error) => (error as Error).message)).toEqual([
      "secret /home/me",
      "secret",
      ...Array<unknown>(3).fill(expect.stringContaining("expected the tool to return")),
    ]);
    await backend.settled();
    expect(backend.frames).toHaveLength(9);
  });

  it("does not wait for another (C47)", async () => {
    const slow = deferred<string>();
    const { backend } = await startPlugin({ ...echo, read_file: () => slow.promise });
    backend.send(call("slow", "read_file", { relativePath: "a" }));
    expect(await ask(backend, call("fast", "grep_file", { pattern: "a" }))).toMatchObject({ toolCallId: "fast" });
    slow.resolve("slow");
    expect((await backend.next()).data).toMatchObject({ toolCallId: "slow", result: "slow" });
  });

  it("is one of 1,000 at a time, all answered", async () => {
    const { backend } = await startPlugin(echo);
    for (let n = 0; n < 1_000; n += 1) backend.send(call(`c${n}`, "grep_file", { pattern: `p${n}` }));
    const seen = new Map<unknown, unknown>();
    while (seen.size < 1_000) {
      const { data } = await backend.next("TOOL_RESULT");
      seen.set(data["toolCallId"], data["result"]);
    }
    for (let n = 0; n < 1_000; n += 1) expect(seen.get(`c${n}`)).toBe(`found p${n}`);
  });

  it("ends as a failure when its tool takes too long, and the tool's signal aborts", async () => {
    const stopped = deferred();
    const { backend, errors } = await startPlugin(
      {
        grep_file: (_params, { signal }) =>
          new Promise(() => signal.addEventListener("abort", () => stopped.resolve())),
      },
      { toolTimeoutMs: 5 },
    );
    expect(await ask(backend, call("1", "grep_file", { pattern: "a" }))).toMatchObject({
      success: false,
      error: "工具执行超时: grep_file",
    });
    await stopped.promise;
    expect(errors).toEqual([]);
  });

  it("has its result cut below the limit of a message, with a note (C67)", async () => {
    const { backend } = await startPlugin({ grep_file: () => "待办".repeat(2_000_000) });
    const { result } = (await ask(backend, call("1", "grep_file", { pattern: "a" }))) as { result: string };
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeGreaterThan(8 * 1024 * 1024 - 7);
    expect(result).toMatch(/已截断（原文 4000000 字符）$/);
  });
});

describe("an id that comes again", () => {
  const change = (toolCallId: string, replaceContent = "b"): unknown =>
    call(toolCallId, "apply_change", { relativePath: "f", searchContent: "a", replaceContent });

  function changing(before?: Promise<void>) {
    const applied: string[] = [];
    const tools: SmanToolHandlers = {
      async apply_change({ replaceContent }) {
        await before;
        applied.push(replaceContent);
        return `applied ${applied.length}`;
      },
    };
    return { applied, tools };
  }

  it("gets its result again, and the change is not applied twice (C48)", async () => {
    const { applied, tools } = changing();
    const { backend, diagnostics } = await startPlugin(tools);
    const first = await ask(backend, change("1"));
    expect(await ask(backend, change("1"))).toEqual(first);
    expect(applied).toEqual(["b"]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["duplicate-call"]);
  });

  it("while it runs is neither run nor answered again (C40, C48)", async () => {
    const gate = deferred();
    const { applied, tools } = changing(gate.promise);
    const { backend, diagnostics } = await startPlugin(tools);
    for (let n = 0; n < 3; n += 1) backend.send(change("1"));
    await backend.settled();
    gate.resolve();
    expect((await backend.next()).data).toMatchObject({ success: true, result: "applied 1" });
    await backend.settled();
    expect([applied, backend.frames.length]).toEqual([["b"], 1]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.duplicate", "tagged.duplicate"]);
  });

  it("with other params fails, and nothing is run", async () => {
    const { applied, tools } = changing();
    const { backend } = await startPlugin(tools);
    await ask(backend, change("1"));
    const { success, error } = await ask(backend, change("1", "other"));
    expect([success, applied]).toEqual([false, ["b"]]);
    expect(error).toContain("duplicate toolCallId");
  });

  it("after more than 256 others is not run again either", async () => {
    const { applied, tools } = changing();
    const { backend } = await startPlugin({ ...tools, ...echo });
    await ask(backend, change("1"));
    for (let n = 0; n < 256; n += 1) await ask(backend, call(`c${n}`, "grep_file", { pattern: "a" }));
    const { success, error } = await ask(backend, change("1"));
    expect([success, applied]).toEqual([false, ["b"]]);
    expect(error).toContain("duplicate toolCallId");
  });

  it("on the next connection, for a change that was applied, gets its result (C48)", async () => {
    const gate = deferred();
    const { applied, tools } = changing(gate.promise);
    const { backend, raw } = await startPlugin(tools);
    backend.send(change("1"));
    await backend.settled();
    backend.kill();
    const next = await raw.accept();
    next.send(change("1"));
    await next.settled();
    gate.resolve();
    expect((await next.next()).data).toMatchObject({ toolCallId: "1", success: true, result: "applied 1" });
    expect(applied).toEqual(["b"]);
    expect(await ask(next, change("1", "other"))).toMatchObject({ success: false });
  });

  it("on the next connection is a new call for the tools that only read", async () => {
    const { backend, raw } = await startPlugin(echo);
    await ask(backend, call("1", "grep_file", { pattern: "a" }));
    backend.kill();
    const next = await raw.accept();
    expect(await ask(next, call("1", "grep_file", { pattern: "b" }))).toMatchObject({ result: "found b" });
  });
});

describe("createSmanPlugin", () => {
  const options = { projectKey: "p", dial: () => Promise.reject(new Error("not dialed")) };
  it("throws a TypeError for what cannot work", () => {
    expect(() => createSmanPlugin({} as never, options)).toThrow("expected tools to be an object");
    expect(() => createSmanPlugin({ tools: {} }, { ...options, projectKey: "" })).toThrow("expected projectKey to be");
    expect(() => createSmanPlugin({ tools: {} }, { ...options, toolTimeoutMs: -1 })).toThrow("toolTimeoutMs");
  });
});
