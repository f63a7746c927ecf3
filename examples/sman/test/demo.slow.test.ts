import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

async function runDemo(): Promise<string> {
  const program = ["--import", import.meta.resolve("tsx"), "--conditions=@editwire/source", demo];
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { ...process.env, OPENAI_API_KEY: "", OPENAI_BASE_URL: "" },
  });
  return stdout;
}

it("prints what the README shows, in the same order each time", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const shown = /^\$ npm run -s demo:sman\n…\n([^]*?)^```$/m.exec(readme)?.[1];
  const [java = "", typescript] = (await runDemo()).split(/\n(?=A TypeScript)/);
  expect(typescript).toBe(shown);
  expect(java).toMatch(
    /agent → orders +grep_file[^]*call_chain[^]*read_file[^]*apply_change[^]*\+ {4}return goodsCents >=/,
  );
});
