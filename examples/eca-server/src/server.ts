import type { EcaServer, EcaServerConnection, EcaServerMethods } from "@editwire/eca";
import type { ClientCapabilities, WorkspaceFolder } from "@editwire/eca-schema";
import { type Model, toolsFor } from "@editwire/example-coding-agent";
import { type Chats, runPrompt } from "./chat.js";
import { codeMethods } from "./code.js";
import { queryCommands } from "./commands.js";
import { queryContexts } from "./contexts/query.js";
import type { ContextSources } from "./contexts/read.js";
import { editorTools } from "./editor.js";
import { type Folders, openFolders } from "./folders.js";
import { jobTools } from "./job-tools.js";
import { jobMethods, Jobs } from "./jobs.js";
import type { McpServerConfig } from "./mcp/config.js";
import { described, mcpMethods } from "./mcp/management.js";
import { McpServers } from "./mcp/servers.js";
import { memoryHandlers } from "./memory.js";
import type { OwnTool } from "./own-tool.js";
import type { Prices } from "./prices.js";
import { Provider, providerMethods, type ProviderSettings } from "./provider.js";

/** What the server is made of. */
export interface EcaServerSettings {
  readonly model: Model;
  readonly modelName: string;
  /** Default: not known, so no costs are reported. */
  readonly prices?: Prices | undefined;
  /** Default: a model that needs no key. */
  readonly provider?: ProviderSettings | undefined;
  /** Default none. */
  readonly mcpServers?: readonly McpServerConfig[] | undefined;
  /** Answers of the model in one turn. Default 50. */
  readonly maxRounds?: number | undefined;
  /** Takes lines for the log. */
  readonly log?: ((text: string) => void) | undefined;
}

/** The coding agent behind ECA, ready to be served to one client. */
export function createEcaServer(settings: EcaServerSettings): EcaServer {
  const state = new ServerState(settings);
  const { chats, mcp } = state;
  return {
    initialize: (client) => state.begin(client.capabilities, client.workspaceFolders),
    initialized: (server) => state.serve(server),
    prompt: async (turn) => runPrompt(turn, await state.folders, chats),
    queryContext: async ({ query }) => queryContexts(query, await state.sources(), state.over),
    queryCommands: ({ query }) => queryCommands(query, mcp),
    ...memoryHandlers,
    startMcpServer: (name) => mcp.start(name),
    stopMcpServer: (name) => mcp.stop(name),
    shutdown: () => state.close(),
    methods: methodsOf(settings, state),
  };
}

/** The methods that only editors of 2026 call. */
function methodsOf({ modelName, log = () => {} }: EcaServerSettings, state: ServerState): EcaServerMethods {
  const connection = (): EcaServerConnection | undefined => state.connection;
  const { mcp, provider, jobs } = state;
  return {
    "workspace/didChangeWorkspaceFolders": ({ event: { added, removed } }) => state.changeFolders(added, removed),
    async "chat/queryFiles"({ chatId, query }) {
      const found = await queryContexts(query, await state.sources(), state.over);
      return { ...(chatId === undefined ? {} : { chatId }), files: found.filter(({ type }) => type === "file") };
    },
    ...mcpMethods(mcp, connection),
    ...providerMethods(provider, connection),
    ...jobMethods(jobs),
    ...codeMethods({ modelName, model: provider.model, signal: state.over, connection, log }),
  };
}

/** What belongs to the one client of a server. */
class ServerState {
  readonly mcp: McpServers;
  readonly provider: Provider;
  readonly jobs: Jobs;
  readonly chats: Chats;
  folders: Promise<Folders> = openFolders([], () => {});
  /** Absent before `initialized` and after `shutdown`. */
  connection: EcaServerConnection | undefined;
  readonly #end = new AbortController();
  readonly #problems: string[] = [];
  #capabilities: ClientCapabilities["codeAssistant"];
  #workspace: readonly WorkspaceFolder[] = [];

  constructor({
    model,
    modelName,
    prices,
    provider,
    mcpServers = [],
    maxRounds = 50,
    log = () => {},
  }: EcaServerSettings) {
    this.mcp = new McpServers(mcpServers, (server) => this.connection?.toolServerUpdated(described(server)), log);
    this.provider = new Provider(model, modelName, prices, provider);
    this.jobs = new Jobs(() => this.connection?.notify("jobs/updated", { jobs: this.jobs.all }));
    const ownTools = (folders: Folders): OwnTool[] => this.#ownTools(folders);
    this.chats = { model: this.provider.model, modelName, prices, mcp: this.mcp, ownTools, maxRounds };
  }

  /** Aborts when the server ends. */
  get over(): AbortSignal {
    return this.#end.signal;
  }

  async sources(): Promise<ContextSources> {
    return { folders: await this.folders, mcp: this.mcp };
  }

  /** Takes what the client says of itself. Returns what the server offers. */
  async begin({ codeAssistant }: ClientCapabilities, workspaceFolders: readonly WorkspaceFolder[]) {
    this.#capabilities = codeAssistant;
    this.#workspace = workspaceFolders;
    this.folders = openFolders(workspaceFolders, (problem) => this.#problems.push(problem));
    await this.folders;
    return {
      models: [this.chats.modelName],
      behaviors: ["agent", "plan"],
      welcomeMessage: "Ask about the code, or have it changed. `/doctor` shows the state of the server.\n",
    };
  }

  /** Announces the tools, and starts the MCP servers. */
  async serve(connection: EcaServerConnection): Promise<void> {
    this.connection = connection;
    for (const problem of this.#problems) connection.showMessage("warning", problem);
    const own = this.#ownTools(await this.folders).map(({ offered }) => offered);
    const tools = [...toolsFor("full"), ...own].map(({ name, description, parameters }) => ({
      ...{ name, description, parameters },
    }));
    connection.toolServerUpdated({ type: "native", name: "ECA", status: "running", tools });
    for (const server of this.mcp.all) connection.toolServerUpdated(described(server));
    await this.mcp.startAll();
  }

  changeFolders(added: readonly WorkspaceFolder[], removed: readonly WorkspaceFolder[]): void {
    const gone = new Set([...removed, ...added].map(keyOf));
    this.#workspace = [...this.#workspace.filter((folder) => !gone.has(keyOf(folder))), ...added];
    this.folders = openFolders(this.#workspace, (problem) => this.connection?.showMessage("warning", problem));
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.connection = undefined;
    await Promise.all([this.mcp.close(), this.jobs.close()]);
  }

  #ownTools(folders: Folders): OwnTool[] {
    const { connection } = this;
    return [...editorTools({ capabilities: this.#capabilities, connection }), ...jobTools(this.jobs, folders)];
  }
}

/** Some editors end the URI of a folder with a slash, and not always. */
function keyOf({ uri }: WorkspaceFolder): string {
  return uri.replace(/\/+$/, "");
}
