import type { Acp } from "@editwire/acp-schema";
import type { Connection, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import type { SessionLink } from "@editwire/session";
import type { AcpAnswer } from "../shared/confirmation.js";
import type { Demands } from "../shared/capabilities.js";
import type { AcpAskOptions, AcpSession, AcpUpdateListener } from "./session-api.js";
import type { AcpPermissionHandler } from "./permission.js";

/** The parts of a connection that a session uses. */
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
  /** Checks the capabilities that the agent must have declared. */
  readonly demands: Demands;
  readonly permission: AcpPermissionHandler;
  readonly onUpdate: AcpUpdateListener;
}
