import type { EcaServerConnection, EcaServer } from "@editwire/eca";
import type { ClientCapabilities, WorkspaceFolder } from "@editwire/eca-schema";
import { type Model, toolsFor } from "@editwire/example-coding-agent";
import { runPrompt } from "./chat.js";
import { queryCommands } from "./commands.js";
import { queryContexts } from "./contexts/query.js";
import { type Editor, editorTools } from "./editor.js";
import { type Folders, openFolders } from "./folders.js";
import type { McpServerConfig } from "./mcp/config.js";
import { described, mcpMethods } from "./mcp/management.js";
import { McpServers } from "./mcp/servers.js";
import { memoryHandlers } from "./memory.js";
import type { Prices } from "./prices.js";

/** What the server is made of. */
export interface EcaServerSettings {
  readonly model: Model;
  readonly modelName: string;
  /** Default: not known, so no costs are reported. */
  readonly prices?: Prices | undefined;
  /** Default none. */
  readonly mcpServers?: readonly McpServerConfig[] | undefined;
  /** Answers of the model in one turn. Default 50. */
  readonly maxRounds?: number | undefined;
  /** Takes lines for the log. */
  readonly log?: ((text: string) => void) | undefined;
}

/** The coding agent behind ECA, ready to be served to one client. */
export function createEcaServer(settings: EcaServerSettings): EcaServer {
  const { model, modelName, prices, mcpServers = [], maxRounds = 50, log = () => {} } = settings;
  const over = new AbortController();
  let connection: EcaServerConnection | undefined;
  let capabilities: ClientCapabilities["codeAssistant"];
  let workspace: readonly WorkspaceFolder[] = [];
  let folders: Promise<Folders> = openFolders([], () => {});
  const problems: string[] = [];
  const mcp = new McpServers(mcpServers, (server) => connection?.toolServerUpdated(described(server)), log);
  const sources = async () => ({ folders: await folders, mcp });
  const editor: Editor = {
    get capabilities() {
      return capabilities;
    },
    get connection() {
      return connection;
    },
  };

  return {
    async initialize(client) {
      capabilities = client.capabilities.codeAssistant;
      workspace = client.workspaceFolders;
      folders = openFolders(workspace, (problem) => problems.push(problem));
      await folders;
      return {
        models: [modelName],
        behaviors: ["agent", "plan"],
        welcomeMessage: "Ask about the code, or have it changed. `/doctor` tells how things are.\n",
      };
    },
    async initialized(server) {
      connection = server;
      for (const problem of problems) server.showMessage("warning", problem);
      announceTools(server, editor, mcp);
      await mcp.startAll();
    },
    prompt: async (turn) => runPrompt(turn, await folders, { model, modelName, prices, mcp, editor, maxRounds }),
    queryContext: async ({ query }) => queryContexts(query, await sources(), over.signal),
    queryCommands: ({ query }) => queryCommands(query, mcp),
    ...memoryHandlers,
    startMcpServer: (name) => mcp.start(name),
    stopMcpServer: (name) => mcp.stop(name),
    async shutdown() {
      over.abort();
      connection = undefined;
      await mcp.close();
    },
    methods: {
      "workspace/didChangeWorkspaceFolders"({ event: { added, removed } }) {
        const gone = new Set([...removed, ...added].map(keyOf));
        workspace = [...workspace.filter((folder) => !gone.has(keyOf(folder))), ...added];
        folders = openFolders(workspace, (problem) => connection?.showMessage("warning", problem));
      },
      async "chat/queryFiles"({ chatId, query }) {
        const files = (await queryContexts(query, await sources(), over.signal)).filter(({ type }) => type === "file");
        return { ...(chatId === undefined ? {} : { chatId }), files };
      },
      ...mcpMethods(mcp, () => connection),
    },
  };
}

/** Reports the tools of this server and of the MCP servers. */
function announceTools(server: EcaServerConnection, editor: Editor, mcp: McpServers): void {
  const offered = [...toolsFor("full"), ...editorTools(editor).map((tool) => tool.offered)];
  const tools = offered.map(({ name, description, parameters }) => ({ name, description, parameters }));
  server.toolServerUpdated({ type: "native", name: "ECA", status: "running", tools });
  for (const one of mcp.all) server.toolServerUpdated(described(one));
}

/** Some editors end the URI of a folder with a slash, and not always. */
function keyOf({ uri }: WorkspaceFolder): string {
  return uri.replace(/\/+$/, "");
}
