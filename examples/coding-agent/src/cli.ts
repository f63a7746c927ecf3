import { elephant, v1 } from "@editwire/acp-schema";
import type { Profile } from "@editwire/core";
import { Command, InvalidArgumentError, Option } from "commander";

/** What the command line asks for. */
export interface AcpSettings {
  readonly profile: Profile;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Milliseconds between two chunks of the scripted model. */
  readonly chunkDelayMs: number;
}

const profiles: Readonly<Record<string, Profile>> = { elephant, v1 };

interface Options {
  profile: string;
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
}

/** The command line of the agent. An empty environment variable counts as absent. */
export function createProgram(serve: (settings: AcpSettings) => Promise<void>): Command {
  const program = new Command("coding-agent").description("A coding agent that works on a folder and speaks ACP");
  program
    .command("acp", { isDefault: true })
    .description("Serve ACP on stdin and stdout")
    .addOption(new Option("--profile <name>", "dialect of ACP").choices(Object.keys(profiles)).default("elephant"))
    .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
    .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL").argParser(httpUrl))
    .addOption(new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model").argParser(milliseconds).default(0))
    .allowExcessArguments(false)
    .action(({ profile, model, baseUrl, chunkDelay }: Options) =>
      serve({
        profile: profiles[profile] ?? elephant,
        model: model || undefined,
        baseUrl: baseUrl || undefined,
        apiKey: process.env["OPENAI_API_KEY"] || undefined,
        chunkDelayMs: chunkDelay,
      }),
    );
  return program;
}

function milliseconds(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("Expected a number of milliseconds.");
  return Number(value);
}

function httpUrl(value: string): string {
  if (value !== "" && !(/^https?:/.test(value) && URL.canParse(value))) throw new InvalidArgumentError("Expected an http or https URL.");
  return value;
}
