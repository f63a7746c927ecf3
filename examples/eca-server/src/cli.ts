import { type EcaProfile, ecaProfiles } from "@editwire/eca-schema";
import type { EndpointSettings } from "@editwire/example-coding-agent";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Prices } from "./prices.js";

/** What the command line asks for. */
export interface EcaSettings extends EndpointSettings {
  readonly profile: EcaProfile;
  readonly prices: Prices | undefined;
  /** File with the MCP servers. */
  readonly mcpConfig: string | undefined;
  /** End when the editor's process does. */
  readonly watchParent: boolean;
  /** Words that this server does not know; editors pass what their users configured for others. */
  readonly ignored: readonly string[];
}

const profiles: Readonly<Record<string, EcaProfile>> = ecaProfiles;

interface Options {
  profile: string;
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
  mcpConfig?: string;
  inputPrice?: number;
  outputPrice?: number;
  watchParent: boolean;
}

/** The command line of the server. Editors start it as `eca-server server`. */
export function createProgram(serve: (settings: EcaSettings) => Promise<void>): Command {
  return new Command("eca-server")
    .description("The coding agent as an ECA server, on stdin and stdout")
    .version("0.1.0")
    .argument("[server]", "what editors pass; there is nothing else to do")
    .addOption(
      new Option("--profile <name>", "dialect to write; both are read").choices(Object.keys(profiles)).default("spec"),
    )
    .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
    .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL"))
    .addOption(
      new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model").argParser(amount).default(0),
    )
    .addOption(
      new Option("--mcp-config <file>", 'JSON file: {"mcpServers": {name: {command, args, env, disabled}}}').env(
        "ECA_MCP_CONFIG",
      ),
    )
    .addOption(new Option("--input-price <dollars>", "price of a million tokens that are sent").argParser(amount))
    .addOption(new Option("--output-price <dollars>", "price of a million tokens that are received").argParser(amount))
    .addOption(new Option("--no-watch-parent", "go on when the editor's process is gone, as in a container"))
    .allowUnknownOption()
    .allowExcessArguments()
    .action((word: string | undefined, options: Options, command: Command) => {
      const { profile, model, baseUrl, chunkDelay, mcpConfig, inputPrice, outputPrice, watchParent } = options;
      return serve({
        profile: profiles[profile] ?? ecaProfiles.spec,
        model: model || undefined,
        baseUrl: baseUrl || undefined,
        apiKey: process.env["OPENAI_API_KEY"] || undefined,
        chunkDelayMs: chunkDelay,
        mcpConfig: mcpConfig || undefined,
        prices:
          inputPrice === undefined && outputPrice === undefined
            ? undefined
            : { input: inputPrice ?? 0, output: outputPrice ?? 0 },
        watchParent,
        ignored: command.args.slice(word === "server" ? 1 : 0),
      });
    });
}

function amount(value: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(value)) throw new InvalidArgumentError("Expected a number.");
  return Number(value);
}
