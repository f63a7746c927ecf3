import { Command, InvalidArgumentError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { Endpoint } from "./endpoint.js";
import { parseEndpoint } from "./endpoint.js";
import { helixZedProfiles } from "@editwire/helix-zed";
import { type BridgeProtocol, type HelixZedDialect, protocols } from "./options.js";

/** The options of `editwire bridge`, as they are typed. */
export interface BridgeArguments {
  readonly from: BridgeProtocol;
  readonly to: BridgeProtocol;
  readonly editor: Endpoint;
  readonly agent?: Endpoint;
  readonly cwd: string;
  readonly id: string;
  readonly profile: HelixZedDialect;
  readonly permission: "allow_once" | "reject_once";
  readonly verbose: boolean;
}

const examples = `
Examples:
  An ECA editor with an ACP agent
    editwire bridge --from eca --to acp -- codex-acp
  An ACP editor with an ECA server
    editwire bridge --from acp --to eca -- eca server
  An ACP agent on the network
    editwire bridge --from acp --editor ws://127.0.0.1:9000 --to acp -- codex-acp
  A Helix-Zed host, which is dialed
    editwire bridge --from helix-zed --editor ws://127.0.0.1:8080 --to acp -- codex-acp

Endpoints:
  editor  acp: stdio, http://, ws://, unix:   eca, kaiak: stdio, unix:   helix-zed: ws:// of its host
  agent   acp: command, http://, ws://, unix:   eca, kaiak: command, unix:   helix-zed: ws:// to listen on

Environment:
  EDITWIRE_EDITOR_TOKEN   the bearer token that editors on the network must have, or that a Helix-Zed host requires
  EDITWIRE_AGENT_TOKEN    the bearer token that an agent on the network requires`;

/** The command line. `bridge` is called with the options, and the agent's command behind `--`. */
export function commandLine(bridge: (options: BridgeArguments, command: readonly string[]) => Promise<void>): Command {
  const program = new Command("editwire")
    .description("Connects editors and coding agents of different protocols.")
    .version(manifest.version, "-V, --version", "shows the version");
  program
    .command("bridge")
    .description("serves an agent of one protocol to an editor of another")
    .argument("[command...]", "the agent's command, after --")
    .addOption(new Option("--from <protocol>", "what the editor speaks").choices(protocols).makeOptionMandatory())
    .addOption(new Option("--to <protocol>", "what the agent speaks").choices(protocols).makeOptionMandatory())
    .addOption(
      new Option("--editor <endpoint>", "where the editor is").argParser(endpoint).default({ kind: "stdio" }, "stdio"),
    )
    .addOption(new Option("--agent <endpoint>", "where the agent is; default: the command").argParser(endpoint))
    .option("--cwd <folder>", "helix-zed: the folder of its threads", process.cwd())
    .option("--id <id>", "helix-zed: the id under which the bridge or the agent dials", "editwire")
    .addOption(
      new Option("--profile <dialect>", "helix-zed: the dialect to write")
        .choices(Object.keys(helixZedProfiles))
        .default("spec"),
    )
    .addOption(
      new Option("--permission <answer>", "helix-zed, which cannot ask: the answer to permission requests")
        .choices(["allow_once", "reject_once"])
        .default("reject_once"),
    )
    .option("--verbose", "reports on stderr what a protocol could not express", false)
    .addHelpText("after", examples)
    .showHelpAfterError("The agent's command goes after --, as in: editwire bridge --from eca --to acp -- codex-acp")
    .action((agentCommand: string[], options: BridgeArguments, command: Command) => {
      checkHelixZed(command, options);
      return bridge(options, agentCommand);
    });
  return program;
}

/** Ends the program with an error for an option that is for Helix-Zed, on a side that speaks another protocol. */
function checkHelixZed(command: Command, { from, to }: BridgeArguments): void {
  const typed = (name: string): boolean => command.getOptionValueSource(name) === "cli";
  const ofEditor = ["cwd", "permission"].find(typed);
  if (ofEditor !== undefined && from !== "helix-zed")
    command.error(`error: --${ofEditor} works only with --from helix-zed`);
  const ofEither = ["id", "profile"].find(typed);
  if (ofEither !== undefined && from !== "helix-zed" && to !== "helix-zed")
    command.error(`error: --${ofEither} works only if a side speaks helix-zed`);
}

function endpoint(text: string): Endpoint {
  try {
    return parseEndpoint(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
