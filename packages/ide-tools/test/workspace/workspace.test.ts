import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.js";
import { openWorkspace } from "../../src/workspace/workspace.js";
import { tempFolder } from "../support/temp-folder.js";

const maxBytes = 1024 * 1024;
const { signal } = new AbortController();

/** A workspace with a secret beside it, and links in it that lead there. */
async function trap() {
  const outside = await tempFolder({ "secret.txt": "secret" });
  const cwd = await tempFolder({ "a.txt": "inside", "dir/b.txt": "deep" });
  await symlink(join(outside, "secret.txt"), join(cwd, "link.txt"));
  await symlink(outside, join(cwd, "linked-dir"));
  await symlink(join(outside, "new.txt"), join(cwd, "dangling.txt"));
  await symlink("a.txt", join(cwd, "good-link.txt"));
  await symlink("loop", join(cwd, "loop"));
  return { outside, cwd, workspace: await openWorkspace(cwd) };
}

it("has only the files that it admits, by their real paths", async () => {
  const cwd = await tempFolder({ "a.java": "a", "b.xml": "b", "sub/c.java": "c" });
  await symlink("b.xml", join(cwd, "link.java"));
  const workspace = await openWorkspace(cwd, { admits: (path) => path.endsWith(".java") });
  expect(await workspace.list(".", signal)).toEqual(["a.java", "sub/c.java"]);
  expect(await workspace.list("b.xml", signal)).toEqual([]);
  expect(await workspace.read("sub/c.java")).toBe("c");
  for (const path of ["b.xml", "link.java"]) {
    await expect(workspace.read(path)).rejects.toThrow(`${path} is not among the files of this workspace`);
    await expect(workspace.write(path, "x")).rejects.toThrow("is not among the files");
    await expect(workspace.checkWritable(path)).rejects.toThrow("is not among the files");
  }
  await expect(workspace.write("new.txt", "x")).rejects.toThrow("is not among the files");
  expect(await readFile(join(cwd, "b.xml"), "utf8")).toBe("b");
});

describe("what lies outside", () => {
  it.each([
    "../secret.txt",
    "dir/../../x",
    "/etc/passwd",
    "link.txt",
    "linked-dir/secret.txt",
    "dangling.txt",
    "linked-dir/new/file.txt",
    "a\0b",
  ])("is neither read, nor written, nor listed by way of %j", async (path) => {
    const { workspace, outside } = await trap();
    await expect(workspace.read(path)).rejects.toThrow(ToolError);
    await expect(workspace.write(path, "changed")).rejects.toThrow(ToolError);
    await expect(workspace.checkWritable(path)).rejects.toThrow(ToolError);
    await expect(workspace.list(path, signal)).rejects.toThrow(ToolError);
    expect(await readdir(outside)).toEqual(["secret.txt"]);
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  it("is not written by whatever path", async () => {
    const { workspace, outside, cwd } = await trap();
    const part = fc.constantFrom(
      "..",
      ".",
      "dir",
      "linked-dir",
      "link.txt",
      "dangling.txt",
      "new",
      "loop",
      "/",
      "a.txt",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (parts) => {
        await workspace.write(parts.join("/"), "changed").catch(() => {});
        expect(await readdir(outside)).toEqual(["secret.txt"]);
        expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
        expect(await readlink(join(cwd, "dangling.txt"))).toBe(join(outside, "new.txt"));
      }),
      { numRuns: 60 },
    );
  });

  it("is not reached when a folder becomes a link after the check", async () => {
    const { workspace, outside, cwd } = await trap();
    await workspace.checkWritable("dir/b.txt");
    await rename(join(cwd, "dir"), join(cwd, "moved"));
    await symlink(outside, join(cwd, "dir"));
    await expect(workspace.write("dir/b.txt", "changed")).rejects.toThrow(/outside/);
  });

  it("is not confused with a folder whose name begins the same", async () => {
    const { cwd, workspace } = await trap();
    const sibling = `${cwd}-other`;
    await mkdir(sibling);
    try {
      await expect(workspace.write(join(sibling, "x"), "y")).rejects.toThrow(/outside/);
      await workspace.write("..hidden/x", "y");
      expect(await workspace.read("..hidden/x")).toBe("y");
    } finally {
      await rm(sibling, { recursive: true });
    }
  });
});

describe("a workspace", () => {
  it("takes relative and absolute paths, ways around and links that stay inside", async () => {
    const { workspace, cwd } = await trap();
    for (const path of [
      "a.txt",
      "./a.txt",
      "dir/../a.txt",
      join(cwd, "a.txt"),
      "good-link.txt",
      `../${cwd.split("/").at(-1)}/a.txt`,
    ]) {
      expect(await workspace.read(path)).toBe("inside");
    }
    expect(workspace.absolute("dir/b.txt")).toBe(join(cwd, "dir/b.txt"));
  });

  it("works from a folder that is a link itself", async () => {
    const { cwd } = await trap();
    const other = await tempFolder();
    await symlink(cwd, join(other, "project"));
    const workspace = await openWorkspace(join(other, "project"));
    expect(await workspace.read(join(other, "project", "a.txt"))).toBe("inside");
    await expect(workspace.read("../other.txt")).rejects.toThrow(/outside/);
  });

  it("creates folders above a new file, and writes through a link that stays inside", async () => {
    const { workspace, cwd } = await trap();
    await workspace.write("new/deep/file.txt", "fresh");
    await workspace.write("good-link.txt", "through");
    expect(await readFile(join(cwd, "new/deep/file.txt"), "utf8")).toBe("fresh");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("through");
    expect(await readlink(join(cwd, "good-link.txt"))).toBe("a.txt");
  });

  it("keeps a file's permissions and leaves no draft behind", async () => {
    const cwd = await tempFolder({ "run.sh": "#!/bin/sh\n" });
    await chmod(join(cwd, "run.sh"), 0o775);
    const workspace = await openWorkspace(cwd);
    await workspace.write("run.sh", "#!/bin/sh\nexit\n");
    expect((await stat(join(cwd, "run.sh"))).mode & 0o777).toBe(0o775);
    await expect(workspace.write("run.sh/x", "y")).rejects.toThrow();
    expect(await readdir(cwd)).toEqual(["run.sh"]);
  });

  it.each([".git/hooks/pre-commit", "sub/.git/config", ".GIT/config"])("does not write %s", async (path) => {
    const workspace = await openWorkspace(await tempFolder({ ".git/config": "", "sub/.git/config": "" }));
    await expect(workspace.write(path, "x")).rejects.toThrow(/belongs to Git/);
  });

  it("says that a file is not there, or gives undefined", async () => {
    const { workspace } = await trap();
    await expect(workspace.read("none.txt")).rejects.toThrow("The file none.txt does not exist");
    await expect(workspace.list("none", signal)).rejects.toThrow("none does not exist");
    expect(await workspace.readIfPresent("none.txt")).toBeUndefined();
  });

  it("refuses what is not a text file of a reasonable size", async () => {
    const cwd = await tempFolder({
      "nul.bin": new Uint8Array([80, 0, 75]),
      "latin1.txt": new Uint8Array([0xe9, 0x74, 0xe9]),
      "large.txt": "x".repeat(maxBytes + 1),
      "dir/x": "",
    });
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const workspace = await openWorkspace(cwd);
    await expect(workspace.read("nul.bin")).rejects.toThrow(/is a binary file/);
    await expect(workspace.read("latin1.txt")).rejects.toThrow(/is not UTF-8 text/);
    await expect(workspace.read("large.txt")).rejects.toThrow(/has more than 1048576 bytes/);
    await expect(workspace.read("dir")).rejects.toThrow(/is a folder/);
    await expect(workspace.read("pipe")).rejects.toThrow(/is not a regular file/);
    await expect(workspace.write("new.txt", "x".repeat(maxBytes + 1))).rejects.toThrow(/has more than 1048576 bytes/);
    expect(await workspace.readIfPresent("new.txt")).toBeUndefined();
  });

  it("reads a byte order mark and line ends as they are", async () => {
    const workspace = await openWorkspace(await tempFolder({ "dos.txt": "\uFEFFa\r\nb" }));
    expect(await workspace.read("dos.txt")).toBe("\uFEFFa\r\nb");
  });

  it("is not opened on what is not a folder", async () => {
    const cwd = await tempFolder({ file: "" });
    await expect(openWorkspace(join(cwd, "file"))).rejects.toThrow(/^The folder .* does not exist$/);
    await expect(openWorkspace(join(cwd, "none"))).rejects.toThrow(/^The folder .* does not exist$/);
  });
});

describe("a listing", () => {
  const files = {
    ".gitignore": "dist/\n*.log\n",
    ".hidden/config": "",
    ".git/HEAD": "",
    "a [1]/(x).js": "",
    "dist/out.js": "",
    "node_modules/dep/index.js": "",
    "src/b.js": "",
    "src/a.js": "",
    "src/gen/.gitignore": "*.js\n!keep.js\n",
    "src/gen/gone.js": "",
    "src/gen/keep.js": "",
    "x.log": "",
  };

  it("is sorted, honours every .gitignore and does not follow links", async () => {
    const cwd = await tempFolder(files);
    await symlink(dirname(cwd), join(cwd, "up"));
    const workspace = await openWorkspace(cwd);
    expect(await workspace.list(".", signal)).toEqual([
      ".gitignore",
      ".hidden/config",
      "a [1]/(x).js",
      "src/a.js",
      "src/b.js",
      "src/gen/.gitignore",
      "src/gen/keep.js",
    ]);
  });

  it("covers one folder or one file, whatever its name", async () => {
    const workspace = await openWorkspace(await tempFolder(files));
    expect(await workspace.list("src/gen", signal)).toEqual(["src/gen/.gitignore", "src/gen/keep.js"]);
    expect(await workspace.list("a [1]", signal)).toEqual(["a [1]/(x).js"]);
    expect(await workspace.list("src/a.js", signal)).toEqual(["src/a.js"]);
  });

  it("stops when it is cancelled", async () => {
    const workspace = await openWorkspace(await tempFolder(files));
    await expect(workspace.list(".", AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  });
});
