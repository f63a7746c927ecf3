import type { EcaServerConnection, EcaServerHandlers } from "@editwire/eca";
import type { McpServerUpdatedParams } from "@editwire/eca-schema";
import { type Model, toolsFor } from "@editwire/example-coding-agent";
import { runPrompt } from "./chat.js";
import { queryCommands } from "./commands.js";
import { queryContexts } from "./contexts/query.js";
import { type Folders, openFolders } from "./folders.js";
import type { McpServerConfig } from "./mcp/config.js";
import type { McpServer } from "./mcp/server.js";
import { McpServers } from "./mcp/servers.js";
import type { Prices } from "./prices.js";

/** What the server is made of. */
export interface EcaServerSettings {
  readonly model: Model;
  readonly modelName: string;
  /** Default: not known, so no costs are told. */
  readonly prices?: Prices | undefined;
  /** Default none. */
  readonly mcpServers?: readonly McpServerConfig[] | undefined;
  /** Answers of the model in one turn. Default 50. */
  readonly maxRounds?: number | undefined;
  /** Takes lines for the log. */
  readonly log?: ((text: string) => void) | undefined;
}

/** The coding agent behind ECA, ready to be served to one client. */
export function createEcaServer(settings: EcaServerSettings): EcaServerHandlers {
  const { model, modelName, prices, mcpServers = [], maxRounds = 50, log = () => {} } = settings;
  const over = new AbortController();
  let connection: EcaServerConnection | undefined;
  let folders: Folders | undefined;
  const problems: string[] = [];
  const mcp = new McpServers(mcpServers, (server) => connection?.toolServerUpdated(described(server)), log);
  const opened = (): Folders => folders ?? { all: [], main: undefined, of: () => { throw new Error("Not initialized"); } };
  const sources = () => ({ folders: opened(), mcp });

  return {
    async initialize({ workspaceFolders }) {
      folders = await openFolders(workspaceFolders, (problem) => problems.push(problem));
      return { models: [modelName], welcomeMessage: "Ask about the code, or have it changed. `/doctor` tells how things are.\n" };
    },
    async initialized(server) {
      connection = server;
      for (const problem of problems) server.showMessage("warning", problem);
      const tools = toolsFor("full").map(({ name, description, parameters }) => ({ name, description, parameters }));
      server.toolServerUpdated({ type: "native", name: "ECA", status: "running", tools });
      for (const one of mcp.all) server.toolServerUpdated(described(one));
      await mcp.startAll();
    },
    prompt: (turn) => runPrompt(turn, opened(), { model, modelName, prices, mcp, maxRounds }),
    queryContext: ({ query }) => queryContexts(query, sources(), over.signal),
    queryCommands: ({ query }) => queryCommands(query, mcp),
    startMcpServer: (name) => mcp.start(name),
    stopMcpServer: (name) => mcp.stop(name),
    async shutdown() {
      over.abort();
      connection = undefined;
      await mcp.close();
    },
    methods: {
      async "chat/queryFiles"({ chatId, query }) {
        const files = (await queryContexts(query, sources(), over.signal)).filter(({ type }) => type === "file");
        return { ...(chatId === undefined ? {} : { chatId }), files };
      },
    },
  };
}

/** An MCP server as editors show it. */
function described({ config, status, offer }: McpServer): McpServerUpdatedParams {
  const { name, command, args } = config;
  return {
    type: "mcp",
    name,
    command,
    args: [...args],
    status,
    tools: offer.tools.map(({ name: tool, description = "", inputSchema }) => ({ name: tool, description, parameters: inputSchema })),
    prompts: offer.prompts.map(({ name: prompt, description = "", arguments: list = [] }) => ({
      name: prompt,
      description,
      arguments: list.map((argument) => ({ name: argument.name, description: argument.description ?? "", required: argument.required === true })),
    })),
    resources: offer.resources.map(({ uri, name: resource, description = "", mimeType = "" }) => ({ uri, name: resource, description, mimeType })),
  };
}
