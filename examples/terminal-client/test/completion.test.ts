import type { AcpSession } from "@editwire/acp";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { completions } from "../src/completion.js";
import { programs } from "./programs.js";
import { canUseTerminal, runAtTerminal } from "./run-at-terminal.js";

const session = {
  state: { commands: ["review", "review-branch", "mode", "mcp:server"].map((name) => ({ name, description: "" })) },
  modes: {
    currentModeId: "build",
    availableModes: [
      { id: "build", name: "Build" },
      { id: "plan", name: "Plan" },
    ],
  },
} as unknown as AcpSession;

test.each([
  ["/", ["/mode", "/cancel", "/quit", "/help", "/review", "/review-branch", "/mcp:server"]],
  ["/rev", ["/review", "/review-branch"]],
  ["/m", ["/mode", "/mcp:server"]],
  ["/mode ", ["/mode build", "/mode plan"]],
  ["/mode  p", ["/mode plan"]],
  ["/review x", []],
  ["Fix /m", []],
  ["", []],
])("%j", (line, lines) => {
  expect(completions(line, session)).toEqual(lines);
});

test.runIf(canUseTerminal)("Tab completes the agent's commands and its modes", async () => {
  const program = runAtTerminal([...programs.client, "--cwd", "/work", "--", ...programs.agent]);
  onTestFinished(() => program.kill("SIGKILL"));
  onTestFailed(() => console.error(`The terminal showed: ${JSON.stringify(program.output)}`));
  await program.shows("›");
  program.type("commands\r");
  await program.shows("done · ");
  program.type("/com\t");
  await program.shows("/compress-history");
  program.type(" now\r");
  await program.shows("You said: /compress-history now");
  program.type("/mo\t rea\t\r");
  await program.shows("mode read-only", 2);
  program.type("/quit\r");
  expect(await program.ended).toBe(0);
});
