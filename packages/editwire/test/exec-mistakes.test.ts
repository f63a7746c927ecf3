import { expect, it } from "vitest";
import { agents } from "./commands.js";
import { exec } from "./run-exec.js";

it.each([
  [["hi", "--", "no-such-agent"], 127, "no such command"],
  [["hi", "--agent", "http://127.0.0.1:9/acp"], 127, "127.0.0.1:9"],
  [["hi", "--agent", "geminy"], 127, 'the registry has no agent "geminy"; did you mean gemini?'],
  [["hi"], 2, "expected the agent's command after --, or --agent with its name or endpoint"],
  [["--", ...agents.acp], 2, "expected a prompt, received an empty text"],
  [["--permission", "yes", "hi", "--", ...agents.acp], 2, "expected allow_once or reject_once, or rules such as"],
  [["--timeout", "soon", "hi", "--", ...agents.acp], 2, "expected seconds, received soon"],
  [["--session", "nope", "hi", "--", ...agents.acp], 2, '--session: the agent has no session "nope"'],
  [["--mode", "nope", "hi", "--", ...agents.acp], 2, "--mode nope: expected one of build, plan"],
  [["--agent", "gemini", "--protocol", "eca", "hi"], 2, "--agent gemini: the registry has agents of acp"],
  [["fail", "--", ...agents.acp], 1, "Out of tokens"],
  [["die", "--", ...agents.acp], 1, "killed by SIGKILL"],
  [["--timeout", "3", "wait", "--", ...agents.acp], 124, ""],
])("exec %j ends with %i", async (args, expected, message) => {
  const { code, stdout, stderr } = await exec(args);
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n").length).toBeLessThan(3);
  expect(stdout).toBe("");
  expect(code).toBe(expected);
});

/** An agent that greets in the wrong way, and opens no session. */
const keyless = `
  console.log("Welcome");
  let rest = "";
  process.stdin.on("data", (piece) => {
    const lines = (rest + piece).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
      const { id, method } = JSON.parse(line);
      const refusal = { error: { code: -32000, message: "no \\x1b]0;x\\x07key" } };
      const answer = method === "initialize" ? { result: { protocolVersion: 1 } } : refusal;
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    }
  });`;

it("says why the agent opens no session, whatever was said before, and without commands for a terminal", async () => {
  const { code, stdout, stderr } = await exec(["--json", "hi", "--", process.execPath, "--eval", keyless]);
  expect(stderr).toMatch(/^editwire: no key$/m);
  expect(JSON.parse(stdout)).toMatchObject({ type: "stop", stopReason: "error", error: { code: -32000 } });
  expect(code).toBe(1);
});
