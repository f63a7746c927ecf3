import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";

const { extension, streams } = await bundle(import.meta.url, {
  extension: "readme/extension.ts",
  streams: "readme/streams.ts",
});
const server = [process.execPath, fileURLToPath(new URL("fixtures/server.mjs", import.meta.url))];

async function run(file: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...server]);
  return stdout.trimEnd().split("\n");
}

it.concurrent("the README's extension speaks with a server", async ({ expect }) => {
  expect(await run(extension)).toEqual([
    "counted { n: 1 }",
    "counted { n: 2 }",
    "{ to: 2 }",
    "{ answer: 'question: because' }",
  ]);
});

it.concurrent("the README's connection over our transport says how the server ended", async ({ expect }) => {
  expect(await run(streams)).toEqual([
    "counted { n: 1 }",
    "{ to: 1 }",
    expect.stringMatching(/exited with code 0|closed/),
  ]);
});
