import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { prettierFormatter } from "../src/prettier.js";
import { type IdeTools, type IdeToolsOptions, openIdeTools } from "../src/tools.js";
import { tempFolder } from "./support/temp-folder.js";
import { answerOf, attacks, openTrap, secret } from "./support/trap.js";

interface Bench {
  readonly root: string;
  readonly tools: IdeTools;
  /** Changes `A.java`. */
  change(searchContent: string | undefined, replaceContent: string): Promise<string>;
  content(): Promise<string>;
}

async function bench(content: string | Uint8Array, options: IdeToolsOptions = {}): Promise<Bench> {
  const root = await tempFolder({ "A.java": content });
  const tools = await openIdeTools(root, options);
  return {
    root,
    tools,
    change: (searchContent, replaceContent) =>
      tools.apply_change({ relativePath: "A.java", searchContent, replaceContent }),
    content: () => readFile(join(root, "A.java"), "utf8"),
  };
}

describe("an exact match", () => {
  it("C59 is replaced, and the rest of the file keeps its bytes", async () => {
    const { change, content } = await bench("\uFEFFone  \r\n\ttwo $1;\r\nthree\nfour");
    expect(await change("two $1;\nthree", "2 $&;\n3")).toBe(
      [
        "## Change applied",
        "",
        "**relativePath**: A.java",
        "**Description**: code change",
        "**Match**: exact",
        "**First line**: 2",
        "**Formatting**: not configured",
      ].join("\n"),
    );
    expect(await content()).toBe("\uFEFFone  \r\n\t2 $&;\r\n3\nfour");
  });

  it("C59 keeps the encoding and the permissions", async () => {
    const { root, change } = await bench(iconv.encode("注释 一\n", "gb18030"), { fallbackEncoding: "gb18030" });
    await chmod(join(root, "A.java"), 0o755);
    await change("一", "二");
    expect(await readFile(join(root, "A.java"))).toEqual(iconv.encode("注释 二\n", "gb18030"));
    expect((await stat(join(root, "A.java"))).mode & 0o777).toBe(0o755);
  });

  it("is refused when the encoding does not have the new characters", async () => {
    const { root, change } = await bench(iconv.encode("\xe9\n", "latin1"), { fallbackEncoding: "latin1" });
    await expect(change("\xe9", "注")).rejects.toThrow(
      "A.java is in latin1, which does not have all characters of the new text",
    );
    expect(await readFile(join(root, "A.java"), "latin1")).toBe("\xe9\n");
  });

  it("C64 is deleted by an empty replacement", async () => {
    const { change, content } = await bench("a\nb\nc\n");
    await change("b\n", "");
    expect(await content()).toBe("a\nc\n");
  });

  it("comes before a fuzzy one", async () => {
    const { change, content } = await bench("f(  a);\n  a\n");
    await change("  a)", "b)");
    expect(await content()).toBe("f(b);\n  a\n");
  });

  it("that replaces nothing leaves the file alone", async () => {
    const { root, change } = await bench("a\n");
    const before = await stat(join(root, "A.java"));
    expect(await change("a", "a")).toContain("**Note**: the new text is the old one; the file is unchanged");
    expect((await stat(join(root, "A.java"))).ino).toBe(before.ino);
  });
});

describe("no match", () => {
  it("C60 is an error, and the file is unchanged", async () => {
    const { root, change, content } = await bench("a\nb\n");
    await expect(change("c", "d")).rejects.toThrow("The text to replace does not occur in A.java");
    await expect(change("\n \n", "d")).rejects.toThrow(/does not occur/);
    expect(await content()).toBe("a\nb\n");
    expect(await readdir(root)).toEqual(["A.java"]);
  });

  it.each([
    ["exact", "a", "a\na\n", 2],
    ["exact and overlapping", "aa", "aaa\n", 2],
    ["fuzzy", "x\n   y\n", " x\n  y\n\n x\n  y\n", 2],
  ])("C61 is an error when it is %s and not unique", async (_case, search, text, count) => {
    const { change, content } = await bench(text);
    await expect(change(search, "z")).rejects.toThrow(new RegExp(`occurs ${count} times`));
    expect(await content()).toBe(text);
  });

  it("C60 is an error for a file that does not exist", async () => {
    const { tools, root } = await bench("");
    await expect(
      tools.apply_change({ relativePath: "none/B.java", searchContent: "a", replaceContent: "b" }),
    ).rejects.toThrow(/^The file none\/B\.java does not exist$/);
    expect(await readdir(root)).toEqual(["A.java"]);
  });
});

describe("C62 a fuzzy match", () => {
  it.each([
    [
      "deeper",
      "if (a) {\n  b();\n}\n",
      "if (c) {\n  d();\n}\n",
      "    if (a) {\n      b();\n    }\n",
      "    if (c) {\n      d();\n    }\n",
    ],
    [
      "in tabs where the search has spaces",
      "if (a) {\n    b();\n}",
      "if (c) {\n    d {\n        e();\n    }\n}",
      "\t\tif (a) {\n\t\t\tb();\n\t\t}\n",
      "\t\tif (c) {\n\t\t\td {\n\t\t\t\te();\n\t\t\t}\n\t\t}\n",
    ],
    [
      "in steps of 4 where the search has steps of 2",
      "a {\n  b {\n    c\n  }\n}",
      "a {\n  b {\n    d\n  }\n}",
      "    a {\n        b {\n            c\n        }\n    }\n",
      "    a {\n        b {\n            d\n        }\n    }\n",
    ],
    [
      "less deep, with a line that leaves the block",
      "    b();\n",
      "    c();\n  }\n",
      "  x\n  b();  \n",
      "  x\n  c();\n}\n",
    ],
    ["with blank lines inside", "a\n\nb", "c\n\nd", "  a\n   \n  b\n", "  c\n\n  d\n"],
    ["without a line end at the end", "a\nb\n", "c\n", "x\n  a\n  b", "x\n  c"],
    ["deleted", " a\n", "", "  x\n    a \n  y\n", "  x\n  y\n"],
  ])("is indented as the file: %s", async (_case, search, replacement, before, after) => {
    const { change, content } = await bench(before);
    if (before.includes(search)) throw new Error("the case is exact");
    expect(await change(search, replacement)).toContain("**Match**: apart from whitespace");
    expect(await content()).toBe(after);
  });

  it("keeps CRLF", async () => {
    const { change, content } = await bench("x\r\n  a\r\n  b\r\ny\r\n");
    await change(" a\n b\n", " c\n d\n");
    expect(await content()).toBe("x\r\n  c\r\n  d\r\ny\r\n");
  });
});

describe("C63 a new file", () => {
  it.each([undefined, ""])("is created with its folders for searchContent %j", async (searchContent) => {
    const { tools, root } = await bench("");
    const report = await tools.apply_change({
      relativePath: "new/deep/B.java",
      searchContent,
      replaceContent: "class B {}\n",
    });
    expect(report).toMatch(/^## File created\n\n\*\*relativePath\*\*: new\/deep\/B\.java\n/);
    expect(await readFile(join(root, "new/deep/B.java"), "utf8")).toBe("class B {}\n");
    expect(await readdir(join(root, "new/deep"))).toEqual(["B.java"]);
  });

  it("does not replace a file that exists", async () => {
    const { change, content } = await bench("old\n");
    await expect(change(undefined, "new\n")).rejects.toThrow("A.java already exists");
    expect(await content()).toBe("old\n");
  });

  it("is created once by calls at the same time, also from other processes", async () => {
    const { tools, root } = await bench("");
    const other = await openIdeTools(root);
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
    const settled = await Promise.allSettled(
      contents.map((replaceContent, index) =>
        (index % 2 === 0 ? tools : other).apply_change({ relativePath: "B.java", replaceContent }),
      ),
    );
    expect(settled.filter(({ status }) => status === "fulfilled").length).toBe(1);
    expect(contents[settled.findIndex(({ status }) => status === "fulfilled")]).toBe(
      await readFile(join(root, "B.java"), "utf8"),
    );
  });
});

describe("calls at the same time", () => {
  it("C66 for one file are all applied", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `name${index};`);
    const { change, content } = await bench(names.join("\n"));
    await Promise.all(names.map((name) => change(name, name.toUpperCase())));
    expect(await content()).toBe(names.join("\n").toUpperCase());
  });

  it("do not start when they are cancelled", async () => {
    const { tools, content } = await bench("a");
    const params = { relativePath: "A.java", searchContent: "a", replaceContent: "b" };
    await expect(tools.apply_change(params, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await content()).toBe("a");
  });
});

describe("a path", () => {
  it.each([...attacks, ".git/hooks/pre-commit", "dir/.GIT/config"])(
    "C57 that leads outside is refused: %j",
    async (relativePath) => {
      const { tools, expectUntouched } = await openTrap();
      for (const searchContent of [undefined, secret]) {
        const { isError, text } = await answerOf(
          tools.apply_change({ relativePath, searchContent, replaceContent: "changed" }),
        );
        expect(isError).toBe(true);
        await expectUntouched(text);
      }
    },
  );

  it("C58 is not written in another folder that the params name", async () => {
    const { tools, root, expectUntouched } = await openTrap();
    const outside = join(root, "linked-dir");
    const elsewhere = { projectRoot: outside, project_root: outside, projectPath: outside };
    await expectUntouched(await tools.apply_change({ relativePath: "new.txt", replaceContent: "x", ...elsewhere }));
    expect(await readFile(join(root, "new.txt"), "utf8")).toBe("x");
  });
});

describe("a formatter", () => {
  it("receives the changed part and gives the whole text", async () => {
    const { change, content } = await bench("a\nb\nc\n", {
      formatter: (text, { path, start, end }) =>
        `${path}: ${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
    });
    expect(await change("b", "d")).toContain("**Formatting**: formatted");
    expect(await content()).toBe("A.java: a\n[d]\nc\n");
  });

  it("that fails leaves the change as it is", async () => {
    const formatter = () => Promise.reject(new Error("line 1: unexpected token"));
    const { change, content } = await bench("a\n", { formatter });
    const report = await change("a", "b");
    expect(report).toContain("**Formatting**: failed; the change is not formatted");
    expect(report).not.toContain("unexpected token");
    expect(await content()).toBe("b\n");
  });

  it("of Prettier formats the changed part, and reads no configuration of the project", async () => {
    const root = await tempFolder({ "a.ts": "const  a=1\r\nconst  b=2\r\n", "b.java": "int  a=1;\n" });
    await writeFile(join(root, "prettier.config.mjs"), "throw new Error('was run');");
    const tools = await openIdeTools(root, { formatter: prettierFormatter({ singleQuote: true }) });
    const change = (relativePath: string) =>
      tools.apply_change({ relativePath, searchContent: "a=1", replaceContent: 'a="x"' });
    expect(await change("a.ts")).toContain("**Formatting**: formatted");
    expect(await readFile(join(root, "a.ts"), "utf8")).toBe("const a = 'x';\r\nconst  b=2\r\n");
    expect(await change("b.java")).toContain("**Formatting**: not applicable");
    expect(await readFile(join(root, "b.java"), "utf8")).toBe('int  a="x";\n');
  });
});
