import { isRemoteError, isWireError } from "@editwire/core";
import type { SmanToolInputs, SmanToolName } from "@editwire/sman-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { createSmanBackend, toolFailed } from "../src/index.js";
import { answer, result, startBackend } from "./support/backends.js";

it("reports what the promise of onIde rejects with", async () => {
  const errors: unknown[] = [];
  const backend = createSmanBackend({
    onIde: () => Promise.reject(new Error("rejected")),
    onError: (error) => void errors.push(error),
  });
  backend.attach(memoryPair()[0], { sessionId: "test-123", projectKey: "autoloop" });
  await new Promise((resolve) => setTimeout(resolve));
  expect(errors).toMatchObject([{ message: "rejected" }]);
  await backend.close();
});

const grep = { pattern: "TODO" };
const warning = (id: string): string => `⚠️ 未找到对应的工具调用: toolCallId=${id}`;

describe("a call", () => {
  it("is one text frame with its fields at the root, as the specification shows it (C01, C02, C21, C27)", async () => {
    const { dial } = await startBackend();
    const { raw, ide } = await dial();
    const done = ide.call("grep_file", {
      pattern: "待办 🚀",
      regex: false,
      context_lines: 2,
      relativePath: "a/文.java",
    });
    const frame = await answer(raw, { success: true, result: "## 文件内容搜索", executionTime: 150 });
    const { webSocketSessionId } = ide;
    expect(frame).toEqual({
      type: "TOOL_CALL",
      toolCallId: expect.stringMatching(/^grep_file-[\da-f]{8}-\d{13}-1$/),
      toolName: "grep_file",
      params: {
        pattern: "待办 🚀",
        regex: false,
        context_lines: 2,
        relativePath: "a/文.java",
        projectKey: "autoloop",
        webSocketSessionId,
      },
      webSocketSessionId,
    });
    expect(String(frame["toolCallId"])).toContain(webSocketSessionId.slice(0, 8));
    expect(await done).toEqual({ result: "## 文件内容搜索", executionTime: 150 });
  });

  it("is one of 1,000 in parallel, all with ids of their own, settled in any order (C08, C10, C11)", async () => {
    const { dial, diagnostics } = await startBackend();
    const { raw, ide } = await dial();
    const calls = Array.from({ length: 1_000 }, (_, n) => ide.call("grep_file", { pattern: `p${n}` }));
    while (raw.all("TOOL_CALL").length < 1_000) await raw.settled();
    const frames = raw.all("TOOL_CALL");
    expect(new Set(frames.map(({ toolCallId }) => toolCallId)).size).toBe(1_000);
    const shuffled = [...frames].sort((a, b) => String(a["toolCallId"]).localeCompare(String(b["toolCallId"])));
    for (const { toolCallId, params } of shuffled)
      raw.send(result(toolCallId, { success: true, result: (params as { pattern: string }).pattern }));
    expect((await Promise.all(calls)).map((one) => one.result)).toEqual(calls.map((_, n) => `p${n}`));
    expect(diagnostics).toEqual([]);
  });

  it("has an id of a session of its own on each connection (C21)", async () => {
    const { dial } = await startBackend();
    const [one, two] = [await dial(), await dial()];
    expect(one.ide.webSocketSessionId).not.toBe(two.ide.webSocketSessionId);
    void one.ide.call("read_file", { relativePath: "a" }).catch(() => {});
    void one.ide.call("read_file", { relativePath: "b" }).catch(() => {});
    for (const frame of [await one.raw.next(), await one.raw.next()]) {
      expect(frame["webSocketSessionId"]).toBe(one.ide.webSocketSessionId);
      expect(frame["params"]).toMatchObject({ webSocketSessionId: one.ide.webSocketSessionId });
    }
  });

  const refused: [SmanToolName, object, string][] = [
    ["grep_file", {}, "pattern"],
    ["grep_file", { pattern: "" }, "pattern"],
    ["read_file", {}, "relativePath"],
    ["call_chain", {}, "method"],
    ["call_chain", { method: "noDot" }, "method"],
    ["apply_change", { replaceContent: "x" }, "relativePath"],
    ["apply_change", { relativePath: "a" }, "replaceContent"],
    ["grep_file", { pattern: "a", limit: "20" }, "limit"],
    ["grep_file", { pattern: "a", contextLines: 2 }, "contextLines"],
  ];
  it.each(refused)("of %s with %j is refused before a frame leaves (C17, reading 17)", async (tool, params, name) => {
    const { dial } = await startBackend();
    const { raw, ide } = await dial();
    const refusal = ide.call(tool, params as SmanToolInputs[typeof tool]);
    await expect(refusal).rejects.toMatchObject({ name: "WireError", code: "invalid_params" });
    await expect(refusal).rejects.toThrow(new RegExp(`^${tool}: params\\.${name}: `));
    await raw.settled();
    expect(raw.frames).toEqual([]);
  });

  it("of a tool that failed rejects with the tool's text (C18, C19)", async () => {
    const { dial } = await startBackend();
    const { raw, ide } = await dial();
    const failures: [object, string][] = [
      [{ success: false, error: "文件不存在: a" }, "文件不存在: a"],
      [{ success: false, result: "no such file" }, "no such file"],
      [{ success: false, error: "" }, "未知错误"],
      [{ success: false }, "未知错误"],
      [{}, "未知错误"],
      [{ success: false, error: null, result: "text" }, "text"],
    ];
    for (const [fields, text] of failures) {
      const call = ide.call("grep_file", grep);
      await answer(raw, fields);
      const error = await call.catch((thrown: unknown) => thrown);
      expect(isRemoteError(error, toolFailed)).toBe(true);
      expect(error).toMatchObject({ message: text });
    }
  });

  it("may be answered with a result that is not a string, or with none (C19, reading 5)", async () => {
    const { dial, diagnostics } = await startBackend();
    const { raw, ide } = await dial();
    const answers: [object, string][] = [
      [{ success: true, result: { matches: [1] } }, '{"matches":[1]}'],
      [{ success: true }, ""],
      [{ success: true, result: "text", error: "ignored", extra: { deep: 1 } }, "text"],
    ];
    for (const [fields, text] of answers) {
      const call = ide.call("grep_file", grep);
      await answer(raw, fields);
      expect(await call).toEqual({ result: text, executionTime: undefined });
    }
    expect(diagnostics.map(({ id }) => id)).toEqual(["result-value"]);
  });

  it("fails after its time, and a late or second result is reported and dropped (C12, C13, C14)", async () => {
    const { dial, diagnostics } = await startBackend({ timeoutMs: 20 });
    const { raw, ide } = await dial();
    // The time may be over before this process reads what it sent.
    const late = expect(ide.call("grep_file", grep)).rejects.toMatchObject({
      code: "timeout",
      message: "grep_file: no reply within 20 ms",
    });
    const { toolCallId: lateId } = await raw.next();
    await late;
    const call = ide.call("grep_file", grep, { timeoutMs: 30_000 });
    const { toolCallId } = await raw.next();
    raw.send(result(lateId));
    raw.send(result("never-made"));
    raw.send(result(toolCallId, { success: true, result: "first" }));
    raw.send(result(toolCallId, { success: true, result: "second" }));
    await raw.settled();
    expect((await call).result).toBe("first");
    expect(diagnostics.map(({ message }) => message)).toEqual(
      [lateId, "never-made", toolCallId].map((id) => warning(String(id))),
    );
    expect(raw.frames).toHaveLength(2);
    const after = ide.call("grep_file", grep, { timeoutMs: 30_000 });
    await answer(raw);
    expect((await after).result).toBe("done");
  });

  it("waits 30 s where nobody says otherwise (C14)", async () => {
    const { dial } = await startBackend();
    const { ide } = await dial();
    const controller = new AbortController();
    const call = ide.call("grep_file", grep, { signal: controller.signal });
    controller.abort(new Error("the user left"));
    await expect(call).rejects.toMatchObject({ code: "aborted", message: "grep_file: aborted" });
    await expect(ide.call("grep_file", grep, { timeoutMs: 1 })).rejects.toMatchObject({ code: "timeout" });
  });

  it("fails at once when its connection is lost; others go on (C15, C28)", async () => {
    const { dial, backend } = await startBackend();
    const [lost, other] = [await dial(), await dial("sessionId=s2&projectKey=p2")];
    const pending = Array.from({ length: 50 }, () => lost.ide.call("grep_file", grep));
    const going = other.ide.call("grep_file", grep);
    await lost.raw.next();
    const startedAt = performance.now();
    lost.raw.kill();
    const ends = await Promise.allSettled(pending);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(ends.every((end) => end.status === "rejected" && isWireError(end.reason, "closed"))).toBe(true);
    await expect(lost.ide.call("grep_file", grep)).rejects.toMatchObject({ code: "closed" });
    await answer(other.raw);
    expect((await going).result).toBe("done");
    expect(backend.ides).toEqual([other.ide]);
  });

  it("is not settled by a result on another connection (C16)", async () => {
    const { dial, diagnostics } = await startBackend();
    const [one, two] = [await dial(), await dial()];
    const call = one.ide.call("grep_file", grep);
    const { toolCallId } = await one.raw.next();
    two.raw.send(result(toolCallId, { success: true, result: "forged" }));
    await two.raw.settled();
    expect(diagnostics.map(({ message }) => message)).toEqual([warning(String(toolCallId))]);
    one.raw.send(result(toolCallId, { success: true, result: "true" }));
    expect((await call).result).toBe("true");
  });

  it("is refused above maxCalls", async () => {
    const { dial } = await startBackend({ maxCalls: 1 });
    const { raw, ide } = await dial();
    const call = ide.call("grep_file", grep);
    await expect(ide.call("grep_file", grep)).rejects.toMatchObject({ code: "overloaded" });
    await answer(raw);
    await call;
  });
});

describe("results that cannot be read", () => {
  it("change nothing, and the connection stays (C04, C20)", async () => {
    const { dial, diagnostics, errors } = await startBackend();
    const { raw, ide } = await dial();
    const call = ide.call("grep_file", grep);
    const { toolCallId } = await raw.next();
    for (const junk of ["not JSON", "[]", "null", "3", "{}", '{"type":7}', '{"type":"NEW_TYPE","data":{}}'])
      raw.send(junk);
    raw.send(Buffer.from([0, 1, 2]));
    for (const junk of [
      { type: "TOOL_RESULT" },
      { type: "TOOL_RESULT", data: 1 },
      result(""),
      result(undefined),
      result({}),
    ])
      raw.send(junk);
    raw.send(result(toolCallId));
    expect((await call).result).toBe("done");
    expect(errors).toHaveLength(2);
    expect(diagnostics.map(({ id }) => id)).toContain("tagged.unknown-name");
    expect(raw.frames).toHaveLength(1);
  });

  it("fail their call in strict mode (readings 6 and 7)", async () => {
    const { dial } = await startBackend({ strict: true });
    const { raw, ide } = await dial();
    for (const fields of [
      {},
      { success: "true" },
      { success: true, result: {} },
      { success: false, errorMessage: "x" },
    ]) {
      const call = ide.call("grep_file", grep);
      await answer(raw, fields);
      await expect(call).rejects.toMatchObject({ name: "WireError", code: "invalid_result" });
    }
    const call = ide.call("grep_file", grep);
    await answer(raw, { success: false, error: "文件不存在" });
    await expect(call).rejects.toMatchObject({ name: "RemoteError", message: "文件不存在" });
  });
});

describe("backend.ide", () => {
  it("is the newest plugin of the session and the project, or the next", async () => {
    const { dial, backend } = await startBackend();
    const waiting = backend.ide({ projectKey: "p2" });
    const [one, two] = [await dial(), await dial("sessionId=s2&projectKey=p2&projectPath=%2Fhome%2Fme&mode=ask")];
    expect(await waiting).toBe(two.ide);
    expect(two.ide).toMatchObject({ sessionId: "s2", projectKey: "p2", projectPath: "/home/me", mode: "ask" });
    expect(await backend.ide()).toBe(two.ide);
    expect(await backend.ide({ sessionId: "test-123" })).toBe(one.ide);
    expect(backend.ides).toEqual([one.ide, two.ide]);
  });

  it("ends with its signal, its time and the backend", async () => {
    const backend = createSmanBackend();
    await expect(backend.ide({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "timeout" });
    await expect(backend.ide({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    const waiting = backend.ide();
    await backend.close();
    await expect(waiting).rejects.toMatchObject({ code: "closed" });
    await expect(backend.ide()).rejects.toMatchObject({ code: "closed" });
  });
});
