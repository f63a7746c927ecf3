import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editText, excerptOf } from "../src/parts.js";
import { openIdeTools } from "../src/tools.js";
import { openWorkspace } from "../src/workspace/workspace.js";
import { tempFolder } from "./support/temp-folder.js";
import { watched } from "./support/watchdog.js";

const engines = ["ripgrep", "scan"] as const;
const MiB = 1024 * 1024;

describe.each(engines)("a search with %s", (searchEngine) => {
  it("finds a line of 10 MiB in a file, and shows its beginning", async () => {
    const { grep_file } = await openIdeTools(await tempFolder({ "a.txt": "a".repeat(10 * MiB) }), { searchEngine });
    const report = await watched(() => grep_file({ pattern: "a", relativePath: "a.txt" }));
    expect(report).toContain(`- **Line 1**: \`${"a".repeat(500)}…\``);
  });

  it("finds long lines, and lines that are as long as an engine gives them", async () => {
    const lengths = [499, 501, 4094, 4095, 4096, 4097, 4098, 70_000];
    const files = Object.fromEntries(lengths.map((length) => [`${length}.txt`, `x\r\n${"é".repeat(length)}\r\ny`]));
    const { grep_file } = await openIdeTools(await tempFolder(files), { searchEngine });
    for (const regex of [false, true])
      expect(await grep_file({ pattern: "é", regex, limit: 100 })).toContain(`**Matches**: ${lengths.length}`);
  });

  it("builds no report beyond its limit, whatever the context", async () => {
    const root = await tempFolder({ "a.txt": "hello\n".repeat(330_000) });
    const { grep_file } = await openIdeTools(root, { searchEngine, maxResultChars: 100_000 });
    const report = await watched(() => grep_file({ pattern: "hello", limit: 1000, context_lines: 1000 }));
    expect(report.length).toBeLessThan(101_000);
    expect(report).toContain("> ⚠️ Cut off: only the first ");
  });

  it.each(["device", "pipe"])("does not open a .gitignore that is a %s", async (kind) => {
    const root = await tempFolder({
      "src/a.txt": "needle\n",
      "src/deep/b.txt": "needle\n",
      "src/.gitignore": "deep\n",
    });
    if (kind === "pipe") execFileSync("mkfifo", [join(root, ".gitignore")]);
    else await symlink("/dev/zero", join(root, ".gitignore"));
    const { grep_file, call_chain, close } = await openIdeTools(root, { searchEngine });
    const report = await watched(() => grep_file({ pattern: "needle" }));
    expect([report.includes("### src/a.txt"), report.includes("deep")]).toEqual([true, false]);
    await expect(call_chain({ method: "A.b" })).rejects.toMatchObject({ code: "unknown_class" });
    await close();
    const workspace = await openWorkspace(root);
    expect(await workspace.list("src", AbortSignal.timeout(60_000))).toEqual(["src/.gitignore", "src/a.txt"]);
  });

  it.each([
    ["repeats wildcards", `${"*a".repeat(40)}*b\n`.repeat(50)],
    ["has 100,000 patterns", Array.from({ length: 100_000 }, (_, index) => `name${index}*x?\n`).join("")],
    ["has 1 MiB of open brackets", `${"[".repeat(1000)}\n`.repeat(1000)],
  ])("is not stalled by a .gitignore that %s", async (_case, rules) => {
    const names = Array.from({ length: 20 }, (_, index) => `${"a".repeat(200)}${index}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, "needle\n"]));
    const root = await tempFolder({ ".gitignore": rules, ...files });
    const { grep_file } = await openIdeTools(root, { searchEngine });
    expect(await watched(() => grep_file({ pattern: "needle" }))).toContain("**Matches**: 20");
    const listed = await watched(async () => (await openWorkspace(root)).list(".", AbortSignal.timeout(60_000)));
    expect(listed.length).toBe(21);
  });
});

describe("an argument beyond its bound", () => {
  it.each([
    ["grep_file", { pattern: "" }, "pattern"],
    ["grep_file", { pattern: "x".repeat(10_001) }, "pattern"],
    ["grep_file", { pattern: "x", limit: 1001 }, "limit"],
    ["grep_file", { pattern: "x", limit: 0 }, "limit"],
    ["grep_file", { pattern: "x", limit: 1.5 }, "limit"],
    ["grep_file", { pattern: "x", context_lines: 1e6 }, "context_lines"],
    ["grep_file", { pattern: "x", relativePath: "x/".repeat(3000) }, "relativePath"],
    ["grep_file", { pattern: "x", file_type: "x".repeat(200) }, "file_type"],
    ["read_file", { relativePath: "a.txt", line: Infinity }, "line"],
    ["read_file", { relativePath: "a.txt", context_lines: -1 }, "context_lines"],
    ["call_chain", { method: "A.b", depth: 11 }, "depth"],
    ["call_chain", { method: `A.${"b".repeat(1000)}` }, "method"],
    ["apply_change", { relativePath: "a.txt", replaceContent: "x".repeat(10 * MiB + 1) }, "replaceContent"],
    ["apply_change", { relativePath: "a.txt", replaceContent: "", description: "x".repeat(10_001) }, "description"],
  ] as const)("is refused by %s: %o", async (name, params, argument) => {
    const tools = await openIdeTools(await tempFolder({ "a.txt": "x\n" }));
    const call: (params: never) => Promise<string> = tools[name];
    const refusal = { code: "argument", message: expect.stringContaining(`${argument}: `) };
    await expect(call(params as never)).rejects.toMatchObject(refusal);
  });
});

describe("large texts", () => {
  it("are edited in linear time, in a worker", async () => {
    const texts = [
      ["a".repeat(MiB), `b${"a".repeat(MiB / 2)}`],
      ["a\n".repeat(MiB / 2), `${"a\n".repeat(MiB / 4)}b`],
      ["\n".repeat(MiB), "x\n\ny"],
    ];
    for (const [text = "", search = ""] of texts)
      expect(await watched(() => editText(text, search, "new"))).toEqual({ match: "none" });
    const edited = await watched(() => editText(`${" a\n".repeat(MiB / 4)}b\n`, "a\n b", "c"));
    expect(edited).toMatchObject({ match: "fuzzy", line: MiB / 4 });
  });

  it("are cut to a range in a worker", async () => {
    const excerpt = await watched(() => excerptOf("\n".repeat(5 * MiB), { from: 2, to: Infinity }, { maxChars: 100 }));
    expect(excerpt).toMatchObject({ total: 5 * MiB, from: 2, to: 101, isCut: true });
  });

  it("are read and changed within 10 MiB", async () => {
    const root = await tempFolder({ "a.txt": `${"\n".repeat(10 * MiB - 10)}end` });
    const { read_file, apply_change } = await openIdeTools(root);
    expect(await watched(() => read_file({ relativePath: "a.txt", start_line: 1 }))).toContain("**Lines**: 10485751");
    const change = { relativePath: "a.txt", searchContent: "end", replaceContent: "END" };
    expect(await watched(() => apply_change(change))).toContain("**First line**: 10485751");
    const create = { relativePath: "b.txt", replaceContent: "\n".repeat(10 * MiB) };
    expect(await watched(() => apply_change(create))).toContain("**Lines**: 10485760");
  });
});

describe("the time of a call", () => {
  it.each(engines)("ends each tool, with %s", async (searchEngine) => {
    const root = await tempFolder({ "a.txt": "x\n", "A.java": "class A { void b() {} }" });
    const tools = await openIdeTools(root, { timeoutMs: 0, searchEngine });
    const calls = [
      tools.grep_file({ pattern: "x" }),
      tools.grep_file({ pattern: "x", relativePath: "a.txt" }),
      tools.call_chain({ method: "A.b" }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "timeout" });
    await tools.close();
  });

  it("ends a formatter that does not, and the file is as it was", async () => {
    const root = await tempFolder({ "a.txt": "x\n" });
    const formatter = (): Promise<string> => new Promise(() => {});
    const tools = await openIdeTools(root, { timeoutMs: 100, formatter });
    const change = { relativePath: "a.txt", searchContent: "x", replaceContent: "y" };
    await expect(tools.apply_change(change)).rejects.toMatchObject({ code: "timeout" });
    expect(await tools.read_file({ relativePath: "a.txt" })).toContain("|   x");
  });

  it("ends the work of call_chain, too, which goes on with the next call", async () => {
    const files = Array.from({ length: 400 }, (_, index) => [
      `C${index}.java`,
      `class C${index} { void run() { new C${index + 1}().run(); } }\n${"// padding\n".repeat(500)}`,
    ]);
    const tools = await openIdeTools(await tempFolder(Object.fromEntries(files)), { timeoutMs: 400 });
    let rounds = 0;
    for (;;) {
      rounds++;
      const report = await tools
        .call_chain({ method: "C7.run", direction: "callees" })
        .catch((error: unknown) => error);
      if (typeof report === "string") {
        expect(report).toContain("`C8.run`");
        break;
      }
      expect(report).toMatchObject({ code: "timeout" });
    }
    expect(rounds).toBeGreaterThan(1);
    await tools.close();
  });
});
