import type { ChatConfig, InitializeResult, ToolServerUpdatedParams } from "@editwire/eca-schema";

/** The state of a server, apart from its sessions. Values are immutable. */
export interface EcaServerState {
  /** The servers of tools, the code assistant's own among them, in the order of their first report. */
  readonly toolServers: readonly ToolServerUpdatedParams[];
  /** What the user can choose in chats, by the names of the current dialect; servers of 2025 say it in their answer to `initialize`. */
  readonly config: ChatConfig;
}

/** What changes it. */
export type ServerAction =
  | { readonly type: "initialized"; readonly info: InitializeResult }
  | { readonly type: "configured"; readonly config: ChatConfig }
  | { readonly type: "tool_server"; readonly server: ToolServerUpdatedParams }
  | { readonly type: "tool_server_removed"; readonly name: string };

/** The state before the first message. */
export const emptyServer: EcaServerState = { toolServers: [], config: {} };

/** The state after an action; a pure function. */
export function reduceServer(state: EcaServerState, action: ServerAction): EcaServerState {
  switch (action.type) {
    case "initialized":
      return { ...state, config: { ...configOf(action.info), ...state.config } };
    case "configured":
      return { ...state, config: { ...state.config, ...action.config } };
    case "tool_server":
      return { ...state, toolServers: withServer(state.toolServers, action.server) };
    case "tool_server_removed":
      return { ...state, toolServers: state.toolServers.filter(({ name }) => name !== action.name) };
  }
}

/** Servers of 2026 omit from an update what did not change. A disabled server has no tools (#tool-updated). */
function withServer(
  servers: readonly ToolServerUpdatedParams[],
  server: ToolServerUpdatedParams,
): readonly ToolServerUpdatedParams[] {
  const index = servers.findIndex(({ type, name }) => type === server.type && name === server.name);
  const before = servers[index];
  if (before === undefined) return [...servers, server];
  const gone = server["status"] === "disabled" ? { tools: [], prompts: [], resources: [] } : {};
  return servers.with(index, { ...before, ...gone, ...server });
}

function configOf(info: InitializeResult): ChatConfig {
  const { models, chatDefaultModel, chatBehaviors, chatDefaultBehavior, chatWelcomeMessage } = info;
  const config: ChatConfig = {
    models,
    selectModel: chatDefaultModel,
    agents: chatBehaviors,
    behaviors: chatBehaviors,
    selectAgent: chatDefaultBehavior,
    selectBehavior: chatDefaultBehavior,
    welcomeMessage: chatWelcomeMessage,
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
