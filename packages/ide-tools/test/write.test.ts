import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readLines } from "../../../scripts/testing/lines.js";
import { openIdeTools } from "../src/tools.js";
import { openWorkspace } from "../src/workspace/workspace.js";
import { tempFolder } from "./support/temp-folder.js";

describe("a file that somebody else saves", () => {
  it("while a formatter runs is not written", async () => {
    const root = await tempFolder({ "a.txt": "one\n" });
    const formatter = async (text: string): Promise<string> => {
      await writeFile(join(root, "a.txt"), "one, saved\n");
      return text;
    };
    const tools = await openIdeTools(root, { formatter });
    const change = { relativePath: "a.txt", searchContent: "one", replaceContent: "two" };
    await expect(tools.apply_change(change)).rejects.toMatchObject({ code: "changed", path: "a.txt" });
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one, saved\n");
    expect(await readdir(root)).toEqual(["a.txt"]);
  });

  it("is not written, even when it is deleted or created meanwhile", async () => {
    const root = await tempFolder({ "a.txt": "one" });
    const workspace = await openWorkspace(root);
    await expect(workspace.write("a.txt", "two", { replaces: "another" })).rejects.toMatchObject({ code: "changed" });
    await expect(workspace.write("a.txt", "two", { createOnly: true })).rejects.toMatchObject({ code: "exists" });
    await expect(workspace.write("b.txt", "two", { replaces: "one" })).rejects.toMatchObject({ code: "changed" });
    await workspace.write("a.txt", "two", { replaces: "one" });
    expect([await readFile(join(root, "a.txt"), "utf8"), await readdir(root)]).toEqual(["two", ["a.txt"]]);
  });

  it("keeps what the other one saved, over many races", async () => {
    const root = await tempFolder({ "a.txt": "0 user=0 tool=0\n" });
    const file = join(root, "a.txt");
    // The other editor counts in place: it reads, adds one to its number and saves, and says how often it did.
    const editor = `
      const fs = require("node:fs");
      let saved = 0;
      const save = () => {
        fs.writeFileSync(${JSON.stringify(file)}, "0 user=" + ++saved + " tool=0\\n");
        console.log(saved);
      };
      process.stdin.on("data", () => setTimeout(save, Math.random() * 3));`;
    const child = spawn(process.execPath, ["-e", editor], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const saves = readLines(child.stdout)[Symbol.asyncIterator]();
    const tools = await openIdeTools(root);
    const outcomes = { written: 0, refused: 0 };
    for (let round = 0; round < 200; round++) {
      const before = await readFile(file, "utf8");
      child.stdin.write("save\n");
      const change = {
        relativePath: "a.txt",
        searchContent: before,
        replaceContent: before.replace("tool=0", "tool=1"),
      };
      const isWritten = await tools.apply_change(change).then(
        () => true,
        ({ code }: { code: string }) => (expect(["changed", "no_match"]).toContain(code), false),
      );
      outcomes[isWritten ? "written" : "refused"]++;
      const { value: saved } = await saves.next();
      // The user's number is there: an edit of the text before it has not overwritten it.
      expect(await readFile(file, "utf8")).toBe(`0 user=${saved} tool=0\n`);
    }
    expect(Math.min(outcomes.written, outcomes.refused)).toBeGreaterThan(0);
    child.kill();
    await once(child, "exit");
  });
});

describe.runIf(process.platform !== "win32")("the mode of a file", () => {
  it("is that of the old one from the first byte on", async () => {
    const root = await tempFolder({ "secret.txt": "old\n" });
    await chmod(join(root, "secret.txt"), 0o600);
    const workspace = await openWorkspace(root, { maxFileBytes: 64 * 1024 * 1024 });
    const modes = new Set<number>();
    let isWritten = false;
    const written = workspace.write("secret.txt", "x".repeat(32 * 1024 * 1024)).then(() => (isWritten = true));
    while (!isWritten)
      for (const name of await readdir(root)) {
        const info = await stat(join(root, name)).catch(() => undefined);
        if (info !== undefined) modes.add(info.mode & 0o777);
      }
    await written;
    expect([...modes]).toEqual([0o600]);
  });

  it("refuses the write where nobody may write", async () => {
    const root = await tempFolder({ "a.txt": "old\n" });
    await chmod(join(root, "a.txt"), 0o444);
    const tools = await openIdeTools(root);
    const change = { relativePath: "a.txt", searchContent: "old", replaceContent: "new" };
    await expect(tools.apply_change(change)).rejects.toMatchObject({
      ...{ code: "unwritable", message: "a.txt is read-only" },
    });
    const workspace = await openWorkspace(root);
    await expect(workspace.write("a.txt", "new")).rejects.toMatchObject({ code: "unwritable" });
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("old\n");
    expect(await readdir(root)).toEqual(["a.txt"]);
  });
});

describe("text that could not be read back", () => {
  it.each([
    ["a null character", "a\0b", "binary"],
    ["half a surrogate pair", "a\uD83Db", "encoding"],
  ])("is not written: %s", async (_case, replaceContent, code) => {
    const root = await tempFolder({ "a.txt": "old\n" });
    const tools = await openIdeTools(root);
    const workspace = await openWorkspace(root);
    for (const params of [{ relativePath: "a.txt", searchContent: "old" }, { relativePath: "b.txt" }])
      await expect(tools.apply_change({ ...params, replaceContent })).rejects.toMatchObject({ code });
    await expect(workspace.write("a.txt", replaceContent)).rejects.toMatchObject({ code });
    expect([await readFile(join(root, "a.txt"), "utf8"), await readdir(root)]).toEqual(["old\n", ["a.txt"]]);
  });
});
