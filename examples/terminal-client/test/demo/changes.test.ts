import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesBetween } from "../../src/demo/changes.js";
import { copySample } from "../../src/demo/sample.js";

let root: string;

beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "demo-changes-"))));
afterEach(() => rm(root, { recursive: true }));

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return join(root, folder);
}

test("changesBetween lists what was added, changed and removed, below the derived folders", async () => {
  const before = await write("before", { "a.js": "a", "lib/b.js": "b", "lib/c.js": "c", "node_modules/x.js": "1" });
  const after = await write("after", {
    "a.js": "a",
    "lib/b.js": "B",
    "lib/d.js": "d",
    "node_modules/x.js": "2",
    ".git/y": "",
  });
  expect(await changesBetween(before, after)).toEqual([
    { path: join("lib", "b.js"), oldText: "b", newText: "B" },
    { path: join("lib", "c.js"), oldText: "c", newText: undefined },
    { path: join("lib", "d.js"), oldText: undefined, newText: "d" },
  ]);
});

test("copySample copies the sample project, and takes the copy away again", async () => {
  const { original, folder, remove } = await copySample();
  expect(await changesBetween(original, folder)).toEqual([]);
  expect((await changesBetween(root, folder)).map(({ path }) => path)).toContain("package.json");
  await remove();
  await expect(changesBetween(original, folder)).rejects.toThrow("ENOENT");
});
