#!/usr/bin/env node
import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { agentsCommand } from "./agents/command.js";
import { bridgeCommand } from "./bridge/command.js";
import { execCommand } from "./exec/command.js";
import { exitCodes } from "./exit-codes.js";
import { sayError } from "./say.js";

// Of a command line such as `exec Say hello -- codex-acp`, both the words and the agent's command are free.
const end = process.argv.indexOf("--");
const [typed, agentCommand] =
  end === -1 ? [process.argv, []] : [process.argv.slice(0, end), process.argv.slice(end + 1)];

const program = new Command("editwire")
  .description("Prompts coding agents, and connects them to editors of other protocols.")
  .version(manifest.version, "-V, --version", "shows the version");
for (const command of [execCommand(agentCommand), bridgeCommand(agentCommand), agentsCommand()])
  program.addCommand(command);
endWithUsage(program);
program.parseAsync(typed).catch((error: unknown) => {
  process.exitCode = sayError(error);
});

/** Makes wrong options end the process with their own exit code, in each command. */
function endWithUsage(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.ended : exitCodes.usage));
  for (const each of command.commands) endWithUsage(each);
}
