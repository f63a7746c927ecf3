import { type AcpProfile, acpProfiles } from "@editwire/acp";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import type { EndpointSettings } from "./endpoint.js";

/** What the command line asks for. */
export interface AcpSettings extends EndpointSettings {
  /** Absent: the dialect that the client is found to speak. */
  readonly profile: AcpProfile | undefined;
  /** Tokens that the model can take in. */
  readonly contextTokens: number;
  /** Where to listen; absent for stdin and stdout. */
  readonly listen: ListenSettings | undefined;
}

/** Where the agent listens for HTTP, and the secret that callers have to know. */
export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

const profiles: Readonly<Record<string, AcpProfile>> = acpProfiles;

interface Options {
  profile?: string;
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
  contextTokens: number;
  host?: string;
  port?: number;
  token?: string;
}

const defaultListen = { host: "127.0.0.1", port: 9000 };

/** The command line of the agent. An empty environment variable counts as absent. */
export function createProgram(serve: (settings: AcpSettings) => Promise<void>): Command {
  const program = new Command("coding-agent").description("A coding agent that works on a folder and speaks ACP");
  program
    .command("acp", { isDefault: true })
    .description("Serve ACP on stdin and stdout, or over HTTP")
    .addArgument(new Argument("[how]", "serve: over HTTP and server-sent events").choices(["serve"]))
    .addOption(
      new Option("--profile <name>", "dialect of ACP (default: that of the client)").choices(Object.keys(profiles)),
    )
    .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
    .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL").argParser(httpUrl))
    .addOption(
      new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model")
        .argParser(milliseconds)
        .default(0),
    )
    .addOption(
      new Option("--context-tokens <count>", "tokens that the model can take in, for the display of the usage")
        .argParser(tokens)
        .default(128_000),
    )
    .addOption(new Option("--host <host>", `with serve: where to listen (default: ${defaultListen.host})`))
    .addOption(
      new Option(
        "--port <port>",
        `with serve: the port, 0 for any that is free (default: ${defaultListen.port})`,
      ).argParser(portNumber),
    )
    .addOption(
      new Option(
        "--token <token>",
        "with serve: what callers have to know; needed where other machines can reach the agent",
      ).env("ACP_TOKEN"),
    )
    .allowExcessArguments(false)
    .action(
      (
        how: "serve" | undefined,
        { profile, model, baseUrl, chunkDelay, contextTokens, ...listen }: Options,
        command: Command,
      ) => {
        if (how === undefined && (listen.host ?? listen.port) !== undefined)
          command.error("error: --host and --port go with acp serve");
        return serve({
          profile: profile === undefined ? undefined : profiles[profile],
          model: model || undefined,
          baseUrl: baseUrl || undefined,
          apiKey: process.env["OPENAI_API_KEY"] || undefined,
          chunkDelayMs: chunkDelay,
          contextTokens,
          listen: how && { ...defaultListen, ...listen, token: listen.token || undefined },
        });
      },
    );
  return program;
}

function portNumber(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new InvalidArgumentError("Expected a port number.");
  return Number(value);
}

function tokens(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("Expected a number of tokens.");
  return Number(value);
}

function milliseconds(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("Expected a number of milliseconds.");
  return Number(value);
}

function httpUrl(value: string): string {
  if (value !== "" && !(/^https?:/.test(value) && URL.canParse(value)))
    throw new InvalidArgumentError("Expected an http or https URL.");
  return value;
}
