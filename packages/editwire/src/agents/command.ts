import { agentCommand } from "@editwire/acp/node";
import type { RegistryAgent } from "@editwire/acp-schema/registry";
import { Command } from "commander";
import { registryFrom, registryOption, type TargetArguments } from "../agent/target.js";
import { say } from "../say.js";
import { oneLine } from "../text.js";

const examples = `
Examples:
  editwire agents list
  editwire agents info gemini
  editwire exec --agent gemini "Say hello"
  editwire agents list --registry registry.json`;

/** The command `agents`: shows the registry whose names `--agent` takes. */
export function agentsCommand(): Command {
  const agents = new Command("agents").description("lists the agents of the registry").addHelpText("after", examples);
  agents
    .command("list", { isDefault: true })
    .description("prints the name of each agent, how it is got, and its version")
    .addOption(registryOption())
    .option("--json", "prints the entries as JSON", false)
    .action(list);
  agents
    .command("info")
    .description("prints an agent's entry, with the command that starts it or the archives that have it")
    .argument("<name>", "the agent's name")
    .addOption(registryOption())
    .action(info);
  return agents;
}

async function list({ json, ...args }: TargetArguments & { readonly json: boolean }): Promise<void> {
  const { agents, leftOut } = await registryFrom(args);
  for (const { reason } of leftOut) say(`left out: ${oneLine(reason)}`);
  if (json) return console.log(JSON.stringify(agents, undefined, 2));
  const rows = agents.map((agent) => [agent.id, waysOf(agent), `${agent.name} ${agent.version}`].map(oneLine));
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

async function info(name: string, args: TargetArguments): Promise<void> {
  const registry = await registryFrom(args);
  const agent = registry.agents.find(({ id }) => id === name);
  const isDownload = agent !== undefined && (agent.distribution.npx ?? agent.distribution.uvx) === undefined;
  const command = isDownload ? undefined : await agentCommand(name, registry, { prefer: ["npx", "uvx"] });
  const archives = Object.entries(agent?.distribution.binary ?? {});
  const facts: readonly (readonly [string, unknown])[] = [
    ["name", agent?.name],
    ["version", agent?.version],
    ["description", agent?.description],
    ["website", agent?.website ?? agent?.repository],
    ["license", agent?.license],
    ["command", command?.argv.map(quoted).join(" ")],
    ["environment", Object.keys(command?.env ?? {}).join(" ") || undefined],
    ...(isDownload ? archives.map(([platform, { archive }]) => ["download", `${archive} (${platform})`] as const) : []),
  ];
  for (const [fact, value] of facts) if (typeof value === "string") console.log(`${fact.padEnd(12)} ${oneLine(value)}`);
}

/** How an agent is got: `npx`, `uvx`, or `download`. */
function waysOf({ distribution }: RegistryAgent): string {
  const { npx, uvx, binary } = distribution;
  return [npx && "npx", uvx && "uvx", binary && "download"].filter((way) => way !== undefined).join(", ");
}

/** An argument as a POSIX shell takes it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
