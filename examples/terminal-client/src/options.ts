import { resolve } from "node:path";
import { acpProfiles } from "@editwire/acp-schema";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { ClientOptions, SettingArgument } from "./client.js";

/** The command line of the client. */
export interface CliOptions extends Omit<ClientOptions, "policy"> {
  /** One turn, then exit; without it prompts are read. */
  readonly prompt: string | undefined;
  /** Allow whatever the agent asks for. */
  readonly yes: boolean;
}

interface Flags {
  cwd: string;
  url?: string;
  over: "sse" | "streamable";
  token?: string;
  prompt?: string;
  mode?: string;
  set: SettingArgument[];
  signIn?: string;
  yes?: boolean;
  profile?: "spec" | "v1";
  framing: "ndjson" | "content-length";
  verbose?: boolean;
}

const exitCodes = `
Exit codes:
  0    the user quit; with --prompt: the agent ended its turn
  1    the agent could not be started, exited unexpectedly, or refused a request
  2    the command line is wrong
  3    with --prompt: the agent stopped at a limit or with a refusal
  130  Ctrl-C: at a prompt given with --prompt, or twice during a turn`;

/**
 * Reads the command line. Returns an exit code instead when there is nothing to run: 0 after `--help`, 2 for a mistake.
 */
export function parseOptions(argv: readonly string[]): CliOptions | number {
  const program = new Command("terminal-client")
    .description("Talks to any ACP agent in the terminal.")
    .usage("[options] -- AGENT_COMMAND [ARGS…]\n       terminal-client [options] --url URL")
    .argument("[command...]", "the agent's command; it is run without a shell")
    .option("--url <url>", "an agent that is served over HTTP, in place of a command")
    .addOption(
      new Option("--over <transport>", "with --url: sse for the specification's HTTP, streamable for that of version 1")
        .choices(["sse", "streamable"])
        .default("sse"),
    )
    .addOption(new Option("--token <token>", "with --url: the token that the agent requires").env("ACP_TOKEN"))
    .option("--cwd <folder>", "the folder to work on", process.cwd())
    .option(
      "--prompt <text>",
      "run one turn and exit; without it, prompts are read from the terminal or from stdin, one per line",
    )
    .option("--mode <name>", "the session's mode")
    .option("--set <id=value>", "the value of a setting, such as model=NAME; may be repeated", readSetting, [])
    .option("--sign-in <id>", "sign in by one of the agent's ways before the session starts")
    .option("--yes", "allow every permission request for which one option stands, and print that")
    .addOption(
      new Option("--profile <name>", "the dialect of ACP (default: that of the agent)").choices(["spec", "v1"]),
    )
    .addOption(
      new Option("--framing <name>", "how messages are framed").choices(["ndjson", "content-length"]).default("ndjson"),
    )
    .option("--verbose", "show diagnostics, the agent's stderr and unknown updates")
    .addHelpText("after", exitCodes)
    .passThroughOptions()
    .exitOverride();
  try {
    program.parse(argv, { from: "user" });
    const { url } = program.opts<Flags>();
    if ((url === undefined) === (program.args.length === 0))
      program.error("error: expected either the agent's command or --url");
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const {
    url,
    over,
    token,
    cwd,
    prompt,
    mode,
    set: settings,
    signIn,
    yes = false,
    profile,
    framing,
    verbose = false,
  } = program.opts<Flags>();
  return {
    command: program.args,
    url,
    over,
    token: token || undefined,
    cwd: resolve(cwd),
    prompt,
    mode,
    settings,
    signIn,
    yes,
    profile: profile === undefined ? undefined : acpProfiles[profile],
    framing,
    verbose,
  };
}

function readSetting(text: string, before: readonly SettingArgument[]): readonly SettingArgument[] {
  const [, id, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (id === undefined || value === undefined) throw new InvalidArgumentError("expected ID=VALUE");
  return [...before, { id, value }];
}
