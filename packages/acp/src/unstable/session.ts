import type { ContentBlock, Meta, SessionUpdate } from "@editwire/acp-schema";
import type {
  AcpUnstable,
  AuthStatus,
  IdentifiedPlan,
  SessionMessage,
  SubagentUpdate,
  UnstableUpdate,
} from "@editwire/acp-schema/unstable";
import { type Connection, RemoteError } from "@editwire/core";
import type { AcpAgentConnection } from "../agent/api.js";
import type { AgentSession } from "../agent/session.js";
import type { AcpAgentSession } from "../agent/session-api.js";

/** How a request is sent to an MCP server that the client provides. */
export interface McpCallOptions {
  /** Aborting it cancels the request. */
  signal?: AbortSignal | undefined;
  /** The `_meta` of the message around it. */
  _meta?: Meta | undefined;
}

/** The fields of an update without its kind. */
type Fields<U extends { sessionUpdate: string }> = { [K in keyof U as K extends "sessionUpdate" ? never : K]: U[K] };

/**
 * The unstable methods of an agent's session. Each method throws `WireError("invalid_params")`, before anything is
 * sent, for a client that does not declare it.
 */
export interface AcpUnstableSession {
  /** Sends a plan; it replaces the one of the same `planId` (`plan_update`). */
  plan(plan: IdentifiedPlan): void | Promise<void>;
  /** `plan_removed`. */
  removePlan(planId: string): void | Promise<void>;
  /** Tells of a session that this one has started (`subagent_update`). */
  subagent(update: Fields<SubagentUpdate>): void | Promise<void>;
  /** Tells of a message between sessions (`session_message`). */
  message(message: Fields<SessionMessage>): void | Promise<void>;
  /** Adds a piece to such a message (`session_message_chunk`). */
  messageChunk(messageId: string, content: ContentBlock): void | Promise<void>;
  /**
   * Sends a request to an MCP server of the type `acp`, and resolves with its result. Rejects with a `RemoteError`: the
   * server's, or one of the connection such as -33001 for a server that the client does not have.
   */
  mcp(serverId: string, method: string, params?: Record<string, unknown>, options?: McpCallOptions): Promise<unknown>;
}

/** The unstable part of a session of an agent that is served with the options of `unstableAgent`. */
export function unstableSessionOf(session: AcpAgentSession): AcpUnstableSession {
  const { owner } = session as AgentSession;
  const send = (update: UnstableUpdate): void | Promise<void> => session.update(update as unknown as SessionUpdate);
  return {
    plan: (plan) => send({ sessionUpdate: "plan_update", plan }),
    removePlan: (planId) => send({ sessionUpdate: "plan_removed", planId }),
    subagent: (update) => send({ sessionUpdate: "subagent_update", ...update } as SubagentUpdate),
    message: (message) => send({ sessionUpdate: "session_message", ...message } as SessionMessage),
    messageChunk: (messageId, content) => send({ sessionUpdate: "session_message_chunk", messageId, content }),
    async mcp(serverId, method, params, { signal, _meta } = {}) {
      const connection = owner.connection() as unknown as Connection<AcpUnstable, "agent">;
      const more = { ...(params === undefined ? {} : { params }), ...(_meta === undefined ? {} : { _meta }) };
      const message = { serverId, requestId: crypto.randomUUID(), method, ...more };
      const answer = await connection.request("mcp/message", message, { signal, settle: "now" });
      if (Object.hasOwn(answer, "result")) return answer["result"];
      const {
        code,
        message: text,
        data,
      } = (answer as { error: { code: number; message: string; data?: unknown } }).error;
      throw new RemoteError(code, text, data);
    },
  };
}

/** Tells the client which accounts the agent has now (`auth/status_update`). */
export function reportAuthStatus(agent: AcpAgentConnection, status: AuthStatus): void | Promise<void> {
  const connection = agent.connection as unknown as Connection<AcpUnstable, "agent">;
  return connection.notify("auth/status_update", status);
}
