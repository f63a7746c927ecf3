import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openIdeTools } from "../../src/tools.js";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.js";
import { tempFolder } from "../support/temp-folder.js";

const swapper = fileURLToPath(new URL("swapper.mjs", import.meta.url));
const AT_ONCE = 16;

/** A workspace in which another process keeps swapping `dir` with a link to the folder outside. */
async function swapping(): Promise<{ workspace: Workspace; outside: string; cwd: string }> {
  const outside = await tempFolder({ "b.txt": "secret" });
  const cwd = await tempFolder({ "dir/b.txt": "inside" });
  const workspace = await openWorkspace(cwd);
  const child = spawn(process.execPath, [swapper, join(cwd, "dir"), outside], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await once(child.stdout, "data");
  return { workspace, outside, cwd };
}

/** Runs the same work many times, some of it at once. Gives the results; what fails gives nothing. */
async function often<Result>(rounds: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round++) {
    const settled = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
    for (const result of settled) if (result.status === "fulfilled") results.push(result.value);
  }
  return results;
}

describe.runIf(process.platform === "linux")("while a folder is swapped with a link", () => {
  it("nothing outside is read", async () => {
    const { workspace } = await swapping();
    const texts = await often(500, () => workspace.read("dir/b.txt"));
    expect(texts.length).toBeGreaterThan(0);
    expect([...new Set(texts)]).toEqual(["inside"]);
  });

  it("C57 nothing outside is shown by the tools", async () => {
    const { cwd } = await swapping();
    const tools = await openIdeTools(cwd);
    const read = await often(20, () => tools.read_file({ relativePath: "dir/b.txt" }));
    const found = await often(4, () => tools.grep_file({ pattern: "inside|s.cret", regex: true }));
    expect(read.filter((report) => report.includes("inside")).length).toBe(read.length);
    expect(found.some((report) => report.includes("`inside`"))).toBe(true);
    expect(found.join("\n")).not.toContain("secret");
  });

  it("nothing outside is written or created", async () => {
    const { workspace, outside } = await swapping();
    const done = await often(100, async (index) => {
      await workspace.write(index % 2 === 0 ? "dir/b.txt" : `dir/deep/${index}.txt`, "changed");
      return true;
    });
    expect(done.length).toBeGreaterThan(0);
    expect(await readdir(outside)).toEqual(["b.txt"]);
    expect(await readFile(join(outside, "b.txt"), "utf8")).toBe("secret");
  });
});
