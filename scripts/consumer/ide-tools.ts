// The tools on a folder: a change, what was read of it, and a refusal.
import { deepStrictEqual, match, rejects } from "node:assert";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIdeTools, ToolError } from "@editwire/ide-tools";

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ide-tools-consumer-"));
  try {
    const tools = await openIdeTools(folder);
    match(await tools.apply_change({ relativePath: "src/a.ts", replaceContent: "one\n" }), /File created/);
    await tools.apply_change({ relativePath: "src/a.ts", searchContent: "one", replaceContent: "two" });
    deepStrictEqual(readFileSync(join(folder, "src/a.ts"), "utf8"), "two\n");
    match(await tools.read_file({ relativePath: "src/a.ts" }), /two/);
    await rejects(tools.read_file({ relativePath: "../a.ts" }), ToolError);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
