import iconv from "iconv-lite";
import type { SmanToolInputs } from "@editwire/sman-schema";
import { describe, expect, it } from "vitest";
import { matcherOf } from "../src/grep/matcher.js";
import { openSearch } from "../src/grep/search.js";
import { type IdeTools, type IdeToolsOptions, openIdeTools } from "../src/tools.js";
import { openWorkspace } from "../src/workspace/workspace.js";
import { tempFolder } from "./support/temp-folder.js";
import { answerOf, attacks, openTrap, secret } from "./support/trap.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

async function open(files: Files, options: IdeToolsOptions = {}): Promise<IdeTools> {
  return openIdeTools(await tempFolder(files), options);
}

/** The lines that a report shows, as `path:number`. */
function found(report: string): string[] {
  let path = "";
  return report.split("\n").flatMap((line) => {
    path = /^### (?!Line )(.*)/.exec(line)?.[1] ?? /^\*\*relativePath\*\*: (.*)/.exec(line)?.[1] ?? path;
    const number = /^- \*\*Line (\d+)\*\*/.exec(line)?.[1];
    return number === undefined ? [] : [`${path}:${number}`];
  });
}

const project: Files = {
  ".gitignore": "dist/\n*.log\n!keep.log\n",
  ".hidden/a.txt": "needle",
  ".git/config": "needle",
  "a.log": "needle",
  "dist/a.java": "needle",
  "keep.log": "needle",
  "node_modules/x/index.js": "needle",
  "bin.dat": "needle\0",
  "large.txt": `needle\n${"x".repeat(2 * 1024 * 1024)}`,
  "conf/app.yml": "a: needle\n",
  "src/Main.java": "class Main {\r\n  // NEEDLE\r\n\r\n  int needle = 1;\r\n}\r\n",
  "src/gen/.gitignore": "*.java\n",
  "src/gen/G.java": "needle",
  "src/utf16.txt": iconv.encode("注释\nneedle 针\n", "utf-16le", { addBOM: true }),
  "src/marked.txt": "\uFEFFneedle\n",
  "src/view.ts": "needle()\n",
};
const everywhere = [
  ".hidden/a.txt:1",
  "conf/app.yml:1",
  "keep.log:1",
  "src/Main.java:2",
  "src/Main.java:4",
  "src/marked.txt:1",
  "src/utf16.txt:2",
  "src/view.ts:1",
];

describe.each(["ripgrep", "scan"] as const)("C52 C53 grep_file with %s", (searchEngine) => {
  it("finds the lines of all files except ignored, binary and large ones, in order", async () => {
    const { grep_file } = await open(project, { searchEngine });
    const [all, config] = await Promise.all([
      grep_file({ pattern: "needle" }),
      grep_file({ pattern: "^a: N\\w+", regex: true, file_type: "config" }),
    ]);
    expect(found(all ?? "")).toEqual(everywhere);
    expect(all).toContain("**Matches**: 8");
    expect(found(config ?? "")).toEqual(["conf/app.yml:1"]);
  });

  it("C53 counts lines as read_file does, also where they end with a carriage return only", async () => {
    const files = {
      "mac.txt": "one\rneedle two\rthree\rfour needle\r",
      "mixed.txt": "a\rb\r\nc\nneedle\r\rneedle\n\nneedle",
    };
    const { grep_file, read_file } = await open(files, { searchEngine });
    const all = ["mac.txt:2", "mac.txt:4", "mixed.txt:4", "mixed.txt:6", "mixed.txt:8"];
    expect(found(await grep_file({ pattern: "needle" }))).toEqual(all);
    for (const [path = "", line = ""] of all.map((one) => one.split(":"))) {
      expect(found(await grep_file({ pattern: "needle", relativePath: path }))).toContain(`${path}:${line}`);
      expect(await read_file({ relativePath: path, line: Number(line), context_lines: 0 })).toContain(">>> ");
      expect(await read_file({ relativePath: path, line: Number(line), context_lines: 0 })).toContain("needle");
    }
    expect(found(await grep_file({ pattern: "needle", limit: 1 }))).toEqual(["mac.txt:2"]);
  });

  it("reads a line with U+2028 or U+2029 as one line", async () => {
    const { grep_file } = await open({ "a.js": "'needle \u2028 \u2029';\n", "b.js": "needle\n" }, { searchEngine });
    expect(found(await grep_file({ pattern: "needle" }))).toEqual(["a.js:1", "b.js:1"]);
  });

  it("refuses what is not a regular expression", async () => {
    const { grep_file } = await open({ "a.txt": "" }, { searchEngine });
    await expect(grep_file({ pattern: "(a", regex: true })).rejects.toThrow(
      /^The pattern is not a regular expression: /,
    );
  });
});

const lines = ["abc", "a.c", "A.C", "", `${"a".repeat(5000)}!`, "针 Ünï", "/*[x]-$^"];
const cases = [
  ["C49 a text is literal, and its case does not matter", { pattern: "a.c" }, [2, 3]],
  ["C49 case_sensitive makes it matter", { pattern: "a.c", case_sensitive: true }, [2]],
  ["C50 regex makes it an expression", { pattern: "^a.c$", regex: true }, [1, 2, 3]],
  ["C70 no expression stalls", { pattern: "^(a+)+$", regex: true }, []],
  ["letters of any script have a case", { pattern: "针 ÜNÏ" }, [6]],
  ["a text may have any characters", { pattern: "/*[x]-$^" }, [7]],
] as const;

describe("a pattern", () => {
  it.each(cases)("%s, with ripgrep", async (_case, params, expected) => {
    const { grep_file } = await open({ "a.txt": lines.join("\r\n") }, { searchEngine: "ripgrep" });
    const report = await grep_file({ relativePath: "a.txt", ...params });
    expect(found(report)).toEqual(expected.map((line) => `a.txt:${line}`));
  });

  it.each<(typeof cases)[number]>(cases)("%s, with the worker's matcher", (_case, params, expected) => {
    const {
      pattern,
      regex: isRegex = false,
      case_sensitive: isCaseSensitive = false,
    }: SmanToolInputs["grep_file"] = params;
    const matches = matcherOf({ pattern, isRegex, isCaseSensitive });
    expect(lines.flatMap((line, index) => (matches(line) ? [index + 1] : []))).toEqual(expected);
  });

  it("C52 file_type restricts the files", async () => {
    const { grep_file } = await open(project);
    expect(found(await grep_file({ pattern: "needle", file_type: "java" }))).toEqual([
      "src/Main.java:2",
      "src/Main.java:4",
    ]);
    expect(found(await grep_file({ pattern: "needle", file_type: ".ts" }))).toEqual(["src/view.ts:1"]);
  });
});

describe("grep_file", () => {
  it("reports as the specification shows", async () => {
    const { grep_file } = await open({ "src/File.java": "// TODO a\nb\n// todo `c`\n" });
    expect(await grep_file({ pattern: "TODO", relativePath: "src/File.java" })).toBe(
      [
        "## Search of File.java",
        "",
        "**relativePath**: src/File.java",
        "**Pattern**: `TODO`",
        "**Regular expression**: no",
        "**Case-sensitive**: no",
        "**Matches**: 2",
        "",
        "- **Line 1**: `// TODO a`",
        "- **Line 3**: `` // todo `c` ``",
      ].join("\n"),
    );
  });

  it("shows lines around a match", async () => {
    const { grep_file } = await open({ "a.ts": "one\ntwo\nthree\nfour\n" });
    const around = "Line 2\n\n```ts\n   1 |   one\n   2 >>> two\n   3 |   three\n```";
    const params = { pattern: "two", context_lines: 1 };
    expect(await grep_file({ ...params, relativePath: "a.ts" })).toContain(`### ${around}`);
    expect(await grep_file(params)).toContain(`### a.ts\n\n#### ${around}`);
  });

  it("C51 says that nothing matches, and that is not an error", async () => {
    const { grep_file } = await open({ "a.txt": "b" });
    expect(await grep_file({ pattern: "x" })).toMatch(/\*\*Matches\*\*: 0\n\nNothing matches `x`$/);
  });

  it("C52 stops at the limit, which is 20, and says what is left out", async () => {
    const { grep_file } = await open({ "b.txt": "x\n".repeat(50), "a.txt": "x\n" });
    const report = await grep_file({ pattern: "x" });
    expect(found(report)).toEqual(["a.txt:1", ...Array.from({ length: 19 }, (_, index) => `b.txt:${index + 1}`)]);
    expect(report).toMatch(/> 💡 31 further matches are not shown$/);
    expect(found(await grep_file({ pattern: "x", relativePath: "b.txt", limit: 2 }))).toEqual(["b.txt:1", "b.txt:2"]);
  });

  it("reads an unknown file type as all, with a warning", async () => {
    const { grep_file } = await open({ "a.txt": "x" });
    const report = await grep_file({ pattern: "x", file_type: "cobol" });
    expect(found(report)).toEqual(["a.txt:1"]);
    expect(report).toContain("**File type**: all (⚠️ unknown type `cobol`)");
  });

  it("finds text in the fallback encoding", async () => {
    const content = iconv.encode("// 注释 needle\n", "gb18030");
    const { grep_file } = await open({ "A.java": content }, { fallbackEncoding: "gb18030" });
    expect(await grep_file({ pattern: "needle" })).toContain("`// 注释 needle`");
    expect(await grep_file({ pattern: "注释", relativePath: "A.java" })).toContain("`// 注释 needle`");
  });

  it("refuses a pattern that is empty or has a line end", async () => {
    const { grep_file } = await open({ "a.txt": "a\nb" });
    await expect(grep_file({ pattern: "" })).rejects.toThrow("pattern: ");
    for (const pattern of ["a\nb", "a\0"])
      await expect(grep_file({ pattern })).rejects.toThrow(/lines are matched one by one/);
  });

  it("is cut to the limit of a report", async () => {
    const { grep_file } = await open({ "a.txt": `${"x".repeat(400)}\n`.repeat(10) }, { maxResultChars: 1000 });
    const report = await grep_file({ pattern: "x" });
    expect(report.length).toBeLessThan(1100);
    expect(report).toContain("⚠️ Cut off");
  });

  it.each(["ripgrep", "scan"] as const)("with %s ends when it is cancelled or takes too long", async (searchEngine) => {
    const files = { "a.txt": "x\n" };
    const { grep_file } = await open(files, { searchEngine });
    const cancel = new AbortController();
    const call = grep_file({ pattern: "x" }, { signal: cancel.signal });
    cancel.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    const hurried = await open(files, { searchEngine, timeoutMs: 0 });
    await expect(hurried.grep_file({ pattern: "x" })).rejects.toThrow(/^The time of 0 ms is over$/);
  });
});

describe("outside", () => {
  it.each(attacks.filter((path) => path !== ""))("C57 nothing is found by %j", async (relativePath) => {
    const { tools, expectUntouched } = await openTrap();
    const { isError, text } = await answerOf(tools.grep_file({ pattern: ".", regex: true, relativePath }));
    expect(isError).toBe(true);
    await expectUntouched(text);
  });

  it.each(["ripgrep", "scan"] as const)(
    "C57 C58 nothing is found by %s in a search of the project",
    async (searchEngine) => {
      const { tools, expectUntouched } = await openTrap({ searchEngine });
      const elsewhere = { projectRoot: "/", projectPath: "..", project_root: ".." };
      const report = await tools.grep_file({ pattern: secret, ...elsewhere });
      expect(report).toContain("**Matches**: 0");
      await expectUntouched(report.replace(`**Pattern**: \`${secret}\``, "").replace(`\`${secret}\``, ""));
    },
  );
});

it.each(["ripgrep", "scan"] as const)(
  "a search with %s finds what the workspace admits in a folder",
  async (engine) => {
    const files = { "src/a.ts": "x\n", "src/b.ts": "x\n", "srcs/c.ts": "x\n", "d.ts": "x\n" };
    // Fewer hits than what the limit leaves room for: those in other files do not count.
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}.ts`, "x\n".repeat(100)]));
    const admits = (path: string): boolean => path === "src/b.ts" || path === "d.ts";
    const workspace = await openWorkspace(await tempFolder({ ...many, ...files }), { admits });
    const search = openSearch({ workspace }, { engine });
    const paths = async (folder?: string): Promise<string[]> => {
      const query = { pattern: "x", isRegex: false, isCaseSensitive: true, limit: 10, folder };
      return (await search(query)).shown.map(({ path }) => path);
    };
    expect(await paths()).toEqual(["d.ts", "src/b.ts"]);
    expect(await paths("src")).toEqual(["src/b.ts"]);
  },
);
