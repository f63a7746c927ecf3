import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { lineWith } from "../../../scripts/testing/lines.js";
import { partNames } from "../src/messages.js";

const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

/** Starts the demo. `ended` resolves at its end. */
function start(...args: string[]) {
  const program = ["--import", import.meta.resolve("tsx"), "--conditions=@editwire/source", demo, ...args];
  let end: (result: { readonly code: number; readonly output: string }) => void;
  const ended = new Promise<Parameters<typeof end>[0]>((resolve) => (end = resolve));
  const child = execFile(process.execPath, program, (error, output, log) => {
    end({ code: error === null ? 0 : Number(error.code), output: output + log });
  });
  return { child, ended };
}

/** Runs the demo to its end. */
const run = (...args: string[]) => start(...args).ended;

/** The id of a process of the demo. */
function pidOf(name: string, demoPid: number | undefined): number {
  const all = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const [line = ""] = all.filter((one) => one.trim().split(/\s+/)[1] === `${demoPid}` && one.endsWith(` ${name}`));
  return Number(line.trim().split(/\s+/)[0]);
}

/** The lines about messages from one process to another. */
const said = (output: string, from: string, to: string): string[] =>
  output.split("\n").filter((line) => line.includes(` ${from} → ${to} `));

it("lets the agent fix what a host, an ECA editor and a Kaiak client ask for, with the tools of the IDE", async () => {
  const { code, output } = await run();
  expect(output).toContain("A project in which 3 of 6 tests fail.");
  expect(output).toContain("6 of 6 tests pass.");
  expect(code).toBe(0);
  // The task of the host's user is seen and steered in the ECA editor, and allowed in the ACP editor.
  expect(said(output, "helix-host", "agent").join("\n")).toContain("chat_message “The garden room");
  expect(said(output, "eca-editor", "agent").join("\n")).toContain("chat/promptSteer “And seven nights");
  expect(said(output, "acp-editor", "agent").join("\n")).toContain("↩ allow_once");
  expect(said(output, "agent", "helix-host").join("\n")).toContain("tool_call “Edit src/discount.js” Completed");
  for (const editor of ["eca-editor", "acp-editor"])
    expect(said(output, "agent", editor).join("\n")).toMatch(/“Edit src\/stay\.js”[^]*“Edit src\/discount\.js”/);
  expect(said(output, "agent", "ide").join("\n")).toMatch(/grep_file[^]*call_chain[^]*read_file[^]*apply_change/);
  expect(said(output, "agent", "kaiak-client").join("\n")).toMatch(
    /file_modification modify src\/beds\.js[^]*↩ completed/,
  );
});

it.each(partNames)("goes on when %s is killed in the middle of its work", async (name) => {
  const { code, output } = await run("--kill", name);
  expect(output).toMatch(new RegExp(`· demo +kills ${name} with SIGKILL`));
  expect(output).toMatch(new RegExp(`✗ ${name} +was ended by SIGKILL; the demo starts it again`));
  expect(output).toContain("6 of 6 tests pass.");
  expect(output).not.toMatch(/ at \S.*:\d+:\d+\)?/); // a line that says what happened, and no stack
  expect(code).toBe(0);
});

it("goes on when the agent is killed before it has kept the session", async () => {
  const { child, ended } = start();
  await lineWith(child.stdout, /thread_created/);
  process.kill(pidOf("agent", child.pid), "SIGKILL");
  const { code, output } = await ended;
  expect(output).toMatch(/✗ agent +was ended by SIGKILL; the demo starts it again/);
  expect(output).not.toMatch(/✗ (?!agent)/);
  expect(output).not.toMatch(/ at \S.*:\d+:\d+\)?/);
  expect(output).toContain("6 of 6 tests pass.");
  expect(code).toBe(0);
});
