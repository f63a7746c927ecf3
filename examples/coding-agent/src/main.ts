import { Console } from "node:console";
import { elephant, v1 } from "@editwire/acp-schema";
import { serveAcpStdio } from "@editwire/acp/node";
import { Command, InvalidArgumentError, Option } from "commander";
import { createCodingAgent } from "./agent.js";
import { openModel } from "./model.js";
import { openEndpoint } from "./settings.js";

const profiles = { elephant, v1 };

interface AcpOptions {
  profile: keyof typeof profiles;
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
}

async function serve({ profile, model, baseUrl, chunkDelay }: AcpOptions): Promise<void> {
  globalThis.console = new Console(process.stderr); // stdout carries the protocol alone
  const endpoint = await openEndpoint({ baseUrl, model, apiKey: process.env["OPENAI_API_KEY"] || undefined, chunkDelayMs: chunkDelay });
  console.error(`coding-agent: the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);

  const connection = serveAcpStdio(createCodingAgent({ model: openModel(endpoint) }), {
    profile: profiles[profile],
    onError: (error, method) => console.error(`coding-agent: ${method ?? "connection"}:`, error),
    onDiagnostic: ({ id, message }) => console.error(`coding-agent: ${id}: ${message}`),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void connection.close());
  await connection.closed;
  await endpoint.close();
}

function milliseconds(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("Expected a number of milliseconds.");
  return Number(value);
}

const program = new Command("coding-agent").description("A coding agent that works on a folder and speaks ACP");
program
  .command("acp", { isDefault: true })
  .description("Serve ACP on stdin and stdout")
  .addOption(new Option("--profile <name>", "dialect of ACP").choices(Object.keys(profiles)).default("elephant"))
  .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
  .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL"))
  .addOption(new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model").argParser(milliseconds).default(0))
  .action(serve);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`coding-agent: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
