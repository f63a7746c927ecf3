// A backend and a plugin in memory: two tools, one of which fails.
import { deepStrictEqual } from "node:assert";
import { isRemoteError } from "@editwire/sman";
import { smanPair } from "@editwire/sman/testing";

async function main(): Promise<void> {
  const { ide, close } = await smanPair({
    tools: {
      grep_file: ({ pattern }) => `found ${pattern}`,
      read_file: ({ relativePath }) => ({ success: false, error: `no ${relativePath}` }),
    },
  });
  const seen = [(await ide.call("grep_file", { pattern: "TODO" })).result];
  try {
    await ide.call("read_file", { relativePath: "a.ts" });
  } catch (error) {
    if (isRemoteError(error)) seen.push(error.message);
  }
  deepStrictEqual(seen, ["found TODO", "no a.ts"]);
  await close();
}

void main();
