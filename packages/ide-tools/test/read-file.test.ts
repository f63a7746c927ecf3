import { execFileSync } from "node:child_process";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { type IdeToolsOptions, openIdeTools } from "../src/tools.js";
import { tempFolder } from "./support/temp-folder.js";
import { answerOf, attacks, openTrap } from "./support/trap.js";

type Content = string | Uint8Array;

async function read(content: Content, params: object = {}, options: IdeToolsOptions = {}): Promise<string> {
  const tools = await openIdeTools(await tempFolder({ "src/A.java": content }), options);
  return (await answerOf(tools.read_file({ relativePath: "src/A.java", ...params }))).text;
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const hundred = `${lines(100).join("\n")}\n`;

/** The numbers of the lines in a report. */
function numbersOf(report: string): number[] {
  return [...report.matchAll(/^ *(\d+) (?:\||>>>)/gm)].map(([, number]) => Number(number));
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("C55 the lines", () => {
  it("are all of the file without a range", async () => {
    expect(await read("class A {\n}\n")).toBe(
      [
        "## File: A.java",
        "",
        "**relativePath**: src/A.java",
        "**Type**: java",
        "**Lines**: 2",
        "**Size**: 12 bytes",
        "**Shown range**: 1-2",
        "**Lines shown**: 2",
        "",
        "```java",
        "   1 |   class A {",
        "   2 |   }",
        "```",
      ].join("\n"),
    );
  });

  it.each([
    ["start and end, inclusive", { start_line: 3, end_line: 5 }, range(3, 5)],
    ["start alone", { start_line: 98 }, range(98, 100)],
    ["end alone", { end_line: 2 }, range(1, 2)],
    ["a range, which comes before a line", { start_line: 3, end_line: 4, line: 50 }, range(3, 4)],
    ["a line with the default context", { line: 50 }, range(30, 70)],
    ["a line with its own context", { line: 50, context_lines: 1 }, range(49, 51)],
    ["an end after the last line", { start_line: 99, end_line: 500 }, range(99, 100)],
    ["a start before the first line", { start_line: -5, end_line: 2 }, range(1, 2)],
    ["a line near the end", { line: 100, context_lines: 2 }, range(98, 100)],
  ])("are those of %s", async (_case, params, expected) => {
    expect(numbersOf(await read(hundred, params))).toEqual(expected);
  });

  it("mark the line that was asked for, and say what is not shown", async () => {
    const report = await read(hundred, { line: 2, context_lines: 1 });
    expect(report).toContain("   1 |   line 1\n   2 >>> line 2\n   3 |   line 3\n");
    expect(report).toContain("**Requested range**: 1-3");
    expect(report).toMatch(/> 💡 The file has 97 further lines$/);
  });

  it.each([{ start_line: 101 }, { start_line: 5, end_line: 4 }, { end_line: 0 }, { line: 200 }])(
    "are refused for %j",
    async (params) =>
      expect(await read(hundred, params)).toMatch(/^Lines .* are outside of src\/A\.java, which has 100 lines$/),
  );
});

describe("C56 the content", () => {
  it.each([
    ["CRLF", "a\r\nb\r\n", 2],
    ["CR", "a\rb\r", 2],
    ["no line end at the end", "a\nb", 2],
    ["an empty line at the end", "a\nb\n\n", 3],
    ["nothing", "", 0],
  ])("may have %s", async (_case, content, count) => {
    const report = await read(content);
    expect(numbersOf(report).length).toBe(count);
    expect(report).toContain(`**Lines**: ${count}`);
    expect(report).not.toContain("\r");
  });

  it.each(["utf-8", "utf-16le", "utf-16be"])("is decoded by the byte order mark of %s", async (encoding) => {
    const report = await read(iconv.encode("// 注释 😀\n", encoding, { addBOM: true }));
    expect(report).toContain("   1 |   // 注释 😀\n");
  });

  it("is decoded in the fallback encoding when it is not UTF-8", async () => {
    const content = iconv.encode("// 注释\n", "gb18030");
    expect(await read(content, {}, { fallbackEncoding: "gb18030" })).toContain("   1 |   // 注释\n");
    expect(await read(content)).toBe("src/A.java is not text in utf-8");
    expect(await read("// 注释\n", {}, { fallbackEncoding: "gb18030" })).toContain("   1 |   // 注释\n");
  });

  it("is refused when it is binary or too large", async () => {
    expect(await read(new Uint8Array([80, 0, 75]))).toBe(
      "src/A.java is a binary file, or the new text would make it one",
    );
    expect(await read(hundred, {}, { maxFileBytes: 100 })).toBe("src/A.java has more than 100 bytes");
  });

  it("is in a fence that it cannot end", async () => {
    expect(await read("````\n")).toContain("`````java\n   1 |   ````\n`````");
  });

  it("C67 is cut to the limit, with a note", async () => {
    const report = await read(hundred, {}, { maxResultChars: 300 });
    expect(numbersOf(report)).toEqual(range(1, 18));
    expect(report).toContain("**⚠️ Cut off**: the result exceeds 300 characters");
    expect(report).toMatch(/> 💡 The file has 82 further lines$/);
    expect((await read("x".repeat(3_000_000))).length).toBeLessThan(1_001_000);
  });
});

describe("a path", () => {
  it("C54 of a file that does not exist is named as it was given", async () => {
    const tools = await openIdeTools(await tempFolder());
    await expect(tools.read_file({ relativePath: "core/src/File.java" })).rejects.toThrow(
      /^The file core\/src\/File\.java does not exist$/,
    );
  });

  it.each(attacks)("C57 that leads outside is refused: %j", async (relativePath) => {
    const { tools, expectUntouched } = await openTrap();
    const { isError, text } = await answerOf(tools.read_file({ relativePath }));
    expect(isError).toBe(true);
    await expectUntouched(text);
  });

  it("C57 of an absolute path is refused inside, too", async () => {
    const { tools, root } = await openTrap();
    await expect(tools.read_file({ relativePath: join(root, "a.txt") })).rejects.toThrow(/is outside the workspace/);
  });

  it("C58 is not read from another folder that the params name", async () => {
    const { tools, expectUntouched } = await openTrap();
    const elsewhere = { projectRoot: "/etc", project_root: "/etc", projectPath: "/etc", cwd: "/etc" };
    const { isError, text } = await answerOf(tools.read_file({ relativePath: "passwd", ...elsewhere }));
    expect([isError, text]).toEqual([true, "The file passwd does not exist"]);
    await expectUntouched(text);
  });

  it("may have backslashes and ways around, and may lead through a link inside", async () => {
    const { tools } = await openTrap();
    for (const relativePath of ["dir\\b.txt", "./dir/../dir/b.txt"])
      expect(await tools.read_file({ relativePath })).toContain("**relativePath**: dir/b.txt");
  });

  it("with a slash at its end is that of a folder", async () => {
    const tools = await openIdeTools(await tempFolder({ "a.txt": "text" }));
    for (const relativePath of ["a.txt/", "a.txt\\", "dir/"]) {
      const refusal = `${relativePath} is a folder`;
      await expect(tools.read_file({ relativePath })).rejects.toThrow(refusal);
      await expect(tools.grep_file({ pattern: "text", relativePath })).rejects.toThrow(refusal);
      await expect(tools.apply_change({ relativePath, replaceContent: "x" })).rejects.toThrow(refusal);
    }
    expect(await tools.read_file({ relativePath: "a.txt" })).toContain("text");
  });

  it("of a folder, a pipe or a device is refused without waiting", async () => {
    const root = await tempFolder({ "dir/x": "" });
    execFileSync("mkfifo", [join(root, "pipe")]);
    const tools = await openIdeTools(root);
    await expect(tools.read_file({ relativePath: "dir" })).rejects.toThrow("dir is a folder");
    await expect(tools.read_file({ relativePath: "." })).rejects.toThrow(". is a folder");
    await expect(tools.read_file({ relativePath: "pipe" })).rejects.toThrow("pipe is not a regular file");
  });
});
