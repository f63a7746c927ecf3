import { resolve } from "node:path";
import type { Configuration, FixOptions, MigrationContext, ToolPermission } from "@editwire/kaiak";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import parseCommandLine from "string-argv";

/** The command line of the client. */
export interface CliOptions {
  /** The file of incidents. */
  readonly file: string;
  /** The server to start, or the socket of one that runs. */
  readonly server: { readonly command: readonly string[] } | { readonly socket: string };
  /** The folder to work on, as an absolute path. */
  readonly cwd: string;
  /** The folder that the report's URIs begin with. */
  readonly reportRoot: string;
  readonly configuration: Configuration;
  readonly options: FixOptions;
  /** The options about the migration. */
  readonly context: MigrationContext;
  /** Continue this session. */
  readonly session: string | undefined;
  /** Leave the session and its files on the server. */
  readonly keep: boolean;
  /** Approve whatever the server asks. */
  readonly yes: boolean;
  readonly verbose: boolean;
}

interface Flags {
  server?: string;
  socket?: string;
  cwd: string;
  reportRoot?: string;
  include?: string[];
  exclude?: string[];
  permission?: Record<string, ToolPermission>;
  maxToolCalls: number;
  autoApply?: boolean;
  maxTime?: number;
  explanations: boolean;
  from?: string;
  to?: string;
  hint?: string[];
  constraint?: string[];
  session?: string;
  keep?: boolean;
  yes?: boolean;
  verbose?: boolean;
}

const exitCodes = `
Exit codes:
  0    the run was completed, whatever the answers were
  1    the server could not be started or reached, exited unexpectedly, or refused a request
  2    the command line or the file of incidents is wrong
  3    the run failed
  130  Ctrl-C`;

/**
 * Reads the command line. Returns an exit code instead when there is nothing to run: 0 after `--help`, 2 for a mistake.
 */
export function parseOptions(argv: readonly string[]): CliOptions | number {
  const program = createProgram();
  try {
    program.parse(argv, { from: "user" });
    const { server, socket } = program.opts<Flags>();
    if ((server === undefined) === (socket === undefined)) program.error("error: expected either --server or --socket");
    return optionsOf(program);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function createProgram(): Command {
  return new Command("kaiak-client")
    .description("Has a Kaiak server fix the incidents of a migration.")
    .argument("<incidents>", "JSON or YAML file: incidents of Kaiak, or a report of Konveyor's analyzer")
    .option("--server <command>", "the server to start, split as a shell would; no shell is run")
    .option("--socket <path>", "the Unix socket of a server that runs")
    .option("--cwd <folder>", "the folder to work on", process.cwd())
    .option(
      "--report-root <folder>",
      "the path of that folder in the report of the analyzer (default: in the same place)",
    )
    .option("--include <glob>", "a pattern of files to work on; may be repeated", collect)
    .option("--exclude <glob>", "a pattern of files to leave alone; may be repeated", collect)
    .option("--permission <tool=value>", "allow, approve or deny a tool; may be repeated", permission)
    .option("--max-tool-calls <count>", "tool calls of a run, 1 to 10000", whole, 1_000)
    .option("--auto-apply", "apply changes of low risk without a question")
    .option("--max-time <seconds>", "seconds of a run", whole)
    .option("--no-explanations", "leave out the model's explanations")
    .option("--from <technology>", "the technology to migrate from")
    .option("--to <technology>", "the technology to migrate to")
    .option("--hint <text>", "a hint for the model; may be repeated", collect)
    .option("--constraint <text>", "what the fixes must respect; may be repeated", collect)
    .option("--session <id>", "continue a session that was kept")
    .option("--keep", "keep the session and its files on the server, and print the session's id")
    .addOption(new Option("--yes", "approve every question of the server, and print that"))
    .option("--verbose", "show diagnostics, the server's stderr and its debug messages")
    .addHelpText("after", exitCodes)
    .allowExcessArguments(false)
    .exitOverride();
}

function optionsOf(program: Command): CliOptions {
  const flags = program.opts<Flags>();
  const { include, exclude, permission: tool_permissions, socket, server = "" } = flags;
  const cwd = resolve(flags.cwd);
  return {
    file: program.args[0] ?? "",
    server: socket === undefined ? { command: parseCommandLine(server) } : { socket },
    cwd,
    reportRoot: resolve(flags.reportRoot ?? cwd),
    configuration: {
      workspace: {
        working_dir: cwd,
        ...(include && { include_patterns: include }),
        ...(exclude && { exclude_patterns: exclude }),
      },
      tools: { max_tool_calls: flags.maxToolCalls },
      ...(tool_permissions && { permissions: { tool_permissions } }),
    },
    options: {
      auto_apply_safe_fixes: flags.autoApply ?? false,
      include_explanations: flags.explanations,
      ...(flags.maxTime === undefined ? {} : { max_processing_time: flags.maxTime }),
    },
    context: {
      ...(flags.from === undefined ? {} : { source_technology: flags.from }),
      ...(flags.to === undefined ? {} : { target_technology: flags.to }),
      ...(flags.hint && { migration_hints: flags.hint }),
      ...(flags.constraint && { constraints: flags.constraint }),
    },
    session: flags.session,
    keep: flags.keep ?? false,
    yes: flags.yes ?? false,
    verbose: flags.verbose ?? false,
  };
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function permission(value: string, before: Readonly<Record<string, ToolPermission>> = {}) {
  const [, tool = "", said] = /^([\w-]+)=(allow|approve|deny)$/.exec(value) ?? [];
  if (said === undefined) throw new InvalidArgumentError("Expected tool=allow, tool=approve or tool=deny.");
  return { ...before, [tool]: said as ToolPermission };
}

function whole(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError("Expected a whole number from 1 on.");
  return Number(value);
}
