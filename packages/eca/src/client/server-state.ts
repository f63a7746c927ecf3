import type { ChatConfig, EcaParams, EcaResult, JobSummary, ProviderStatus } from "@editwire/eca-schema";

/** The state of a server, apart from its sessions. Values are immutable. */
export interface EcaServerState {
  /** The servers of tools, the code assistant's own among them, in the order of their first report. */
  readonly toolServers: readonly EcaParams<"tool/serverUpdated">[];
  /**
   * The user's choices for chats, by the names of the current dialect; servers of 2025 send them in their answer to
   * `initialize`.
   */
  readonly config: ChatConfig;
  /** The providers of models that were reported since, or listed by `client.providers.list()`; in `v2026`. */
  readonly providers: readonly ProviderStatus[];
  /** The background jobs, as reported last or listed by `client.jobs.list()`; in `v2026`. */
  readonly jobs: readonly JobSummary[];
}

/** A change of the state. */
export type ServerAction =
  | { readonly type: "initialized"; readonly info: EcaResult<"initialize"> }
  | { readonly type: "configured"; readonly config: ChatConfig }
  | { readonly type: "tool_server"; readonly server: EcaParams<"tool/serverUpdated"> }
  | { readonly type: "tool_server_removed"; readonly name: string }
  | { readonly type: "providers"; readonly providers: readonly ProviderStatus[] }
  | { readonly type: "provider"; readonly provider: ProviderStatus }
  | { readonly type: "jobs"; readonly jobs: readonly JobSummary[] };

/** The state before the first message. */
export const emptyServer: EcaServerState = { toolServers: [], config: {}, providers: [], jobs: [] };

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
    case "providers":
      return { ...state, providers: action.providers };
    case "provider":
      return { ...state, providers: withItem(state.providers, action.provider, ({ id }) => id) };
    case "jobs":
      return { ...state, jobs: action.jobs };
  }
}

/** Servers of 2026 omit from an update what did not change. A disabled server has no tools (#tool-updated). */
function withServer(
  servers: readonly EcaParams<"tool/serverUpdated">[],
  server: EcaParams<"tool/serverUpdated">,
): readonly EcaParams<"tool/serverUpdated">[] {
  const before = servers.find(({ type, name }) => type === server.type && name === server.name);
  const gone = server["status"] === "disabled" ? { tools: [], prompts: [], resources: [] } : {};
  return withItem(servers, { ...before, ...server, ...gone }, ({ type, name }) => `${type} ${String(name)}`);
}

/** The list with an item in the place of the one that has its key, or at the end. */
function withItem<T>(items: readonly T[], item: T, keyOf: (item: T) => string): readonly T[] {
  const index = items.findIndex((other) => keyOf(other) === keyOf(item));
  return index < 0 ? [...items, item] : items.with(index, item);
}

function configOf(info: EcaResult<"initialize">): ChatConfig {
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
