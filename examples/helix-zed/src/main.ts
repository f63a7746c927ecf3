import { resolve } from "node:path";
import { Command, Option } from "commander";
import { type AgentOptions, runAgent } from "./agent.js";
import { type HostOptions, runHost } from "./host.js";

const profile = (): Option => new Option("--profile <name>", "the dialect").choices(["spec", "v2026"]).default("spec");
const token = (): Option => new Option("--token <token>", "what agents have to send").env("HELIX_TOKEN");

const program = new Command("helix-zed")
  .description("A product that holds conversations with any ACP agent, and the agent's side of it.")
  .enablePositionalOptions();

program
  .command("host")
  .description("serve the product")
  .option("--port <port>", "default: any free one", Number, 0)
  .option("--store <file>", "where conversations are kept", "helix.db")
  .addOption(token())
  .addOption(profile())
  .option("--verbose", "report on stderr which agents connect", false)
  .action((options: HostOptions) => runHost(options));

program
  .command("agent")
  .description("connect an ACP agent to the product")
  .requiredOption("--url <url>", "the product")
  .option("--session <id>", "the session to serve", "ses_1")
  .option("--cwd <folder>", "the folder to work on", ".")
  .option("--yes", "allow whatever the agent asks for", false)
  .addOption(token())
  .addOption(profile())
  .addOption(
    new Option("--acp-profile <name>", "the dialect of the ACP agent (default: found out)").choices(["spec", "v1"]),
  )
  .option("--verbose", "report on stderr that the product is connected", false)
  .argument("<command...>", "the ACP agent; it is run without a shell")
  .passThroughOptions()
  .action((command: string[], options: Omit<AgentOptions, "command">) =>
    runAgent({ ...options, cwd: resolve(options.cwd), command }),
  );

await program.parseAsync();
