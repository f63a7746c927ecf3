import type {
  AcpModelState,
  AcpNewMcpServer,
  AcpPermissionAnswer,
  AuthMethod,
  AvailableCommand,
  ContentBlock,
  McpServer,
  Meta,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp";
import type { AgentEditor } from "./editor.js";
import type {
  AgentEvent,
  AgentFailure,
  AgentNotice,
  AgentPermission,
  AgentPermissionDecision,
  AgentPermissionOption,
  AgentPlanEntry,
  AgentQuestion,
  AgentQuestionOption,
  AgentStopReason,
  AgentUsage,
} from "./events.js";
import type { AgentNewToolCall } from "./tool-call-state.js";
import type { AgentToolCall } from "./tool-call.js";

/** The handling of a prompt while a turn runs: it is refused, waits for the end of the turn, or is added to it. */
export type WhenBusy = "reject" | "queue" | "steer";

/** How a session is prompted. */
export interface PromptSessionOptions {
  /** The view that prompts. It is attached if it is not yet. */
  view?: SessionView | undefined;
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  meta?: Meta | undefined;
  /** The services that the prompting editor offers the agent. Default: none. */
  editor?: AgentEditor | undefined;
  /** Default: that of the agent. */
  whenBusy?: WhenBusy | undefined;
  /** Called when the turn starts, before its first event. */
  onStart?: ((turn: AgentTurn) => void) | undefined;
}

/** The params that open or load a session. */
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

/** The params that open or load a session, as an application gives them. */
export interface NewSessionStart extends Omit<SessionStart, "mcpServers"> {
  /** One without a type is on stdio. Default none. */
  readonly mcpServers?: readonly AcpNewMcpServer[] | undefined;
}

/** The offers of an agent in a session. */
export interface AgentSessionOffer {
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
  /** Absent when the session has no modes. A setting of the category `mode` is the modes. */
  readonly modes: SessionModeState | undefined;
  readonly modeId: string | undefined;
  /** The models: the setting of the category `model`. Absent when the session has none. */
  readonly models: AcpModelState | undefined;
  readonly configOptions: readonly SessionConfigOption[];
  readonly commands: readonly AvailableCommand[];
  /** The last usage that was reported. */
  readonly usage: AgentUsage | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Values that the agent keeps with the session. */
  readonly state: Map<string, unknown>;
  /** The events of the session, oldest first: text is joined, and a tool call is there once, in its last state. */
  readonly events: readonly AgentEvent[];
  /** The running turn. */
  readonly turn: AgentTurn | undefined;
  /**
   * Runs a turn, and resolves with its end when every view has received it. Never rejects for what the agent does. With
   * `whenBusy: "reject"`, rejects with a `RemoteError` -32600 while a turn runs; with `queue`, when 100 prompts wait.
   * The first prompt after a cancel waits for the end of the cancelled turn. After the session was deleted, it always
   * rejects.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: PromptSessionOptions): Promise<TurnEnd>;
  /** Adds a message to the running turn. Returns false when none runs. */
  steer(message: string | readonly ContentBlock[], meta?: Meta): boolean;
  /** Cancels the running turn, if there is one, and the prompts that wait. */
  cancel(): void;
  /** Switches the mode. Rejects with a `RemoteError` -32602 for one that the session does not offer. */
  setMode(modeId: string): Promise<void>;
  /** Switches the model. Rejects with a `RemoteError` -32602 for one that the session does not offer. */
  setModel(modelId: string): Promise<void>;
  /** Changes a setting. Rejects with a `RemoteError` -32602 for a setting or a value that is not offered. */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /** Gives the session a title, which every view gets as an `info` event. */
  setTitle(title: string): void | Promise<void>;
  /** Adds an event outside of turns, such as `commands` or `notice`. */
  send(event: AgentEvent): void | Promise<void>;
  /** Shows the session in a view, from now on; `events` has what was before. Returns a function that ends this. */
  attach(view: SessionView): () => void;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly stopReason: AgentStopReason;
  /** With the stop reason `error`. */
  readonly error?: AgentFailure | undefined;
}

/**
 * Runs a turn of an agent. Returning nothing means `end_turn`. A `RemoteError` that it throws reaches the user with its
 * message; any other error as "Internal error". The type takes async functions only: beside plain stop reasons,
 * TypeScript reads the text in `async () => "refusal"` as any string.
 */
export type AgentTurnHandler = (turn: AgentTurn) => Promise<AgentStopReason | void>;

/** How a question is put. */
export interface AskUserOptions {
  /** Answers to choose from. Default none. */
  options?: readonly (string | AgentQuestionOption)[] | undefined;
  /** Whether the user may answer in their own words. Default true. */
  allowFreeform?: boolean | undefined;
  /** The tool call that asks. */
  toolCallId?: string | undefined;
}

/** A message that the user added to a running turn. */
export interface AgentSteer {
  readonly text: string;
  readonly content: readonly ContentBlock[];
  /** The `_meta` of the prompt, where its protocol has one. */
  readonly meta?: Meta | undefined;
}

/**
 * One turn of the agent, whichever protocol prompted it. It ends exactly once; after that its methods throw
 * `WireError("closed")`. Methods return a promise when an editor is slow; await it, so that memory stays bounded.
 */
export interface AgentTurn {
  readonly id: string;
  readonly session: AgentSession;
  readonly prompt: readonly ContentBlock[];
  /** The text blocks of the prompt, joined by blank lines. */
  readonly promptText: string;
  /** The `_meta` of the prompt, where its protocol has one. */
  readonly meta: Meta | undefined;
  /** The name of the view that prompted, such as `acp`; `undefined` without one. */
  readonly from: string | undefined;
  /** The services of the editor that prompted: its files and terminals. `undefined` in other protocols than ACP. */
  readonly editor: AgentEditor | undefined;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Says text, verbatim. */
  text(text: string): void | Promise<void>;
  /** Says a piece of a thought. */
  thought(text: string): void | Promise<void>;
  /** Says something that is not text, such as an image. */
  content(content: ContentBlock): void | Promise<void>;
  /** Shows the complete plan; it replaces the one before. */
  plan(entries: readonly AgentPlanEntry[]): void | Promise<void>;
  /** Reports what the model used. */
  usage(usage: AgentUsage): void | Promise<void>;
  /** Shows a message of the agent itself, such as a warning. */
  notice(text: string, severity?: AgentNotice["severity"]): void | Promise<void>;
  /** Adds any other event. */
  send(event: AgentEvent): void | Promise<void>;
  /** Announces a tool call. One that is still open when the turn ends is reported as `failed`, or `cancelled`. */
  toolCall(call: AgentNewToolCall): Promise<AgentToolCall>;
  /**
   * Asks the user whether a tool may run, in every view that can; the first answer counts. When none can, the answer is
   * a rejection. When the turn is cancelled, it is `cancelled`, at once. A call that was not allowed has ended. Default
   * options: `allow_once` and `reject_once`. `meta` is sent along where the editor's protocol has a place for it.
   */
  requestPermission(
    toolCall: AgentToolCall,
    options?: readonly AgentPermissionOption[],
    meta?: Meta,
  ): Promise<AgentPermissionDecision>;
  /**
   * Asks the user anything else, in every view that can; the first answer counts. `undefined` when there is no answer,
   * or when the turn is cancelled.
   */
  ask(question: string, options?: AskUserOptions): Promise<string | undefined>;
  /** Gives the agent's `onError` an error that does not end the turn, such as one of a tool. */
  report(error: unknown): void;
  /**
   * Takes the messages that the user added to the running turn since the last call, for the model's next step. Messages
   * that are not taken when the turn ends are prompted then, unless the turn was cancelled.
   */
  takeSteers(): readonly AgentSteer[];
  /** Calls `listener` when the user has added a message, which `takeSteers` then returns. */
  onSteer(listener: () => void): void;
}

/** The context of an event, passed to a view. */
export interface ViewContext {
  /** The turn that the event belongs to; `undefined` outside of turns. */
  readonly turn: AgentTurn | undefined;
  /** True when this view prompted that turn. */
  readonly own: boolean;
}

/** The context of a question, passed to a view. */
export interface AskContext extends ViewContext {
  /** Aborts when another view has answered, and when the turn was cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Something that shows a session: a client of one protocol, or code of the application. A view that throws
 * `WireError("closed")` is detached.
 */
export interface SessionView {
  /** For diagnostics, such as `acp`. */
  readonly name: string;
  /**
   * Takes an event. While its promise is pending, the next event of the session waits, and so does the agent: for a
   * view that did not prompt the turn 5 seconds at most, and it is detached then.
   */
  event(event: AgentEvent, context: ViewContext): void | Promise<void>;
  /** Called when the agent looks for what the editor lends it, and the view that prompted has nothing to lend. */
  lendsNothing?(): void;
  /** Asks the user whether a tool may run; the first answer of all views counts. `undefined`: this view cannot ask. */
  permission?(permission: AgentPermission, context: AskContext): Promise<AcpPermissionAnswer | undefined>;
  /** Asks the user; the first answer of all views counts. `undefined`: there is no answer here. */
  question?(question: AgentQuestion, context: AskContext): Promise<string | undefined>;
  /**
   * Lets the user choose how to sign in when the agent refuses this view's prompt until then; the prompt is sent again
   * afterwards. Absent: the editor receives the agent's error, and signs in by messages of its protocol.
   */
  signIn?: ChooseSignIn | undefined;
}

/** How the user signs in. */
export interface ChosenSignIn {
  readonly method: AuthMethod;
  /** Called when the agent has signed in, or could not. */
  ended?(isSignedIn: boolean): void | Promise<void>;
}

/** Lets the user choose how to sign in. `undefined`: the user chooses nothing, or cannot be asked. */
export type ChooseSignIn = (methods: readonly AuthMethod[]) => Promise<ChosenSignIn | undefined>;
