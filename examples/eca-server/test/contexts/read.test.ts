import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ChatContext } from "@editwire/eca-schema";
import { describe, expect, it } from "vitest";
import { readContexts } from "../../src/contexts/read.js";
import { signal, sourcesOf } from "../support/sources.js";
import { tempFolder } from "../support/temp-folder.js";

async function textOf(context: ChatContext, ...folders: readonly string[]): Promise<string> {
  const [part] = await readContexts([context], await sourcesOf(...folders), signal);
  return part?.type === "text" ? part.text : JSON.stringify(part);
}

describe("a file", () => {
  it("is given whole, or as its lines: from 1, both ends included, in either order", async () => {
    const folder = await tempFolder({ "a.ts": "one\ntwo\nthree\nfour\n" });
    const path = join(folder, "a.ts");
    const lines = (start: number, end: number) => textOf({ type: "file", path, linesRange: { start, end } }, folder);
    expect(await textOf({ type: "file", path }, folder)).toBe(`${path}:\n\none\ntwo\nthree\nfour\n`);
    expect(await lines(2, 3)).toBe(`${path}, lines 2 to 3:\n\ntwo\nthree`);
    expect(await lines(3, 2)).toBe(`${path}, lines 2 to 3:\n\ntwo\nthree`);
    expect(await lines(4, 400)).toMatch(/:\n\nfour\n$/);
    expect(await lines(0, 1)).toMatch(/:\n\none$/);
  });

  it("S39: that is outside, not there, or no text is named to the model, and fails nothing", async () => {
    const outside = await tempFolder({ "secret.txt": "secret" });
    const folder = await tempFolder({ "b.bin": Uint8Array.of(0, 1, 2) });
    await symlink(join(outside, "secret.txt"), join(folder, "link.txt"));
    for (const path of [
      join(outside, "secret.txt"),
      "../secret.txt",
      join(folder, "link.txt"),
      join(folder, "none.txt"),
      join(folder, "b.bin"),
      "\0",
    ]) {
      const text = await textOf({ type: "file", path }, folder);
      expect(text).toMatch(/^\[file .*: cannot be read: /);
      expect(text).not.toContain("secret\n");
    }
    expect(await textOf({ type: "file", path: "/a" })).toMatch(/no folder is open/);
  });

  it("is found in any of several folders", async () => {
    const [one, two] = [await tempFolder({ "a.txt": "in one" }), await tempFolder({ "a.txt": "in two" })];
    expect(await textOf({ type: "file", path: join(two, "a.txt") }, one, two)).toContain("in two");
    expect(await textOf({ type: "file", path: "a.txt" }, one, two)).toContain("in one");
  });
});

it("a directory is its files, without what Git ignores, as far as there is room", async () => {
  const folder = await tempFolder({
    "src/a.ts": "const a = 1;\n",
    "src/deep/b.ts": "const b = 2;\n",
    "src/large.txt": "x".repeat(200_000),
    "src/out/c.js": "c",
    "other.ts": "no",
    ".gitignore": "out/\n",
  });
  const text = await textOf({ type: "directory", path: join(folder, "src") }, folder);
  expect(text).toContain(`${join(folder, "src/a.ts")}:\n\nconst a = 1;\n`);
  expect(text).toContain("const b = 2;");
  expect(text).toMatch(/not shown:\nsrc\/large\.txt$/);
  expect(text).not.toMatch(/c\.js|other\.ts/);
});

it("the repo map is the tree of the workspace, without what Git ignores", async () => {
  const folder = await tempFolder({
    "src/a.ts": "",
    "src/deep/b.ts": "",
    "dist/c.js": "",
    "README.md": "",
    ".gitignore": "dist\n",
  });
  const text = await textOf({ type: "repoMap" }, folder);
  expect(text).toBe(
    `The files of the workspace:\n\n${folder}/\n  src/\n    deep/\n      b.ts\n    a.ts\n  .gitignore\n  README.md`,
  );
});

it("a large tree is cut at its depth", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, index) => [`lib/part-${index % 40}/f${index}.ts`, ""]),
  );
  const text = await textOf({ type: "repoMap" }, await tempFolder(files));
  expect(text).toContain("part-7/ (30 files)");
  expect(text.split("\n").length).toBeLessThan(60);
});

it("S39: contexts that clients of 2026 add, and unknown ones, are read too", async () => {
  const at = { line: 3, character: 1 };
  expect(await textOf({ type: "cursor", path: "/a.ts", position: { start: at, end: at } })).toContain(
    "/a.ts, from line 3",
  );
  expect(await textOf({ type: "text", label: "buffer 1", content: "as it is" })).toBe("buffer 1:\n\nas it is");
  expect(await textOf({ type: "image", mediaType: "image/png", base64: "AAAA" })).toContain(
    "data:image/png;base64,AAAA",
  );
  expect(await textOf({ type: "smell" } as unknown as ChatContext)).toMatch(/does not know this kind/);
  const resource = { type: "mcpResource", uri: "demo://x", name: "x", description: "", mimeType: "" } as const;
  expect(await textOf({ ...resource, server: "none" })).toMatch(/There is no MCP server none/);
});

it("is bounded in all", async () => {
  const folder = await tempFolder(
    Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.txt`, "y".repeat(100_000)])),
  );
  const contexts = Array.from({ length: 8 }, (_, index): ChatContext => ({ type: "file", path: `${index}.txt` }));
  const parts = await readContexts(contexts, await sourcesOf(folder), signal);
  expect(JSON.stringify(parts).length).toBeLessThan(530_000);
  expect(parts.at(-1)).toMatchObject({ text: expect.stringMatching(/left out/) });
});
