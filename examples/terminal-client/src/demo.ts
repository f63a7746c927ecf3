import { Command, CommanderError } from "commander";
import parseCommandLine from "string-argv";
import { changesBetween } from "./demo/changes.js";
import { codingAgentCommand } from "./demo/agent.js";
import { heading, renderChanges, renderTestRun } from "./demo/report.js";
import { copySample, type Workspace } from "./demo/sample.js";
import { runTests } from "./demo/tests.js";
import { openClient } from "./client.js";
import type { Policy } from "./permission.js";
import { describeFailure } from "./render/failure.js";
import type { Look } from "./render/look.js";
import { formatDuration } from "./render/text.js";
import { endTerminal, openTerminal, type Terminal, untilQuit } from "./terminal.js";

const task = "A test of this project fails. Find the defect, fix it, and run the tests again.";

interface DemoOptions {
  agent?: string;
  signIn?: string;
  yes?: boolean;
  keep?: boolean;
  verbose?: boolean;
}

function parseDemoOptions(argv: readonly string[]): DemoOptions | number {
  const program = new Command("demo")
    .description("Lets a coding agent repair the failing test of a sample project, in a copy of it.")
    .option("--agent <command>", "another ACP agent, in place of this repository's own; no shell is run")
    .option("--sign-in <id>", "sign in by one of that agent's ways before its session starts")
    .option("--yes", "let the demo answer permission requests; it does so where there is no terminal")
    .option("--keep", "keep the copy, and print its path")
    .option("--verbose", "show diagnostics, the agent's stderr and unknown updates")
    .allowExcessArguments(false)
    .exitOverride();
  try {
    return program.parse(argv, { from: "user" }).opts<DemoOptions>();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

async function demo(options: DemoOptions, terminal: Terminal): Promise<number> {
  const { screen, colors, interrupts } = terminal;
  const started = performance.now();
  const workspace = await copySample();
  try {
    const passed = await repair(options, workspace, terminal);
    screen.print("took", [colors.dim(`Took ${formatDuration(performance.now() - started)}.`)]);
    return passed ? 0 : 1;
  } catch (error) {
    if (interrupts.quit.aborted) return interrupts.exitCode;
    screen.print("failure", describeFailure(error, colors));
    return 1;
  } finally {
    screen.wait(undefined);
    if (options.keep) screen.print("kept", [colors.dim(`The copy is kept in ${workspace.folder}`)]);
    else await workspace.remove();
  }
}

/** The test run before, the agent's turn, what it changed, and the test run after. */
async function repair(options: DemoOptions, { original, folder }: Workspace, terminal: Terminal): Promise<boolean> {
  const { screen, colors, interrupts } = terminal;
  const look: Look = {
    colors,
    cwd: folder,
    live: screen.live,
    get columns() {
      return screen.columns;
    },
  };
  const showTests = async (title: string): Promise<boolean> => {
    screen.print(title, [heading(title, look)]);
    screen.wait(colors.dim("node --test"));
    const run = await runTests(folder, interrupts.quit);
    screen.wait(undefined);
    screen.print(title, renderTestRun(run, look));
    return run.ok;
  };

  await showTests("The sample project's tests, before");

  screen.print("start", [heading("The agent's turn", look)]);
  const command =
    options.agent === undefined ? codingAgentCommand({ slowly: screen.live }) : parseCommandLine(options.agent);
  const { verbose, signIn } = options;
  const clientOptions = { command, cwd: folder, verbose, signIn, policy: policyOf(options, terminal) };
  const client = await untilQuit(terminal, openClient(clientOptions, terminal));
  const close = (): void => void client.close();
  interrupts.quit.addEventListener("abort", close);
  try {
    screen.print("prompt", [`${colors.cyan("›")} ${task}`]);
    await client.turn(task);
  } finally {
    await client.close();
  }

  screen.print("changes", [heading("What changed on disk", look)]);
  screen.print("changes", renderChanges(await changesBetween(original, folder), look));
  return await showTests("The tests, after");
}

function policyOf({ yes }: DemoOptions, { keyboard }: Terminal): Policy {
  if (yes) return { answer: "allow", reason: "the demo answers, as --yes asks", unsure: keyboard };
  return keyboard === undefined
    ? { answer: "allow", reason: "the demo answers, as there is no terminal to ask at" }
    : { ask: keyboard };
}

const options = parseDemoOptions(process.argv.slice(2));
if (typeof options === "number") process.exitCode = options;
else {
  const terminal = openTerminal();
  endTerminal(terminal, await demo(options, terminal));
}
