import type { ChatConfig, ChatPromptParams, ChatPromptResult, Eca, EcaTraits } from "@editwire/eca-schema";
import type { CallOptions, Connection, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import type { AskOptions, SessionLink } from "@editwire/session";
import type { ChoiceKind } from "./client-choices.js";
import type { EcaUpdateEvent } from "./client-events.js";
import type { EcaPermissionHandler } from "./client-permission.js";
import type { ClientSession } from "./client-session.js";
import type { EcaSession } from "./client-session-api.js";

/** What a session needs of its connection. */
export interface ClientLink extends Pick<Connection<Eca, "client">, "notify">, SessionLink {
  /** Asks the server, for at most the connection's `timeoutMs` unless the options say otherwise. */
  ask<N extends RequestName<Eca, "client">>(
    method: N,
    params: ParamsOf<Eca, N>,
    options: AskOptions,
  ): Promise<ResultOf<Eca, N>>;
  /** Sends a prompt, and gives the session what is received for it, however early. */
  prompt(
    session: ClientSession,
    params: ChatPromptParams,
    options: Pick<CallOptions, "signal" | "onReply">,
  ): Promise<ChatPromptResult>;
  /**
   * Runs what makes the server open a new session, and returns that session. Throws `WireError("invalid_result")` when
   * there is none.
   */
  opened(method: string, action: () => Promise<unknown>): Promise<ClientSession>;
  /** Those of the server's dialect. */
  readonly traits: EcaTraits;
  /** The configuration of all sessions. */
  readonly config: ChatConfig;
  /** Calls `listener` when that has changed. Returns a function that ends this. */
  onConfig(listener: () => void): () => void;
  /** What the user selected for all sessions. */
  readonly chosen: Set<ChoiceKind>;
  /** Makes the id of a prompt. */
  newRequestId(): string;
  readonly permission: EcaPermissionHandler;
  readonly onUpdate: (event: EcaUpdateEvent, session: EcaSession) => void;
}
