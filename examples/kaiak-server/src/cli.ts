import type { EndpointSettings } from "@editwire/example-coding-agent";
import { Command, InvalidArgumentError, Option } from "commander";

/** What the command line asks for. */
export interface FixServerCommand extends EndpointSettings {
  /** The Unix socket to listen on; absent for stdin and stdout. */
  readonly socket: string | undefined;
}

interface Options {
  socket?: string;
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
}

/** The command line of the server. An empty environment variable counts as absent. */
export function createProgram(serve: (settings: FixServerCommand) => Promise<void>): Command {
  return new Command("kaiak-server")
    .description("Fixes incidents of a migration, as a Kaiak server")
    .version("0.1.0")
    .addOption(new Option("--stdio", "serve one client on stdin and stdout (default)").conflicts("socket"))
    .addOption(new Option("--socket <path>", "serve any number of clients on a Unix socket"))
    .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
    .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL"))
    .addOption(
      new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model")
        .argParser(milliseconds)
        .default(0),
    )
    .allowExcessArguments(false)
    .action(({ socket, model, baseUrl, chunkDelay }: Options) =>
      serve({
        socket: socket || undefined,
        model: model || undefined,
        baseUrl: baseUrl || undefined,
        apiKey: process.env["OPENAI_API_KEY"] || undefined,
        chunkDelayMs: chunkDelay,
      }),
    );
}

function milliseconds(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("Expected a number of milliseconds.");
  return Number(value);
}
