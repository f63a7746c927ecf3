import type {
  AcpResult,
  ClientCapabilities,
  McpServer,
  Meta,
  PermissionOption,
  SessionConfigOption,
  SessionUpdate,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { AcpAgentClient, AcpElicitationQuestion } from "./client-services.js";
import type { AcpPermissionDecision } from "./session-client.js";

/** A session as an agent's handlers see it. */
export interface AcpAgentSession {
  readonly id: string;
  /**
   * Whose session it is: what `authenticate` of the listener returned, `undefined` without it. For others it does not
   * exist.
   */
  readonly caller: string | undefined;
  /** Absolute path, as the client gave it. */
  readonly cwd: string;
  /** Further folders, as the client gave them; in the official dialect. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the client asked for, of the types that the agent's capabilities declare; stdio always. */
  readonly mcpServers: readonly McpServer[];
  /** The `_meta` of the request that opened or last loaded the session. */
  readonly meta: Meta | undefined;
  /**
   * Sent once, with the next answer that opens, loads or resumes the session: set it in `newSession` or
   * `restoreSession`.
   */
  answerMeta: Meta | undefined;
  /** The id of the current mode; absent when the agent has no modes. */
  readonly modeId: string | undefined;
  /** The settings that the user can change, with their values. */
  readonly configOptions: readonly SessionConfigOption[];
  /** The session's name for the user; see `setTitle`. */
  readonly title: string | undefined;
  /** False when the connection of the session's client is closed, until another client loads the session. */
  readonly connected: boolean;
  /** The capabilities that the session's client declared. */
  readonly clientCapabilities: ClientCapabilities;
  /**
   * The services of the session's client, for work outside of turns. Its terminals are released when the session ends.
   * In `newSession`, do not await it: until that returns, the client does not know the session.
   */
  readonly client: AcpAgentClient;
  /** Says whether the client takes an update: its dialect has it, and the client declared what it takes. */
  shows(update: SessionUpdate): boolean;
  /** Values that the agent keeps with the session, as long as this process holds it. */
  readonly state: Map<string, unknown>;
  /** Aborts when the session is over here: it is closed, deleted or forgotten, or the agent is not served any more. */
  readonly signal: AbortSignal;
  /**
   * Sends an update outside of a turn. Returns a promise when the client is slow, and when the session is stored: the
   * client gets nothing that the store does not have.
   */
  update(update: SessionUpdate): void | Promise<void>;
  /**
   * Asks the user outside of a turn, as `turn.requestPermission` does. Rejects with `WireError("aborted")` when the
   * signal aborts, and with `closed` without a client. `_meta` is sent with the request.
   */
  requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
    _meta?: Meta,
  ): Promise<AcpPermissionDecision>;
  /** As `client.elicit`, until `signal` aborts. */
  elicit(question: AcpElicitationQuestion, signal: AbortSignal): Promise<AcpResult<"elicitation/create">>;
  /**
   * Tells the client that the user is done with a page that `elicit` asked to open. Throws
   * `WireError("invalid_params")` if the client did not declare `elicitation.url`.
   */
  completeElicitation(elicitationId: string): void | Promise<void>;
  /** Gives the session a title, which the client gets as a `session_info_update`; in the official dialect. */
  setTitle(title: string): void | Promise<void>;
  /**
   * The messages of the session, with those of the user: from the store, or else those that this process remembers.
   * Rejects when the store fails.
   */
  history(): Promise<readonly SessionUpdate[]>;
}
