import type {
  Acp,
  ClientCapabilities,
  ContentBlock,
  Meta,
  PermissionOption,
  PermissionOptionKind,
  SessionUpdate,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { CallOptions, Connection, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import type { Demands } from "../shared/capabilities.js";

/** How the user, or the client for them, answered a permission request. */
export type AcpPermissionDecision =
  | {
      readonly outcome: "selected";
      readonly optionId: string;
      readonly kind: PermissionOptionKind;
      readonly allowed: boolean;
      /** The `_meta` of the answer. */
      readonly _meta?: Meta | undefined;
    }
  | { readonly outcome: "cancelled"; readonly allowed: false; readonly _meta?: Meta | undefined };

/** A question to the user. */
export interface AskedPermission {
  readonly sessionId: string;
  readonly toolCall: ToolCallUpdate;
  readonly options: readonly PermissionOption[];
  readonly _meta: Meta | undefined;
}

/** The client that opened or last loaded a session. Its updates and permission requests go there. */
export interface SessionClient {
  /** True when its connection is closed. */
  readonly gone: boolean;
  /** Whose client it is, as `authenticate` of the listener says. */
  readonly caller: string | undefined;
  /** The capabilities that the client declared. */
  readonly capabilities: ClientCapabilities;
  readonly demands: Demands;
  /** The connection to it. */
  connection(): Connection<Acp, "agent">;
  /** Says whether the client takes an update. */
  shows(update: SessionUpdate): boolean;
  request<N extends RequestName<Acp, "agent">>(
    method: N,
    params: ParamsOf<Acp, N>,
    options: CallOptions,
  ): Promise<ResultOf<Acp, N>>;
  update(sessionId: string, update: SessionUpdate): void | Promise<void>;
  /** The message of a prompt is in the conversation from here on. */
  inserted(sessionId: string, prompt: readonly ContentBlock[], messageId: string): void;
  /** Rejects with `aborted` when the signal aborts. */
  askPermission(asked: AskedPermission, signal: AbortSignal): Promise<AcpPermissionDecision>;
}
