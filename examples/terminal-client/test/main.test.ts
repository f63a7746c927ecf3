import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram, type RunningProgram } from "./run-program.js";

function client(...options: string[]): RunningProgram {
  return runProgram([...programs.client, ...options, "--cwd", "/work", "--", ...programs.agent]);
}

async function turn(prompt: string, ...options: string[]) {
  const program = client("--prompt", prompt, ...options);
  const code = await program.ended;
  return { code, output: program.output };
}

async function session(lines: readonly string[], ...options: string[]) {
  const program = client(...options);
  program.feed(lines.map((line) => `${line}\n`).join(""));
  const code = await program.ended;
  return { code, output: program.output };
}

describe("one prompt", () => {
  test("shows the turn and ends with 0", async () => {
    const { code, output } = await turn("greet");
    expect(output.replace(/\d+\.\d s/, "N s")).toBe(
      [
        "fixture  1.2.3  mode full",
        "",
        "A greeting is asked for.",
        "",
        "Hello, world!",
        "",
        "Plan",
        "  ▸ Greet",
        "  ✓ Greet",
        "",
        "✓ search    Look around  a.js:2",
        "  │ 3 lines",
        "",
        "Done.",
        "",
        "done · 1 tool call · N s",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  test("shows what a shell line that the agent sends as a command has written", async () => {
    const program = runProgram([
      ...programs.client,
      ...["--prompt", "run a line", "--cwd", tmpdir(), "--"],
      ...programs.agent,
    ]);
    await program.ended;
    expect(program.output).toContain("✓ execute   Count\n  │ 2\n");
  });

  test("that the agent refuses ends with 3", async () => {
    const { code, output } = await turn("refuse");
    expect(output).toContain("the agent refuses to go on");
    expect(code).toBe(3);
  });

  test("with --yes allows, and says so", async () => {
    const { code, output } = await turn("edit", "--yes");
    expect(output).toContain(
      [
        "? edit      Edit a.js  +1 −1",
        "  │ @@ -1,1 +1,1 @@",
        "  │ -old",
        "  │ +new",
        "  └ Allow (answered by --yes)",
        "✓ edit      Edit a.js  +1 −1",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });
});

describe("prompts from a pipe", () => {
  test("run line by line, commands among them, until the end", async () => {
    const lines = [
      "hello",
      "/mode",
      "/mode read-only",
      "/mode warp",
      "/cancel",
      "/warp",
      "",
      "fail",
      "bye",
      "/quit",
      "never",
    ];
    const { code, output } = await session(lines, "--mode", "safe");
    expect(code).toBe(0);
    expect(output).toMatch(/^fixture {2}1\.2\.3 {2}mode safe\n\n› hello\n\nYou said: hello\n\ndone · /);
    expect(output).toContain("\n✓ safe ");
    expect(output).toContain("› /mode read-only\n\nmode read-only\n\n");
    expect(output).toContain("✗ session/set_mode: the session does not offer the mode");
    expect(output).toContain("no turn is running");
    expect(output).toContain("/warp is not a command");
    expect(output).toContain("✗ The agent answers with an error: The model is ␛[5maway (-32001)");
    expect(output).toContain("You said: bye");
    expect(output).not.toContain("never");
  });

  test("reject permissions without a terminal; obey no text of the agent; --verbose shows the rest", async () => {
    const { code, output } = await session(["edit", "attack", "greet"], "--verbose");
    expect(code).toBe(0);
    expect(output).toContain(
      "  └ Reject (there is no terminal to ask at; --yes allows)\n✗ edit      Edit a.js  +1 −1\n" +
        "  │ not allowed: selected\n",
    );
    expect(output).not.toMatch(/(?!\n)[\p{Cf}\p{Cc}]/u);
    expect(output).toContain("␛[2J␛]0;owned␇safe<U+202E>txt");
    expect(output).toContain("mode ␛[1mroot");
    expect(output).toContain("✗ other     ls ␛[8mhidden");
    expect(output).toContain('unknown update: {"sessionUpdate":"future_update","weather":"fine"}');
  });

  test("the agent's own commands are listed, and sent to it", async () => {
    const { output } = await session(["/review main", "commands", "/help", "/review main"]);
    expect(output).toContain("/review is not a command");
    expect(output).toContain(
      [
        "/help              show this list",
        "/review [branch]   Reviews the changes",
        "/compress-history  Makes the history shorter",
      ].join("\n"),
    );
    expect(output).not.toContain("Never shown");
    expect(output).toContain("You said: /review main");
  });

  test("end at line breaks only, not at U+2028", async () => {
    const { code, output } = await session(["one\u2028two", "/quit"]);
    expect(code).toBe(0);
    expect(output.match(/You said: /g)).toHaveLength(1);
    expect(output).toContain("You said: one<U+2028>two");
  });

  test("/cancel cancels the turn before it", async () => {
    const { code, output } = await session(["wait", "/cancel", "hello"]);
    expect(output).toMatch(/cancelled · [^]*You said: hello/);
    expect(code).toBe(0);
  });

  test("an agent that dies ends them with 1", async () => {
    const { code, output } = await session(["die", "hello"]);
    expect(output).toMatch(
      /Goodbye\.\n\n✗ The agent is gone: node exited with code 3.*\n {2}its stderr:\n {2}│ out of luck\n$/,
    );
    expect(code).toBe(1);
  });
});

describe.concurrent("signals", () => {
  test("SIGINT cancels the turn: 130", async () => {
    const program = client("--prompt", "wait");
    await program.shows("Waiting.");
    program.kill("SIGINT");
    expect(await program.ended).toBe(130);
    expect(program.output).toMatch(/Waiting\.\n\ncancelling …\n\ncancelled · \d/);
  });

  test("a second SIGINT quits although the agent goes on: 130", async () => {
    const program = client("--prompt", "stall");
    await program.shows("I will not stop.");
    program.kill("SIGINT");
    await program.shows("cancelling …");
    program.kill("SIGINT");
    expect(await program.ended).toBe(130);
    expect(program.output).toMatch(/cancelling …\n\ncancelled · \d+\.\d s\n$/);
  });

  test.each([["one prompt"], ["prompts from a pipe"]])("SIGTERM cancels the turn of %s and quits: 143", async (how) => {
    const program = how === "one prompt" ? client("--prompt", "wait") : client();
    if (how !== "one prompt") program.feed("wait\nhello\n");
    await program.shows("Waiting.");
    program.kill("SIGTERM");
    expect(await program.ended).toBe(143);
    expect(program.output).toMatch(/Waiting\.\n\ncancelling …\n\ncancelled · \d/);
    expect(program.output).not.toContain("You said");
  });

  test("SIGTERM quits although the agent goes on: 143", async () => {
    const program = client("--prompt", "stall");
    await program.shows("I will not stop.");
    program.kill("SIGTERM");
    expect(await program.ended).toBe(143);
  });
});

test("a reader who goes away ends the client, and its agent: 1", async () => {
  const program = client("--prompt", "flood");
  await program.shows("x");
  program.turnAway();
  expect(await program.ended).toBe(1);
});

describe("an agent that cannot be used", () => {
  test("dies before there is a session: 1, with its last words", async () => {
    const program = runProgram([...programs.client, "--", ...programs.agent], { FIXTURE: "dies" });
    expect(await program.ended).toBe(1);
    expect(program.output).toMatch(
      /^✗ The agent is gone: node exited with code 4.*\n {2}its stderr:\n {2}│ no licence\n$/,
    );
  });

  test("does not exist: 1", async () => {
    const program = runProgram([...programs.client, "--", "no-such-agent", "acp"]);
    expect(await program.ended).toBe(1);
    expect(program.output).toMatch(/^✗ cannot start "no-such-agent" in ".*": no such command\n$/);
  });

  test("does not know the mode: 1", async () => {
    const { code, output } = await turn("greet", "--mode", "warp");
    expect(output).toMatch(/^✗ session\/set_mode: the session does not offer the mode "warp", only full, /);
    expect(code).toBe(1);
  });
});
