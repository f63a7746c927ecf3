import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import type { AgentEvent } from "./answer.js";
import { type Extensible, id } from "./extensible.js";

// Messages with which a host tests an editor. A host for users does not send them.

/** 2026: enters a message in the editor, as its user does ("simulate_user_input"). */
export interface SimulateUserInputParams extends Extensible {
  /** The thread to write in. Default: a new one. */
  acp_thread_id?: string | null | undefined;
  message: string;
  request_id: string;
  agent_name?: string | undefined;
}
export const SimulateUserInputParams = schemaFor<SimulateUserInputParams>()(
  z.looseObject({
    acp_thread_id: z.optional(z.nullable(z.string())),
    message: z.string(),
    request_id: id,
    agent_name: z.optional(z.string()),
  }),
);

/** 2026: asks what the editor shows; `ui_state_response` answers ("query_ui_state"). */
export interface QueryUiStateParams extends Extensible {
  /** Unique; the answer echoes it. */
  query_id: string;
}
export const QueryUiStateParams = schemaFor<QueryUiStateParams>()(z.looseObject({ query_id: id }));

/** 2026: what the editor shows ("ui_state_response"). */
export interface UiStateResponseParams extends AgentEvent {
  /** The id of the `query_ui_state`, echoed. */
  query_id: string;
  /** The view that is open, such as `agent_thread`. */
  active_view: string;
  /** The thread that the view shows. */
  thread_id?: string | null | undefined;
  /** Entries of that thread. */
  entry_count: number;
  /** The MCP servers by their names. */
  mcp_servers: Record<string, unknown>;
  active_model?: string | null | undefined;
}
export const UiStateResponseParams = schemaFor<UiStateResponseParams>()(
  z.looseObject({
    session_id: z.string(),
    query_id: id,
    active_view: z.string(),
    thread_id: z.optional(z.nullable(z.string())),
    entry_count: z.int().check(z.gte(0)),
    mcp_servers: z.record(z.string(), z.unknown()),
    active_model: z.optional(z.nullable(z.string())),
  }),
);
