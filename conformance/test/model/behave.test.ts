import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behaviorScript, type ModelTurn, nextStep } from "../../src/model/index.js";
import { openScratch, type Scratch } from "../../src/model/scratch.js";
import type { ToolMap } from "../../src/model/tools.js";
import { findToken } from "../../src/model/token.js";
import { callFor } from "../../src/model/tools.js";

let scratch: Scratch;
beforeAll(() => void (scratch = openScratch()));
afterAll(() => scratch.remove());

const tools: ToolMap = {
  read: { name: "read_file", args: { path: "{path}" } },
  edit: { name: "write_file", args: { path: "{path}", content: "{content}" } },
  execute: { name: "run", args: { argv: "{argv}", note: "for {reason}" } },
  plan: { name: "plan", args: { entries: "{entries}" } },
};
const offered = (...names: string[]) => new Map(names.map((name) => [name, { name, description: "", parameters: {} }]));
const all = offered("read_file", "write_file", "run", "plan");

function step(prompt: string, turn: Partial<ModelTurn> = {}) {
  return nextStep(behaviorScript({ scratch, tools }), {
    prompt,
    past: [],
    system: "",
    tools: all,
    earlier: [],
    rounds: [],
    ...turn,
  });
}
const callOf = (one: ReturnType<typeof step>) => ("fail" in one ? undefined : one.calls?.[0]);
const used = [{ name: "read_file", args: {}, result: "ok" }];

describe("the model", () => {
  test.each([
    ["[[conf:text]]", { say: ["ok"] }],
    ['Please <q>[[conf:text {"text":"a]]b"}]]</q> now', { say: ["a]]b"] }],
    ['[[conf:chunks {"count":3}]]', { say: ["1 ", "2 ", "3 "] }],
    ['[[conf:slow {"ms":50}]]', { say: ["working"], holdMs: 50 }],
    ['[[conf:long {"size":3}]]', { say: ["xxx"] }],
    ["[[conf:refuse]]", { finish: "content_filter" }],
    ["[[conf:max-tokens]]", { finish: "length" }],
    ["[[conf:error]]", { fail: { status: 400 } }],
    ["[[conf:fly]]", { fail: { status: 400, message: 'There is no behavior "fly"' } }],
    ["Hello", { say: ["ok"] }],
  ])("does what %s says", (prompt, expected) => expect(step(prompt)).toMatchObject(expected));

  test("says what the user said before", () => {
    expect(step("[[conf:recall]]", { past: ["One", "Two"] })).toEqual({ say: ["One\nTwo"] });
  });

  test("calls a tool, and is done when its result is there", () => {
    const call = callOf(step('[[conf:tool-ok {"text":"hello"}]]'));
    expect(call?.name).toBe("read_file");
    expect(readFileSync(String(call?.args["path"]), "utf8")).toBe("hello");
    expect(step("[[conf:tool-ok]]", { rounds: [used] })).toEqual({ say: ["done"] });
  });

  test("fails by reading what is not there, and writes what nobody wrote", () => {
    expect(existsSync(String(callOf(step("[[conf:tool-fail]]"))?.args["path"]))).toBe(false);
    const paths = [1, 2].map(() => callOf(step('[[conf:write-file {"content":"x"}]]'))?.args);
    expect(paths[0]).toMatchObject({ content: "x" });
    expect(paths[0]?.["path"]).not.toBe(paths[1]?.["path"]);
    expect(callOf(step('[[conf:write-file {"path":"a.txt","content":"x"}]]'))?.args).toEqual({
      path: "a.txt",
      content: "x",
    });
  });

  test("asks by running something, with arguments of their own types", () => {
    expect(callOf(step("[[conf:ask-permission]]"))).toMatchObject({
      name: "run",
      args: { argv: ["node", "-e", expect.any(String)], note: "for the conformance suite asks for it" },
    });
  });

  test("asks by a command that no agent takes for harmless", () => {
    const parameters = { properties: { command: { type: "string" } } };
    const bash = new Map([["bash", { name: "bash", description: "", parameters }]]);
    const turn = { past: [], system: "", tools: bash, earlier: [], rounds: [] };
    const calls = (prompt: string) => nextStep(behaviorScript({ scratch }), { ...turn, prompt });
    expect(calls("[[conf:ask-permission]]")).toMatchObject({
      calls: [{ args: { command: expect.stringMatching(/^node -e /) } }],
    });
    expect(calls("[[conf:terminal]]")).toMatchObject({
      calls: [{ args: { command: expect.stringMatching(/^printf /) } }],
    });
  });

  test("plans twice", () => {
    const statusAfter = (rounds: ModelTurn["rounds"]) => callOf(step("[[conf:plan]]", { rounds }))?.args["entries"];
    expect(statusAfter([])).toMatchObject([{ status: "in_progress" }, {}]);
    expect(statusAfter([used])).toMatchObject([{ status: "completed" }, {}]);
    expect(step("[[conf:plan]]", { rounds: [used, used] })).toEqual({ say: ["planned"] });
  });

  test("calls without end", () => {
    expect(callOf(step("[[conf:max-turn-requests]]", { rounds: Array.from({ length: 200 }, () => used) }))?.name).toBe(
      "read_file",
    );
  });

  test("says so when the tool is unknown", () => {
    expect(step("[[conf:tool-ok]]", { tools: offered("dance") })).toMatchObject({
      fail: { message: expect.stringContaining('"read"') },
    });
  });

  test("answers a question for a title neutrally", () => {
    const system = "Write a title for the conversation.";
    expect(step("[[conf:error]]", { tools: offered(), system })).toEqual({ say: ["ok"] });
    expect(step("[[conf:error]]", { system })).toMatchObject({ fail: {} });
  });
});

test("the last token counts, and a text that is not a token does not", () => {
  expect(findToken('[[conf:text]] [[conf:plan {"a":1}]]')).toEqual({ name: "plan", args: { a: 1 } });
  expect(findToken("[[conf:text]] [[conf:plan {]] ")).toEqual({ name: "text", args: {} });
  for (const text of ["conf:text", "[[conf:]]", "[[conf:text", "[[conf:text [1]]]"])
    expect(findToken(text)).toBeUndefined();
});

test.each<[string, string, object, object]>([
  ["read", "Read", { file_path: { type: "string" }, limit: { type: "integer" } }, { file_path: "/a" }],
  [
    "edit",
    "write_file",
    { path: { type: "string" }, content: { type: "string" }, mode: { enum: ["w", "a"] } },
    { path: "/a", content: "ok", mode: "w" },
  ],
  [
    "execute",
    "Bash",
    { command: { type: "string" }, description: { type: "string" } },
    { command: "true", description: "why" },
  ],
  ["execute", "shell", { command: { type: "array" }, mode: { type: "boolean" } }, { command: ["true"], mode: false }],
])("without a map, %s is called as %s", (kind, name, properties, args) => {
  const tool = { name, description: "", parameters: { properties, required: ["mode"] } };
  const values = { path: "/a", content: "ok", command: "true", argv: ["true"], reason: "why" };
  expect(
    callFor(
      kind,
      values,
      new Map([
        ["other", { ...tool, name: "other" }],
        [name, tool],
      ]),
      {},
    ),
  ).toEqual({ name, args });
});
