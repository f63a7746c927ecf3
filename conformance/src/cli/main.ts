import { Command } from "commander";
import { HarnessError, UsageError } from "../core/errors.js";
import { exitCodeOf } from "../core/verdict/exit-code.js";
import { suiteInfo } from "../core/registry/package-root.js";
import { behaviorsCommand } from "./behaviors.js";
import { checkCommand } from "./check.js";
import { explainCommand } from "./explain.js";
import { fuzzCommand, replayCommand } from "./fuzz.js";
import { initCommand } from "./init.js";
import { listCommand } from "./list.js";
import { modelCommand } from "./model.js";
import { mutantsCommand } from "./mutants.js";
import { mutateCommand } from "./mutate.js";
import { registryCommand } from "./registry.js";
import { runCommand } from "./run.js";
import { referenceCommand } from "./reference.js";
import { renderCommand } from "./render.js";
import { vectorsCommand } from "./vectors.js";

/** All commands; `exit` receives the exit code of the one that has run. */
export function commandsOf(exit: (code: number) => void): Command[] {
  return [
    runCommand(exit),
    initCommand(exit),
    listCommand(),
    behaviorsCommand(),
    explainCommand(),
    checkCommand(exit),
    mutantsCommand(exit),
    mutateCommand(exit),
    registryCommand(exit),
    fuzzCommand(exit),
    replayCommand(exit),
    referenceCommand(),
    modelCommand(),
    renderCommand(),
    vectorsCommand(),
  ];
}

/** A reader such as `head` may leave before everything is written. The exit code is the same then. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** Runs the command line and resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  const exit = (value: number): void => void (code = value);
  for (const stream of [process.stdout, process.stderr]) {
    stream.off("error", ignoreClosed);
    stream.on("error", ignoreClosed);
  }
  const program = new Command("editwire-conformance")
    .description("Judges implementations of the protocols that editors and coding agents speak.")
    .version(suiteInfo().version, "-V, --version", "shows the version")
    .exitOverride();
  for (const command of commandsOf(exit)) program.addCommand(command.exitOverride());
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof UsageError || error instanceof HarnessError) {
      process.stderr.write(`error: ${error.message}\n`);
      return exitCodeOf(error instanceof UsageError ? "usage-error" : "harness-error");
    }
    if (error instanceof Error && "exitCode" in error && "code" in error)
      return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
    process.stderr.write(`error: the suite itself failed: ${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCodeOf("harness-error");
  }
  return code;
}
