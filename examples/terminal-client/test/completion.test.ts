import type { AcpSession } from "@editwire/acp";
import type { SessionConfigOption } from "@editwire/acp-schema";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { completions } from "../src/completion.js";
import { programs } from "./programs.js";
import { canUseTerminal, runAtTerminal } from "./run-at-terminal.js";

function select(id: string, currentValue: string, other: string, category?: string): SessionConfigOption {
  const options = [currentValue, other].map((value) => ({ value, name: value }));
  return { type: "select", id, name: id, category, currentValue, options };
}

const session = {
  state: {
    commands: ["review", "review-branch", "mode", "mcp:server", "memory show"].map((name) => ({
      name,
      description: "",
    })),
  },
  configOptions: [
    select("agent", "build", "plan", "mode"),
    select("model", "small", "large"),
    select("effort", "low", "very high"),
    { type: "boolean", id: "fast", name: "Fast", currentValue: false },
  ],
} as unknown as AcpSession;

test.each([
  [
    "/",
    [
      "/mode",
      "/model",
      "/set",
      "/cancel",
      "/quit",
      "/help",
      "/review",
      "/review-branch",
      "/mcp:server",
      "/memory show",
    ],
  ],
  ["/rev", ["/review", "/review-branch"]],
  ["/m", ["/mode", "/model", "/mcp:server", "/memory show"]],
  ["/memory  s", ["/memory show"]],
  ["/mode ", ["/mode build", "/mode plan"]],
  ["/mode  p", ["/mode plan"]],
  ["/model l", ["/model large"]],
  ["/mode plan ", []],
  ["/set ", ["/set agent", "/set model", "/set effort", "/set fast"]],
  ["/set f", ["/set fast"]],
  ["/set fast ", ["/set fast on", "/set fast off"]],
  ["/set model  s", ["/set model small"]],
  ["/set nothing ", []],
  ["/set effort very h", ["/set effort very high"]],
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
