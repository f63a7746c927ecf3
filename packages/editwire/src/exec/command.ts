import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { isRemoteError, isWireError } from "@editwire/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { diagnosticLines } from "../agent/diagnostic-lines.js";
import { errorLine } from "../agent/error-line.js";
import { openAgent } from "../agent/open.js";
import type { AgentSide, BridgeProtocol, HelixZedDialect } from "../agent/options.js";
import { patience } from "../agent/patience.js";
import { agentSideOf, helixZedOptions, protocolOption, type TargetArguments, targetOptions } from "../agent/target.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { say, sayError } from "../say.js";
import { exec, type ExecOutput, type StopEvent } from "./exec.js";
import { jsonOutput, textOutput } from "./outputs.js";
import { parsePermission, type PermissionRules } from "./permission.js";

/** The options of `editwire exec`, as they are typed. */
interface ExecArguments extends TargetArguments {
  readonly protocol: BridgeProtocol;
  readonly id: string;
  readonly profile: HelixZedDialect;
  readonly cwd: string;
  readonly session?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly permission: PermissionRules;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly json: boolean;
  readonly verbose: boolean;
}

const examples = `
Examples:
  editwire exec "Which tests fail?" -- codex-acp
  editwire exec --agent gemini --permission read=allow_once "Explain this project"
  git diff | editwire exec --agent gemini "Review this change:" -
  editwire exec --json "Say hello" -- codex-acp | jq -r 'select(.type == "text").text'

Exit codes:
  0 ended   1 failed   2 wrong options   3 refused, or a limit was reached
  124 timed out   127 no such agent   130 cancelled   143 terminated`;

/** The command `exec`, for an agent whose command is `agentCommand`, or that the options name. */
export function execCommand(agentCommand: readonly string[]): Command {
  const command = new Command("exec")
    .description("prompts an agent once, and prints its answer")
    .argument("[words...]", "the prompt; - stands for stdin, which is read if there are no words")
    .usage("[options] [words...] -- AGENT...");
  for (const option of [...targetOptions(), protocolOption(), ...helixZedOptions()]) command.addOption(option);
  return command
    .option("--cwd <folder>", "the folder that the agent works in", process.cwd())
    .option("--session <id>", "the session to go on with; default: a new one")
    .option("--mode <id>", "the mode to run in")
    .option("--model <id>", "the model to use")
    .addOption(
      new Option("--permission <rules>", "allow_once, reject_once, or by kind of tool: read=allow_once,edit=allow_once")
        .argParser(parsePermission)
        .default(parsePermission("reject_once"), "reject_once"),
    )
    .option("--timeout <seconds>", "cancels the turn after this time; default: never", milliseconds)
    .option("--json", "prints each event as a JSON object, on a line", false)
    .option("--verbose", "says on stderr what the agent does", false)
    .addHelpText("after", examples)
    .action(async (words: string[], args: ExecArguments) => {
      process.exitCode = await execOnce(words, args, agentCommand);
    });
}

/** Prompts the agent, and resolves with the exit code. */
async function execOnce(
  words: readonly string[],
  args: ExecArguments,
  agentCommand: readonly string[],
): Promise<number> {
  try {
    const side = await agentSideOf(args, agentCommand, args.protocol);
    return await run(await promptOf(words), args, side);
  } catch (error) {
    const exitCode = sayError(error);
    return isWireError(error) ? exitCodes.noAgent : exitCode;
  }
}

async function run(prompt: string, args: ExecArguments, side: AgentSide): Promise<number> {
  const { cwd, session: sessionId, mode: modeId, model: modelId, permission, verbose, json, timeout } = args;
  let lost: unknown;
  const far = await openAgent({
    agent: side,
    id: args.id,
    helixZedProfile: args.profile,
    onDiagnostic: diagnosticLines(verbose, say),
    onError(error, where) {
      if (where === "open" || where === "closed") lost = error;
      say(errorLine(error, { side: "agent", protocolFlag: "--protocol", hasToken: side.token !== undefined }));
    },
    onStderr: (written) => void process.stderr.write(written),
    onListening: (_side, address) => say(`the agent connects to ${address}`),
  });
  const { signal, abort } = interruption(timeout);
  const { stdout } = process;
  stdout.on("error", () => {
    if (!signal.aborted) say("nobody reads the answer any more; the turn is cancelled");
    abort(exitCodes.failed);
  });
  const output: ExecOutput = json
    ? jsonOutput(stdout, side.protocol, () => far.agent.definition.info)
    : textOutput({ stdout, say, verbose });
  const request = { prompt, cwd: resolve(cwd), sessionId, modeId, modelId, permission, signal };
  try {
    const end = await exec(far.agent, request, output);
    if (end.error !== undefined && lost === undefined) say(end.error.message);
    return signal.aborted ? Number(signal.reason) : exitCodeOf(end);
  } catch (error) {
    if (json)
      await output.event(signal.aborted ? { type: "stop", stopReason: "cancelled" } : failedStop(lost ?? error));
    if (signal.aborted) return Number(signal.reason);
    if (lost === undefined) throw error;
    return isUnreached(lost) ? exitCodes.noAgent : exitCodes.failed;
  } finally {
    setTimeout(() => process.exit(), patience.closeMs).unref();
    await far.close();
  }
}

/** The end of a run that has no turn. */
function failedStop(error: unknown): StopEvent {
  const { message, code, data } = isRemoteError(error)
    ? error
    : { message: error instanceof Error ? error.message : String(error), code: undefined, data: undefined };
  return { type: "stop", stopReason: "error", error: { message, code, data } };
}

/** True for the failure to start a program, or to reach an address. */
function isUnreached(failure: unknown): boolean {
  const cause = failure instanceof Error ? failure.cause : undefined;
  return isWireError(failure, "not_connected") || isWireError(cause, "not_connected");
}

/** The words of the command line, with stdin in place of `-`. */
async function promptOf(words: readonly string[]): Promise<string> {
  const isOfStdin = words.length === 0 || words.includes("-");
  if (isOfStdin && process.stdin.isTTY)
    throw new TypeError('expected a prompt, as in: editwire exec "Say hello" -- AGENT');
  const input = isOfStdin ? (await text(process.stdin)).trimEnd() : "";
  const parts = words.length === 0 ? [input] : words.join(" ").split(/(?<=^| )-(?= |$)/);
  const prompt = parts.map((part) => part.trim()).join(`\n\n${input}\n\n`);
  if (prompt.trim() === "") throw new TypeError("expected a prompt, received an empty text");
  return prompt.trim();
}

function milliseconds(given: string): number {
  const value = Number(given) * 1_000;
  if (!(value > 0 && value < 2 ** 31)) throw new InvalidArgumentError(`expected seconds, received ${given}`);
  return value;
}

/** Ends a turn from outside: its `signal` is aborted with the exit code as the reason. */
interface Interruption {
  readonly signal: AbortSignal;
  abort(exitCode: number): void;
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, and after the time-out. A second signal ends the process at once. */
function interruption(timeoutMs: number | undefined): Interruption {
  const controller = new AbortController();
  const abort = (exitCode: number): void => controller.abort(exitCode);
  const codes = { SIGINT: exitCodes.cancelled, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.terminated };
  for (const [signal, exitCode] of Object.entries(codes))
    process.on(signal, () => (controller.signal.aborted ? process.exit(exitCode) : abort(exitCode)));
  if (timeoutMs !== undefined) setTimeout(() => abort(exitCodes.timedOut), timeoutMs).unref();
  return { signal: controller.signal, abort };
}
