import { agentCommand, readRegistry } from "@editwire/acp/node";
import { type AgentRegistry, registryOf } from "@editwire/acp-schema/registry";
import { helixZedProfiles } from "@editwire/helix-zed";
import { Option } from "commander";
import list from "../../agents.json" with { type: "json" };
import { parseEndpoint, tokenVariables } from "./endpoint.js";
import { type AgentSide, type BridgeProtocol, protocols } from "./options.js";

/** The arguments that say which agent is meant. Beside them, its command may stand after `--`. */
export interface TargetArguments {
  /** An endpoint, or the id of an agent in the registry. */
  readonly agent?: string;
  /** A file or an `https:` URL. */
  readonly registry?: string;
}

/** The options of a command that reaches an agent. */
export const targetOptions = (): Option[] => [
  new Option("--agent <name or endpoint>", "the agent: its name in the registry, http://, ws:// or unix:"),
  registryOption(),
];

/** The option for another registry than that of this package. */
export const registryOption = (): Option =>
  new Option("--registry <file or URL>", "the registry that has the names; default: the list of this package");

/** The option for the protocol of an agent. */
export const protocolOption = (): Option =>
  new Option("--protocol <protocol>", "what the agent speaks").choices(protocols).default("acp");

/** The options that Helix-Zed needs on either side. */
export const helixZedOptions = (): Option[] => [
  new Option("--id <id>", "helix-zed: the id under which this program or the agent dials").default("editwire"),
  new Option("--profile <dialect>", "helix-zed: the dialect to write")
    .choices(Object.keys(helixZedProfiles))
    .default("spec"),
];

/** The registry that the arguments name, or the list of this package. */
export async function registryFrom({ registry }: Pick<TargetArguments, "registry">): Promise<AgentRegistry> {
  return registry === undefined ? registryOf(list) : readRegistry(registry);
}

/**
 * The agent that the arguments name. Throws a `TypeError` for arguments that name none, or two, and as `agentCommand`
 * does. An agent that is downloaded is installed here.
 */
export async function agentSideOf(
  args: TargetArguments,
  command: readonly string[],
  protocol: BridgeProtocol,
): Promise<AgentSide> {
  const { agent } = args;
  // An empty variable is one that was forgotten.
  const token = process.env[tokenVariables.agent] || undefined;
  const stdio = { kind: "stdio" } as const;
  if (agent === undefined || agent === "stdio") {
    if (command.length === 0)
      throw new TypeError("expected the agent's command after --, or --agent with its name or endpoint");
    return { protocol, endpoint: stdio, token, command };
  }
  const endpoint = agent.includes(":") ? parseEndpoint(agent) : undefined;
  if (command.length > 0) throw new TypeError(`expected --agent or a command, received both: ${command.join(" ")}`);
  if (endpoint !== undefined) return { protocol, endpoint, token, command };
  if (protocol !== "acp")
    throw new TypeError(`--agent ${agent}: the registry has agents of acp; for ${protocol}, expected an endpoint`);
  const { argv, env } = await agentCommand(agent, await registryFrom(args));
  return { protocol, endpoint: stdio, token, command: argv, env };
}
