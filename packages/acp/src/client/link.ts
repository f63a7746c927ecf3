import type { Acp } from "@editwire/acp-schema";
import type { Connection, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import type { SessionLink } from "@editwire/session";
import type { AcpAnswer } from "../shared/answer.js";
import type { Demands } from "../shared/capabilities.js";
import type { AcpAskOptions, AcpSession, AcpUpdateListener } from "./session-api.js";
import type { AcpPermissionHandler } from "./permission.js";

/** What a session needs of its connection. */
export interface ClientLink extends Pick<Connection<Acp, "client">, "request" | "notify">, SessionLink {
  /** Asks the agent, for at most the connection's `timeoutMs` unless the options say otherwise. */
  ask<N extends RequestName<Acp, "client">>(
    method: N,
    params: ParamsOf<Acp, N>,
    options: AcpAskOptions,
  ): Promise<ResultOf<Acp, N>>;
  /** Forgets a session, and tells an agent that has `session/close`. */
  closeSession(session: AcpSession, options: AcpAskOptions): Promise<AcpAnswer>;
  /** The methods of the connection, with those of its extension. */
  readonly methods: object;
  /** What is demanded of the agent's capabilities. */
  readonly demands: Demands;
  readonly permission: AcpPermissionHandler;
  readonly onUpdate: AcpUpdateListener;
}
