import type { ChatConfig, Eca, EcaTraits } from "@editwire/eca-schema";
import type { Connection, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import type { AskOptions, SessionLink } from "@editwire/session";
import type { EcaUpdateEvent } from "./events.js";
import type { EcaPermissionHandler, EcaSession } from "./session-api.js";

/** The parts of a connection that a client uses. */
export interface ClientLink extends Pick<Connection<Eca, "client">, "notify">, SessionLink {
  /** Asks the server, for at most the connection's `timeoutMs` unless the options say otherwise. */
  ask<N extends RequestName<Eca, "client">>(
    method: N,
    params: ParamsOf<Eca, N>,
    options: AskOptions,
  ): Promise<ResultOf<Eca, N>>;
  /** Those of the server's dialect. */
  readonly traits: EcaTraits;
  /** The configuration of all sessions. */
  readonly config: ChatConfig;
  /** Calls `listener` when that has changed. Returns a function that ends this. */
  onConfig(listener: () => void): () => void;
  /** Makes the id of a prompt. */
  newRequestId(): string;
  readonly permission: EcaPermissionHandler;
  readonly onUpdate: (event: EcaUpdateEvent, session: EcaSession) => void;
}
