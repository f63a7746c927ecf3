import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeTerminals } from "../src/node.js";
import type { NodeTerminalsOptions } from "../src/node/terminals.js";

const folder = mkdtempSync(join(tmpdir(), "editwire-shell-"));

/** Runs a command as an agent sends it, and resolves with its output. */
async function run(options: NodeTerminalsOptions, command: string, args?: string[]): Promise<string> {
  const terminals = nodeTerminals(options);
  const context = { roots: [folder], signal: new AbortController().signal };
  const params = { sessionId: "s", command, ...(args && { args }) };
  const { terminalId } = await terminals.create(params, context);
  await terminals.waitForExit({ sessionId: "s", terminalId }, context);
  const { output } = await terminals.output({ sessionId: "s", terminalId }, context);
  await terminals.release({ sessionId: "s", terminalId }, context);
  return output;
}

const lines = { shell: "lines" } as const;

it.each([undefined, "never"] as const)("refuses a shell line by default and with shell: %s", async (shell) => {
  await expect(run({ shell }, "echo one | tr a-z A-Z")).rejects.toMatchObject({
    code: -32602,
    message:
      "the command cannot be started: command is not a program, and this client runs no shell lines; " +
      "send the program and its args apart",
    data: { command: "echo one | tr a-z A-Z", cwd: folder, code: "ENOENT" },
  });
});

it.skipIf(process.platform === "win32").each([
  ["a pipe", "echo one | tr a-z A-Z", "ONE\n"],
  ["words", "echo one two", "one two\n"],
  ["variables and several commands", 'A="x y" && echo "$A"; echo z >&2', "x y\nz\n"],
])("runs a line with %s", async (_what, line, output) => {
  expect(await run(lines, line)).toBe(output);
  expect(await run(lines, line, [])).toBe(output);
});

it("runs a program with args, or without a shell's characters, without a shell", async () => {
  const script = "console.log(process.argv.slice(1).join())";
  expect(await run(lines, process.execPath, ["-e", script, "$HOME", "a b; echo c"])).toBe("$HOME,a b; echo c\n");
  await expect(run(lines, "no-such-program")).rejects.toMatchObject({ data: { code: "ENOENT" } });
  await expect(run(lines, "echo one", ["two"])).rejects.toMatchObject({ message: "the command cannot be started" });
});

it.skipIf(process.platform === "win32")("runs a program whose path has a shell's characters", async () => {
  const program = join(folder, "my program; $(x)");
  writeFileSync(program, "#!/bin/sh\necho ran\n");
  chmodSync(program, 0o755);
  expect(await run(lines, program)).toBe("ran\n");
});

it.skipIf(process.platform === "win32")("ends all that a line has started, with the terminal", async () => {
  const terminals = nodeTerminals(lines);
  const context = { roots: [folder], signal: new AbortController().signal };
  const { terminalId } = await terminals.create({ sessionId: "s", command: "sleep 1000 | sleep 1000" }, context);
  const exited = terminals.waitForExit({ sessionId: "s", terminalId }, context);
  await terminals.kill({ sessionId: "s", terminalId }, context);
  expect(await exited).toEqual({ signal: "SIGTERM" });
});

it("names the values of shell", () => {
  expect(() => nodeTerminals({ shell: "always" as "lines" })).toThrow(/^nodeTerminals: expected shell to be /);
});
