import { resolve } from "node:path";
import { Command, Option } from "commander";
import { runBackend } from "./run-backend.js";
import { runIdeHost } from "./ide-host.js";
import { openTranscript } from "./transcript.js";

interface BackendFlags {
  port: number;
  token: string;
  model?: string;
  baseUrl?: string;
}

interface IdeFlags {
  url: string;
  token: string;
  project: string;
  folder: string;
  hold?: string;
}

const token = (): Option =>
  new Option("--token <token>", "what IDEs and callers have to send").env("SMAN_TOKEN").makeOptionMandatory();

const program = new Command("sman").description("A coding agent on a backend, whose tools run inside of IDEs.");

program
  .command("backend")
  .description("serve the agent")
  .option("--port <port>", "the port on this machine; default: any free one", Number, 0)
  .addOption(token())
  .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
  .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL"))
  .action(({ model, baseUrl, ...flags }: BackendFlags) =>
    runBackend({ ...flags, model: model || undefined, baseUrl: baseUrl || undefined }, openTranscript()),
  );

program
  .command("ide")
  .description("offer the tools of an IDE on a folder to the backend")
  .requiredOption("--url <url>", "the backend, such as http://127.0.0.1:8080")
  .requiredOption("--project <key>", "the key of the project")
  .option("--folder <folder>", "the project's folder", ".")
  .option("--hold <tool>", "for the demo: stop in the middle of the first call of this tool")
  .addOption(token())
  .action(({ project, folder, hold, ...flags }: IdeFlags) =>
    runIdeHost({ ...flags, projectKey: project, folder: resolve(folder), holdIn: hold }, openTranscript()),
  );

try {
  await program.parseAsync();
} catch (error) {
  console.error(`sman: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
