import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ndjson } from "@editwire/framing";
import { afterAll, expect, it } from "vitest";
import { spawnTransport } from "../src/node.js";
import { NearEnd } from "./near-end.js";

const folder = mkdtempSync(join(tmpdir(), "editwire-start-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Why a command cannot be started in the folder, whose programs its PATH has. */
async function reason(...argv: string[]): Promise<string> {
  const path = { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  const { message } = await new NearEnd(spawnTransport(argv, ndjson(), { cwd: folder, env: path })).closed;
  return message.replace(/^cannot start "[^"]*" in "[^"]*": /, "");
}

/** Writes a file to the folder. Returns its path. */
function file(name: string, text: string, mode: number): string {
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
}

it.each([
  ["node agent.js", '["node","agent.js"]'],
  [" node   agent.js  --acp ", '["node","agent.js","--acp"]'],
  [`${process.execPath} agent.js`, JSON.stringify([process.execPath, "agent.js"])],
])("a line in place of a command: %j", async (line, words) => {
  expect(await reason(line)).toBe(`no such command; words are separate arguments: ${words}`);
});

it.each([[["my agent.exe"]], [["node agent.js", "--acp"]], [["node-agent.js"]]])(
  "a command that is no line: %j",
  async (argv) => expect(await reason(...argv)).toBe("no such command"),
);

it("a line whose program lies in the folder", async () => {
  file("agent", "", 0o755);
  expect(await reason("./agent --acp")).toBe('no such command; words are separate arguments: ["./agent","--acp"]');
});

it("a file without the permission to be executed, by its path and by PATH", async () => {
  const path = file("agent.mjs", "#!/usr/bin/env node", 0o644);
  const missing = `the permission to execute it is missing; chmod +x "${path}" adds it`;
  for (const command of ["./agent.mjs", path, "agent.mjs"]) expect(await reason(command)).toBe(missing);
});

it("a folder in place of a command", async () => {
  expect(await reason(folder)).toBe("it is a folder");
});

it("a script whose interpreter is missing", async () => {
  file("script", "#!/no/such/interpreter", 0o755);
  expect(await reason("./script")).toBe("the interpreter that its first line names does not exist");
});
