import { describe, expect, it } from "vitest";
import { smanProfiles } from "../src/index.js";
import { startBackend } from "./support/backends.js";
import { ask, startPlugin } from "./support/plugins.js";

const params = { pattern: "TODO", projectKey: "autoloop" };
const echo = {
  grep_file: ({ pattern, context_lines }: { pattern: string; context_lines?: number | undefined }) =>
    `${pattern} ${context_lines}`,
};

/** A call as sman had it before the specification, in each of its texts, and what it makes a strict plugin do. */
const calls: [string, object, string | undefined][] = [
  ["in data", { data: { toolCallId: "1", toolName: "grep_file", params: { ...params, context_lines: 2 } } }, undefined],
  [
    "in data, with callId and parameters",
    { data: { callId: "1", toolName: "grep_file", parameters: { ...params, contextLines: 2 } } },
    undefined,
  ],
  [
    "with callId at the root",
    { callId: "1", toolName: "grep_file", params: { ...params, context_lines: 2 } },
    undefined,
  ],
  [
    "with parameters at the root",
    { toolCallId: "1", toolName: "grep_file", parameters: { ...params, context_lines: 2 } },
    "call-names",
  ],
  ["in snake case", { tool_call_id: "1", tool_name: "grep_file", params: { ...params, context_lines: 2 } }, undefined],
  [
    "with params in camel case",
    { toolCallId: "1", toolName: "grep_file", params: { ...params, contextLines: 2 } },
    "param-names",
  ],
];

describe("a call in another dialect", () => {
  it.each(calls)("%s is executed and reported (readings 14, 21)", async (_name, message) => {
    const { backend, diagnostics } = await startPlugin(echo);
    expect(await ask(backend, { type: "TOOL_CALL", ...message })).toMatchObject({
      toolCallId: "1",
      success: true,
      result: "TODO 2",
    });
    expect(diagnostics.length).toBeGreaterThan(0);
  });

  it.each(calls)("%s is not executed in strict mode (C46)", async (_name, message, row) => {
    const runs: unknown[] = [];
    const tools = { grep_file: (given: unknown) => (runs.push(given), "") };
    const { backend, diagnostics } = await startPlugin(tools, { strict: true });
    backend.send({ type: "TOOL_CALL", ...message });
    await backend.settled();
    expect(runs).toEqual([]);
    expect(backend.frames.map(({ data }) => [data["toolCallId"], data["success"]])).toEqual(
      row === undefined ? [] : [["1", false]],
    );
    if (row === undefined) expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.form"]);
    else expect(backend.frames[0]?.data["error"]).toContain(row);
  });

  it("has the root count where both levels have fields", async () => {
    const { backend, diagnostics } = await startPlugin(echo);
    const root = { type: "TOOL_CALL", toolCallId: "root", toolName: "grep_file", params };
    expect(await ask(backend, { ...root, data: { toolCallId: "data" } })).toMatchObject({ toolCallId: "root" });
    expect(diagnostics).toEqual([]);
  });
});

/** A result as sman had it before and after the specification. */
const results: [string, (toolCallId: unknown) => object, object][] = [
  [
    "at the root",
    (toolCallId) => ({ toolCallId, success: true, result: "done", executionTime: 1 }),
    { result: "done", executionTime: 1 },
  ],
  ["with callId", (callId) => ({ data: { callId, success: true, result: "done" } }), { result: "done" }],
  [
    "of a failure at the root, whose text is in result",
    (toolCallId) => ({ toolCallId, success: false, result: "no" }),
    { message: "no" },
  ],
  [
    "of a failure with callId and errorMessage",
    (callId) => ({ data: { callId, success: false, errorMessage: "no" } }),
    { message: "no" },
  ],
];

describe("a result in another dialect", () => {
  it.each(results)("%s settles its call and is reported (readings 6, 21)", async (_name, resultOf, expected) => {
    const { dial, diagnostics } = await startBackend();
    const { raw, ide } = await dial();
    const call = ide.call("grep_file", { pattern: "a" });
    const { toolCallId } = await raw.next();
    raw.send({ type: "TOOL_RESULT", ...resultOf(toolCallId) });
    expect(await call.catch((error: unknown) => error)).toMatchObject(expected);
    expect(diagnostics[0]?.id).toBe("tagged.form");
  });

  it.each(results)("%s is ignored in strict mode", async (_name, resultOf) => {
    const { dial, diagnostics } = await startBackend({ strict: true });
    const { raw, ide } = await dial();
    const call = ide.call("grep_file", { pattern: "a" });
    const { toolCallId } = await raw.next();
    raw.send({ type: "TOOL_RESULT", ...resultOf(toolCallId) });
    raw.send({ type: "TOOL_RESULT", data: { toolCallId, success: true, result: "proper" } });
    expect((await call).result).toBe("proper");
    expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.form"]);
  });
});

it("a copied profile behaves like its original", async () => {
  for (const original of Object.values(smanProfiles)) {
    const { dial } = await startBackend({ profile: { ...original, name: "mine" } });
    const { raw, ide } = await dial();
    await raw.settled();
    expect(raw.frames.map(({ type }) => type)).toEqual(original.traits.conversation ? ["CONNECTED"] : []);
    if (original.traits.conversation) void ide.notify("PONG", { timestamp: 1 });
    else expect(() => ide.notify("PONG", { timestamp: 1 })).toThrow('the profile "v2" has it');
  }
});
