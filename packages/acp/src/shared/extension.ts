import { acp, type Acp } from "@editwire/acp-schema";
import {
  type Connection,
  defineProtocol,
  type Handlers,
  type MethodDef,
  type Methods,
  type Protocol,
} from "@editwire/core";
import type { AcpAgentConnection } from "../agent/api.js";
import type { AgentSession } from "../agent/session.js";
import type { AcpAgentSession } from "../agent/session-api.js";
import type { AcpClient } from "../client/api.js";
import type { AcpServedExtension, Roles } from "./served-extension.js";

/** The methods of an extension alone, as a protocol: for the types of its calls and handlers. */
export type AcpExtensionProtocol<M> = Protocol<Roles, M>;

/** Methods that ACP does not have, typed and validated in both roles as those of ACP are. */
export interface AcpExtension<M> {
  /** For the options of a client, with handlers of what agents send. */
  client(handlers: Handlers<AcpExtensionProtocol<M>, "client">): AcpServedExtension<"client">;
  /** For the options of an agent, with handlers of what clients send. */
  agent(handlers: Handlers<AcpExtensionProtocol<M>, "agent">): AcpServedExtension<"agent">;
  /**
   * The calls of the extension to the other side. Its methods throw `WireError("invalid_params")` when the connection
   * was opened without the extension.
   */
  of(client: AcpClient): AcpExtensionCalls<M, "client">;
  /** As above; that of a session goes to the client that opened or last loaded it. */
  of(agent: AcpAgentConnection | AcpAgentSession): AcpExtensionCalls<M, "agent">;
}

/** Typed calls of an extension's methods. */
export type AcpExtensionCalls<M, Self extends Roles> = Pick<
  Connection<AcpExtensionProtocol<M>, Self>,
  "request" | "notify"
>;

/**
 * Declares the methods of a vendor: their names begin with `_`, as those of ACP never do. Rows are made with `request`
 * and `notification` of `@editwire/core`. Throws a `TypeError` for another name. A peer without the extension answers
 * its requests with -32601, and ignores its notifications.
 */
export function defineAcpExtension<M extends Methods<M>>(methods: M): AcpExtension<M> {
  for (const name of Object.keys(methods))
    if (!name.startsWith("_"))
      throw new TypeError(`defineAcpExtension: expected a name that begins with "_", received "${name}"`);
  const rows: Record<string, MethodDef> = { ...acp.methods, ...(methods as Record<string, MethodDef>) };
  const protocol = defineProtocol({ ...acp, methods: rows }) as unknown as Acp;
  const calls = (target: AcpClient | AcpAgentConnection | AcpAgentSession): unknown =>
    "connection" in target ? target.connection : (target as AgentSession).owner.connection();
  return {
    client: (handlers) => ({ self: "client", protocol, handlers }),
    agent: (handlers) => ({ self: "agent", protocol, handlers }),
    of: calls as AcpExtension<M>["of"],
  };
}
