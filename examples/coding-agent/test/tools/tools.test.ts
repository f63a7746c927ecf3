import { readFile as readNative, writeFile as writeNative } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPlanEntry } from "@editwire/agent";
import { describe, expect, it } from "vitest";
import { ToolError } from "@editwire/ide-tools";
import { toolNamed, toolsFor } from "../../src/tools/registry.js";
import type { Action, ToolOutput } from "../../src/tools/tool.js";
import { openWorkspace } from "@editwire/ide-tools";
import { tempFolder } from "../support/temp-folder.js";

interface Bench {
  readonly cwd: string;
  readonly plans: (readonly AgentPlanEntry[])[];
  prepare(name: string, input: unknown): Promise<Action>;
  run(name: string, input: unknown): Promise<ToolOutput>;
}

async function bench(files: Record<string, string> = {}): Promise<Bench> {
  const cwd = await tempFolder(files);
  const workspace = await openWorkspace(cwd);
  const plans: (readonly AgentPlanEntry[])[] = [];
  const { signal } = new AbortController();
  const prepare: Bench["prepare"] = async (name, input) => {
    const tool = toolNamed(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.open(JSON.stringify(input)).prepare({
      workspace,
      signal,
      ask: async (question, [first] = []) => first && `${question} ${first}`,
      showPlan: (entries) => void plans.push(entries),
    });
  };
  return { cwd, plans, prepare, run: async (name, input) => (await prepare(name, input)).run() };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n") + "\n";

describe("list_files", () => {
  it("lists the project or a folder", async () => {
    const { run } = await bench({ "a.js": "", "src/b.js": "" });
    expect((await run("list_files", {})).text).toBe("a.js\nsrc/b.js");
    expect((await run("list_files", { path: "src" })).text).toBe("src/b.js");
    expect((await (await bench()).run("list_files", {})).text).toBe("There are no files.");
  });

  it("says how many it leaves out", async () => {
    const { run } = await bench(Object.fromEntries(Array.from({ length: 1002 }, (_, index) => [`f${index}`, ""])));
    const lines = (await run("list_files", {})).text.split("\n");
    expect(lines.length).toBe(1001);
    expect(lines.at(-1)).toMatch(/^… and 2 more/);
  });
});

describe("read_file", () => {
  it("numbers the lines", async () => {
    const { run } = await bench({ "a.js": "one\ntwo\n", empty: "" });
    expect((await run("read_file", { path: "a.js" })).text).toBe("1\tone\n2\ttwo");
    expect((await run("read_file", { path: "empty" })).text).toBe("The file is empty.");
  });

  it("reads a range, and says when there is more", async () => {
    const { run } = await bench({ "a.js": numbered(1500) });
    expect((await run("read_file", { path: "a.js", from_line: 3, to_line: 4 })).text).toBe("3\tline 3\n4\tline 4");
    expect((await run("read_file", { path: "a.js", from_line: 1500, to_line: 9999 })).text).toBe("1500\tline 1500");
    const all = (await run("read_file", { path: "a.js" })).text.split("\n");
    expect(all.slice(-2)).toEqual(["1000\tline 1000", "… read on with from_line 1001; the file has 1500 lines"]);
    await expect(run("read_file", { path: "a.js", from_line: 1501 })).rejects.toThrow("a.js has 1500 lines");
  });

  it("bounds what it gives, also for one endless line", async () => {
    const { run } = await bench({
      "wide.txt": `${"x".repeat(30_000)}\n`.repeat(4),
      "endless.txt": "x".repeat(100_000),
    });
    const wide = (await run("read_file", { path: "wide.txt" })).text;
    expect(wide.length).toBeLessThan(70_000);
    expect(wide).toMatch(/read on with from_line 3; the file has 4 lines$/);
    const endless = (await run("read_file", { path: "endless.txt" })).text;
    expect(endless.length).toBeLessThan(70_000);
    expect(endless).toMatch(/… \(the line goes on\)$/);
  });
});

describe("search", () => {
  const files = {
    "src/a.js": "const Alpha = 1;\nalpha();\n",
    "src/b.js": "beta();\n",
    "bin.dat": "alpha\0",
    ".gitignore": "out\n",
    "out/c.js": "alpha",
  };

  it("finds lines by a regular expression, in text files that Git does not ignore", async () => {
    const { run } = await bench(files);
    expect((await run("search", { pattern: "^alpha\\(" })).text).toBe("src/a.js:2: alpha();");
    expect((await run("search", { pattern: "ALPHA", ignore_case: true })).text.split("\n").length).toBe(2);
    expect((await run("search", { pattern: "\\w+\\(\\)", path: "src/b.js" })).text).toBe("src/b.js:1: beta();");
    expect((await run("search", { pattern: "^b", path: "src" })).text).toBe("src/b.js:1: beta();");
    expect((await run("search", { pattern: "beta", path: "src/a.js" })).text).toBe("No line matches.");
    expect((await run("search", { pattern: "nowhere" })).text).toBe("No line matches.");
    await expect(run("search", { pattern: "x", path: "../a" })).rejects.toThrow(/outside the workspace/);
    await expect(run("search", { pattern: "x", path: "none" })).rejects.toThrow(/The file none does not exist/);
  });

  it("is bounded, and cuts long lines", async () => {
    const { run } = await bench({ "a.txt": `${"x".repeat(1000)}\n`.repeat(300) });
    const lines = (await run("search", { pattern: "x" })).text.split("\n");
    expect(lines.length).toBe(201);
    expect(lines.at(-1)).toMatch(/more than 200 lines match/);
    expect(lines[0]?.length).toBeLessThan(520);
  });

  it("is not stalled by an expression that makes others backtrack", async () => {
    const { run } = await bench({ "a.txt": `${"a".repeat(5000)}!` });
    expect((await run("search", { pattern: "^(a+)+$" })).text).toBe("No line matches.");
  });

  it("refuses what is not an expression", async () => {
    const { run } = await bench();
    await expect(run("search", { pattern: "(" })).rejects.toThrow(
      /not a regular expression: .*(unclosed|missing closing)/s,
    );
    await expect(run("search", { pattern: "a\n" })).rejects.toThrow(/has a line break/);
  });
});

describe("edit_file", () => {
  it("replaces a passage that occurs once, to the letter", async () => {
    const { run, prepare, cwd } = await bench({ "a.js": "one\ntwo $1\nthree\n" });
    const { preview } = await prepare("edit_file", { path: "a.js", old_text: "two $1", new_text: "$& $1" });
    expect(preview).toEqual([
      { type: "diff", path: join(cwd, "a.js"), oldText: "one\ntwo $1\nthree\n", newText: "one\n$& $1\nthree\n" },
    ]);
    expect(await readNative(join(cwd, "a.js"), "utf8")).toContain("two $1");
    expect((await run("edit_file", { path: "a.js", old_text: "two $1", new_text: "$& $1" })).text).toBe(
      "Edited a.js at line 2.",
    );
    expect(await readNative(join(cwd, "a.js"), "utf8")).toBe("one\n$& $1\nthree\n");
  });

  it.each([
    ["a passage that is not there", { old_text: "four" }, /does not occur in a\.js/],
    ["a passage that is there twice", { old_text: "o" }, /occurs more than once/],
    ["no change", { old_text: "one", new_text: "one" }, /are the same/],
    ["a file that is not there", { path: "b.js", old_text: "one" }, /The file b\.js does not exist/],
    ["a file outside", { path: "../b.js", old_text: "one" }, /outside the workspace/],
  ])("refuses %s before anybody is asked", async (_case, input, message) => {
    const { prepare } = await bench({ "a.js": "one\ntwo\n" });
    await expect(prepare("edit_file", { path: "a.js", new_text: "x", ...input })).rejects.toThrow(message);
  });

  it("finds a passage that is indented otherwise, and keeps the file's indentation and line ends", async () => {
    const { run, cwd } = await bench({ "a.js": "if (x) {\r\n\t\tone();\r\n\t\ttwo();\r\n}\r\n" });
    const edit = { path: "a.js", old_text: "one();\ntwo();\n", new_text: "three();\n" };
    expect((await run("edit_file", edit)).text).toBe("Edited a.js at line 2.");
    expect(await readNative(join(cwd, "a.js"), "utf8")).toBe("if (x) {\r\n\t\tthree();\r\n}\r\n");
  });

  it("refuses when the file changed after the user saw the diff", async () => {
    const { prepare, cwd } = await bench({ "a.js": "one\n" });
    const action = await prepare("edit_file", { path: "a.js", old_text: "one", new_text: "two" });
    await writeNative(join(cwd, "a.js"), "one\nmore\n");
    await expect(action.run()).rejects.toThrow(/has changed since/);
    expect(await readNative(join(cwd, "a.js"), "utf8")).toBe("one\nmore\n");
  });
});

describe("write_file", () => {
  it("creates and replaces files", async () => {
    const { run, prepare, cwd } = await bench({ "a.js": "old" });
    expect((await prepare("write_file", { path: "new/b.js", content: "b" })).preview).toMatchObject([
      { oldText: undefined, newText: "b" },
    ]);
    expect((await run("write_file", { path: "new/b.js", content: "b" })).text).toBe("Created new/b.js.");
    expect((await run("write_file", { path: "a.js", content: "new" })).text).toBe("Replaced a.js.");
    expect(await readNative(join(cwd, "new/b.js"), "utf8")).toBe("b");
    expect(await readNative(join(cwd, "a.js"), "utf8")).toBe("new");
    await expect(prepare("write_file", { path: "a.js", content: "new" })).rejects.toThrow(/already has this content/);
    await expect(prepare("write_file", { path: "/tmp/x", content: "new" })).rejects.toThrow(/outside/);
  });
});

describe("update_plan", () => {
  it("shows the plan", async () => {
    const { run, plans } = await bench();
    await run("update_plan", {
      entries: [
        { content: "Read", status: "completed", priority: "high" },
        { content: "Edit", status: "pending" },
      ],
    });
    expect(plans).toEqual([
      [
        { content: "Read", status: "completed", priority: "high" },
        { content: "Edit", status: "pending", priority: "medium" },
      ],
    ]);
  });
});

describe("a tool", () => {
  it("says which argument does not fit", () => {
    const open = (json: string) => () => toolNamed("read_file")?.open(json);
    expect(open('{"path":1}')).toThrow(ToolError);
    expect(open('{"path":1}')).toThrow(/The arguments of read_file do not fit: [^]*path/);
    expect(open('{"path":"a","from_line":0}')).toThrow(/from_line/);
    expect(open('{"path":')).toThrow(/not JSON/);
  });

  it("describes its input as a JSON Schema object", () => {
    for (const { name, parameters } of toolsFor("full")) expect([name, parameters["type"]]).toEqual([name, "object"]);
    expect(toolNamed("run_command")?.parameters).toMatchObject({
      required: ["argv"],
      properties: { argv: { type: "array", items: { type: "string" } } },
    });
  });

  it.each([
    ["full", "update_plan ask_user list_files read_file search edit_file write_file run_command"],
    ["safe", "update_plan ask_user list_files read_file search edit_file write_file"],
    ["read-only", "update_plan ask_user list_files read_file search"],
    ["sandbox", "update_plan ask_user"],
    ["toString", "update_plan ask_user"],
  ])("is on offer in the mode %s only where the mode allows it", (mode, names) => {
    expect(
      toolsFor(mode)
        .map(({ name }) => name)
        .join(" "),
    ).toBe(names);
  });

  it("is titled so that a person sees what it would do", () => {
    const title = (name: string, input: unknown) => toolNamed(name)?.open(JSON.stringify(input)).view.title;
    expect(title("run_command", { argv: ["node", "-e", "it's; rm -rf /"] })).toBe(`Run node -e 'it'\\''s; rm -rf /'`);
    expect(title("read_file", { path: "a.js", from_line: 3 })).toBe("Read a.js (3–end)");
    expect(title("search", { pattern: "x+", path: "src" })).toBe("Search x+ in src");
  });
});

it("ask_user gives the model the answer, or says that there is none", async () => {
  const { run } = await bench();
  const question = "Which?";
  expect((await run("ask_user", { question, options: ["a", "b"] })).text).toBe("The user answered: Which? a");
  expect((await run("ask_user", { question })).text).toBe("The user did not answer.");
});
