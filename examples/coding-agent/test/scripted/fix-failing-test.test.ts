import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  type ModelAnswer,
  type ModelTurn,
  nextStep,
  type ToolRequest,
  type ToolUse,
} from "@editwire/conformance/model";
import { fixFailingTest } from "../../src/scripted/fix-failing-test.js";

const project = new URL("../../../sample-project/", import.meta.url);
const ALL_TOOLS = ["update_plan", "list_files", "read_file", "search", "edit_file", "write_file", "run_command"];

const tap = (pass: number, fail: number, name = "a room can be booked again") =>
  `Exit code ${Math.min(fail, 1)}\n${fail > 0 ? failure(name) : ""}# pass ${pass}\n# fail ${fail}\n`;

const failure = (name: string) =>
  `not ok 2 - ${name}\n  location: '/p/test/calendar.test.js:15:1'\n  stack: |-\n` +
  "    book (file:///p/src/calendar.js:18:15)\n";

type Tools = Record<string, (args: Readonly<Record<string, unknown>>) => string | Promise<string>>;

/** The sample project behind tools that answer as the agent's do. */
function toolbox(overrides: Tools = {}): Tools {
  const runs = [tap(10, 1), tap(11, 0)];
  return {
    update_plan: () => "The plan is shown.",
    list_files: async () =>
      (await readdir(project, { recursive: true }))
        .filter((name) => /\.\w+$/.test(name))
        .sort()
        .join("\n"),
    read_file: async ({ path }) => (await readFile(new URL(String(path), project), "utf8")).replace(/^/gm, "1\t"),
    search: () =>
      'src/calendar.js:2: import { overlaps } from "./stay.js";\nsrc/stay.js:18: export function overlaps(a, b) {',
    edit_file: () => "Edited src/stay.js at line 19.",
    run_command: () => runs.shift() ?? "",
    ...overrides,
  };
}

/** Plays the loop of an agent: every step's calls are answered until a step has none. */
async function play(
  prompt: string,
  box: Tools,
  { tools = ALL_TOOLS, earlier = [] }: { tools?: string[]; earlier?: ToolUse[] } = {},
) {
  const offered = new Map(tools.map((name) => [name, { name, description: "", parameters: {} }]));
  const rounds: ToolUse[][] = [];
  const steps: ModelAnswer[] = [];
  for (;;) {
    const turn: ModelTurn = { prompt, past: [], system: "", tools: offered, earlier, rounds };
    const step = nextStep(fixFailingTest, turn);
    if ("fail" in step) throw new Error(step.fail.message);
    steps.push(step);
    if (step.calls === undefined)
      return { steps, calls: rounds.flat().filter(({ name }) => name !== "update_plan"), end: step.say ?? "" };
    rounds.push(
      await Promise.all(
        step.calls.map(async ({ name, args }: ToolRequest) => ({
          name,
          args,
          result: (await box[name]?.(args)) ?? "Error: no such tool",
        })),
      ),
    );
  }
}

describe("the script that fixes a failing test", () => {
  it("goes from the failing test to the defect, corrects it and runs the tests again", async () => {
    const { calls, end, steps } = await play("Please fix the failing test.", toolbox());
    expect(calls.map(({ name, args }) => [name, args["path"] ?? args["pattern"] ?? args["argv"]])).toEqual([
      ["list_files", undefined],
      ["run_command", ["node", "--test"]],
      ["read_file", "test/calendar.test.js"],
      ["read_file", "src/calendar.js"],
      ["search", "\\boverlaps\\b"],
      ["read_file", "src/stay.js"],
      ["edit_file", "src/stay.js"],
      ["run_command", ["node", "--test"]],
    ]);
    expect(calls.at(-2)?.args).toMatchObject({
      old_text: "return a.from <= b.to && b.from <= a.to;",
      new_text: "return a.from < b.to && b.from < a.to;",
    });
    expect(steps[0]?.think).toBeDefined();
    expect(end).toMatch(/^All 11 tests pass now\./);
  });

  it("says that the edit was rejected, and stops", async () => {
    const { calls, end } = await play("Fix it", toolbox({ edit_file: () => "The user rejected this call." }));
    expect(calls.at(-1)?.name).toBe("edit_file");
    expect(end).toMatch(/rejected the edit.*stays as it is/);
  });

  it("says that a test still fails", async () => {
    const { end } = await play("Fix it", toolbox({ run_command: () => tap(10, 1) }));
    expect(end).toMatch(/After the edit 1 of 11 tests still fails/);
  });

  it("changes nothing when all tests pass", async () => {
    const { calls, end } = await play("Fix it", toolbox({ run_command: () => tap(11, 0) }));
    expect(calls.map(({ name }) => name)).toEqual(["list_files", "run_command"]);
    expect(end).toBe("All 11 tests pass: there is nothing to fix.");
  });

  it("reads instead of running where it may not run, and says that nothing was tested", async () => {
    const { calls, end } = await play("Fix it", toolbox(), {
      tools: ALL_TOOLS.filter((name) => name !== "run_command"),
    });
    expect(calls.at(-1)).toMatchObject({ name: "edit_file", args: { path: "src/stay.js" } });
    expect(end).toMatch(/I could not run the tests/);
  });

  it("shows the change where it may not edit", async () => {
    const { calls, end } = await play("Fix it", toolbox(), {
      tools: ["update_plan", "list_files", "read_file", "search"],
    });
    expect(calls.map(({ name }) => name)).not.toContain("edit_file");
    expect(end).toContain("+ return a.from < b.to && b.from < a.to;");
  });

  it.each<[string, Tools, RegExp]>([
    [
      "the folder cannot be listed",
      { list_files: () => "Error: no access" },
      /cannot see the project: Error: no access/,
    ],
    ["there are no tests", { list_files: () => "README.md" }, /no tests in this folder/],
    ["the output is not a test report", { run_command: () => "Exit code 1\nwhat?" }, /cannot tell from this output/],
    [
      "the source is missing",
      { read_file: () => "Error: The file does not exist" },
      /no defect that I would be sure of/,
    ],
    [
      "the edit does not work",
      { edit_file: () => "Error: old_text does not occur" },
      /did not work, so I stop here: Error: old_text/,
    ],
  ])("says so when %s", async (_case, overrides, expected) => {
    expect((await play("Fix the failing test", toolbox(overrides))).end).toMatch(expected);
  });

  it("reads the spec reporter's output, too", async () => {
    const report =
      "✖ a room can be booked again (0.5ms)\n  at Object.book (file:///p/src/calendar.js:18:15)\n" +
      "  test at test/calendar.test.js:15:1\nℹ pass 10\nℹ fail 1\n";
    const { steps } = await play("Fix it", toolbox({ run_command: () => report }));
    expect(steps[2]?.say).toMatch(/^1 of 11 tests fails: “a room can be booked again”/);
  });

  it("answers a question about its edit from the conversation", async () => {
    const earlier = [
      {
        name: "edit_file",
        args: { path: "src/stay.js", old_text: "a <= b", new_text: "a < b" },
        result: "Edited src/stay.js at line 19.",
      },
    ];
    expect((await play("What did you change?", toolbox(), { earlier })).end).toContain("- a <= b\n+ a < b");
  });

  it("introduces itself when there is nothing that it could do", async () => {
    expect((await play("Hello", toolbox())).end).toMatch(/stands in for a language model/);
  });
});
