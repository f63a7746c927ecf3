import type {
  AvailableCommand,
  ContentBlock,
  McpServer,
  Meta,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp";
import type { AgentEditor } from "./editor.js";
import type { AgentEvent, AgentUsage } from "./events.js";
import type { TurnEnd } from "./running-turn.js";
import type { SessionView } from "./session-view.js";
import type { AgentTurn } from "./turn.js";

/** What happens to a prompt while a turn runs: it is refused, waits for its end, or is added to the running turn. */
export type WhenBusy = "reject" | "queue" | "steer";

/** How a session is prompted. */
export interface PromptSessionOptions {
  /** The view that prompts. It is attached if it is not yet. */
  view?: SessionView | undefined;
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  meta?: Meta | undefined;
  /** What the editor that prompts offers the agent. Default: nothing. */
  editor?: AgentEditor | undefined;
  /** Default: that of the agent. */
  whenBusy?: WhenBusy | undefined;
  /** Called when the turn starts, before its first event. */
  onStart?: ((turn: AgentTurn) => void) | undefined;
}

/** What opens or loads a session. */
export interface SessionStart {
  /** Absolute path. */
  readonly cwd: string;
  /** Further folders, as absolute paths. Default none. */
  readonly roots?: readonly string[] | undefined;
  /** Default none. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  readonly meta?: Meta | undefined;
  /** The id that the editor gives the session. Default: the agent's choice, else a new UUID. */
  readonly sessionId?: string | undefined;
  /** Whose session it is, as the listener authenticated them. For others it does not exist. Default: nobody's. */
  readonly caller?: string | undefined;
}

/** What an agent offers in a session. */
export interface SessionOffer {
  title?: string | undefined;
  modes?: SessionModeState | undefined;
  configOptions?: readonly SessionConfigOption[] | undefined;
  commands?: readonly AvailableCommand[] | undefined;
}

/**
 * A conversation with an agent. It belongs to no protocol: views of several protocols and connections show it at once,
 * and each of them may prompt, cancel and answer.
 */
export interface AgentSession {
  readonly id: string;
  /** Whose session it is; `undefined` where callers are not authenticated. */
  readonly caller: string | undefined;
  readonly cwd: string;
  /** Further folders. */
  readonly roots: readonly string[];
  /** The MCP servers that the editor asked for. */
  readonly mcpServers: readonly McpServer[];
  readonly meta: Meta | undefined;
  readonly title: string | undefined;
  /** The title; for a session without one, the beginning of its first prompt. */
  readonly listedTitle: string | undefined;
  /** Absent when the session has no modes. */
  readonly modes: SessionModeState | undefined;
  readonly modeId: string | undefined;
  readonly configOptions: readonly SessionConfigOption[];
  readonly commands: readonly AvailableCommand[];
  /** The last usage that was reported. */
  readonly usage: AgentUsage | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Whatever the agent wants to keep with the session. */
  readonly state: Map<string, unknown>;
  /** What was said and done, oldest first: text is joined, and a tool call is there once, in its last state. */
  readonly events: readonly AgentEvent[];
  /** The running turn. */
  readonly turn: AgentTurn | undefined;
  /**
   * Runs a turn, and resolves with its end when every view has received it. Never rejects for what the agent does. With
   * `whenBusy: "reject"`, rejects with a `RemoteError` -32600 while a turn runs; with `queue`, when 100 prompts wait.
   * After the session was deleted, it always rejects.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: PromptSessionOptions): Promise<TurnEnd>;
  /** Adds a message to the running turn. Returns false when none runs. */
  steer(message: string | readonly ContentBlock[]): boolean;
  /** Cancels the running turn, if there is one, and the prompts that wait. */
  cancel(): void;
  /** Switches the mode. Rejects with a `RemoteError` -32602 for one that the session does not offer. */
  setMode(modeId: string): Promise<void>;
  /** Changes a setting. Rejects with a `RemoteError` -32602 for a setting or a value that is not offered. */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /** Adds an event outside of turns, such as `commands`, `info` or `notice`. */
  send(event: AgentEvent): void | Promise<void>;
  /** Shows the session in a view, from now on; `events` has what was before. Returns a function that ends this. */
  attach(view: SessionView): () => void;
}
