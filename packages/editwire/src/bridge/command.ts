import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { diagnosticLines } from "../agent/diagnostic-lines.js";
import { type Endpoint, parseEndpoint, tokenVariables } from "../agent/endpoint.js";
import { errorLine } from "../agent/error-line.js";
import { type BridgeProtocol, type HelixZedDialect, protocols } from "../agent/options.js";
import { patience } from "../agent/patience.js";
import { agentSideOf, helixZedOptions, type TargetArguments, targetOptions } from "../agent/target.js";
import { say } from "../say.js";
import { openBridge } from "./bridge.js";

/** The options of `editwire bridge`, as they are typed. */
interface BridgeArguments extends TargetArguments {
  readonly from: BridgeProtocol;
  readonly to: BridgeProtocol;
  readonly editor: Endpoint;
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
  An agent by its name, which \`editwire agents\` lists
    editwire bridge --from eca --to acp --agent gemini
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

/** The command `bridge`, for an agent whose command is `agentCommand`, or that the options name. */
export function bridgeCommand(agentCommand: readonly string[]): Command {
  const bridge = new Command("bridge")
    .description("serves an agent of one protocol to an editor of another")
    .usage("[options] -- AGENT...")
    .argument("[command...]", "the agent's command, after --")
    .addOption(new Option("--from <protocol>", "what the editor speaks").choices(protocols).makeOptionMandatory())
    .addOption(new Option("--to <protocol>", "what the agent speaks").choices(protocols).makeOptionMandatory())
    .addOption(
      new Option("--editor <endpoint>", "where the editor is").argParser(endpoint).default({ kind: "stdio" }, "stdio"),
    );
  for (const option of [...targetOptions(), ...helixZedOptions()]) bridge.addOption(option);
  return bridge
    .option("--cwd <folder>", "helix-zed: the folder of its threads", process.cwd())
    .addOption(
      new Option("--permission <answer>", "helix-zed, which cannot ask: the answer to permission requests")
        .choices(["allow_once", "reject_once"])
        .default("reject_once"),
    )
    .option("--verbose", "reports on stderr what a protocol could not express", false)
    .addHelpText("after", examples)
    .showHelpAfterError("The agent's command goes after --, as in: editwire bridge --from eca --to acp -- codex-acp")
    .action((words: string[], args: BridgeArguments, command: Command) => {
      checkHelixZed(command, args);
      return run(args, [...words, ...agentCommand]);
    });
}

async function run(args: BridgeArguments, agentCommand: readonly string[]): Promise<void> {
  const { from, to, editor, cwd, id, profile, permission, verbose } = args;
  const agent = await agentSideOf(args, agentCommand, to);
  // An empty variable is one that was forgotten.
  const token = process.env[tokenVariables.editor] || undefined;
  const tokens = { editor: token, agent: agent.token };
  const opened = await openBridge({
    editor: { protocol: from, endpoint: editor, token, cwd: resolve(cwd), permission },
    agent,
    id,
    helixZedProfile: profile,
    onDiagnostic: diagnosticLines(verbose, say),
    onError: (error, side) =>
      say(errorLine(error, { side, protocolFlag: "--to", hasToken: tokens[side] !== undefined })),
    onStderr: (text) => void process.stderr.write(text),
    onListening: (side, address) => say(`the ${side} connects to ${address}`),
  });
  await Promise.race([opened.gone, ended()]);
  setTimeout(() => process.exit(), patience.closeMs).unref();
  await opened.close();
}

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. A second one ends the process at once. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
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
