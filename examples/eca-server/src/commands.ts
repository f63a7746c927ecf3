import type { ChatCommand } from "@editwire/eca-schema";
import { ToolError } from "@editwire/example-coding-agent";
import parseArgs from "string-argv";
import type { McpServers } from "./mcp/servers.js";

/** The commands of the server itself. */
const native = [
  { name: "costs", description: "Tokens and costs of this chat so far" },
  { name: "doctor", description: "The model, the folders and the MCP servers, and what is wrong with them" },
  { name: "repo-map", description: "The files of the workspace, as the model is shown them" },
] as const;

/** A command of the server itself, by its name. */
export type NativeCommand = (typeof native)[number]["name"];

/** What a message calls. */
export type CommandCall =
  | { readonly type: "native"; readonly name: NativeCommand }
  | { readonly type: "prompt"; readonly server: string; readonly name: string; readonly args: Record<string, string> };

/** The commands whose name or description has the query in it; the empty one fits all. */
export function queryCommands(query: string, mcp: McpServers): ChatCommand[] {
  const wanted = query.trim().replace(/^\//, "").toLowerCase();
  return allCommands(mcp).filter(({ name, description = "" }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
}

function allCommands(mcp: McpServers): ChatCommand[] {
  const own = native.map(({ name, description }) => ({ name, description, type: "native", arguments: [] }));
  const prompts = mcp.running.flatMap(({ config, offer }) =>
    offer.prompts.map(({ name, description = "", arguments: args = [] }) => ({
      name: `${config.name}:${name}`,
      description,
      type: "mcpPrompt",
      arguments: args.map((arg) => ({
        name: arg.name,
        description: arg.description ?? "",
        required: arg.required === true,
      })),
    })),
  );
  return [...own, ...prompts];
}

/**
 * Reads a message such as `/costs` or `/server:prompt "first argument" second`. Anything else is `undefined`: a path
 * may start with a slash, too. Throws a `ToolError` when an argument is missing.
 */
export function commandIn(message: string, mcp: McpServers): CommandCall | undefined {
  const [, word = "", rest = ""] = /^\/(\S+)\s*([^]*)$/.exec(message.trim()) ?? [];
  const own = native.find(({ name }) => name === word);
  if (own !== undefined) return { type: "native", name: own.name };
  for (const { config, offer } of mcp.running) {
    const prompt = offer.prompts.find(({ name }) => `${config.name}:${name}` === word);
    if (prompt !== undefined)
      return {
        type: "prompt",
        server: config.name,
        name: prompt.name,
        args: argumentsOf(word, prompt.arguments ?? [], parseArgs(rest)),
      };
  }
  return undefined;
}

function argumentsOf(
  command: string,
  declared: readonly { name: string; required?: boolean | undefined }[],
  given: readonly string[],
): Record<string, string> {
  const missing = declared
    .filter(({ required }, index) => required === true && given[index] === undefined)
    .map(({ name }) => name);
  if (missing.length > 0) throw new ToolError(`/${command} needs ${missing.join(", ")}`);
  return Object.fromEntries(
    declared.flatMap(({ name }, index) => (given[index] === undefined ? [] : [[name, given[index]]])),
  );
}
