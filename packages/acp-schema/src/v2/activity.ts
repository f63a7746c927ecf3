import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import { text } from "./patch.js";

/** A program that runs in a terminal. */
export interface BackgroundTerminal extends Extensible {
  type: "terminal";
  terminalId: string;
}

/** A tool call that runs outside of a terminal. */
export interface BackgroundToolCall extends Extensible {
  type: "tool_call";
  toolCallId: string;
}

/** A subagent (crate schema 1.20). */
export interface BackgroundSubagent extends Extensible {
  type: "subagent";
  sessionId: string;
}

/** Work of a type that this version does not know. It runs, too. */
export interface UnknownBackgroundWork extends Extensible {
  type: UnknownTag;
}

/** Something that runs beside the foreground work of a session (prompt-lifecycle#background-work). */
export type BackgroundWork = BackgroundTerminal | BackgroundToolCall | BackgroundSubagent | UnknownBackgroundWork;
export const BackgroundWork = openUnion<BackgroundWork>("type", {
  terminal: schemaFor<BackgroundTerminal>()(
    z.looseObject({ type: z.literal("terminal"), terminalId: z.string(), _meta: meta }),
  ),
  tool_call: schemaFor<BackgroundToolCall>()(
    z.looseObject({ type: z.literal("tool_call"), toolCallId: z.string(), _meta: meta }),
  ),
  subagent: schemaFor<BackgroundSubagent>()(
    z.looseObject({ type: z.literal("subagent"), sessionId: SessionId, _meta: meta }),
  ),
});

interface ActivityBase extends Extensible {
  /** All work in the background. Absent: the agent does not say, which is not the same as none. */
  background?: BackgroundWork[] | undefined;
}

/** Foreground work goes on, or waits for the user. `unknown`: the agent cannot tell (crate schema 1.20). */
export interface BusyActivity extends ActivityBase {
  state: "running" | "requires_action" | "unknown";
}

/** Why foreground work failed, as in JSON-RPC. */
export interface ActivityError extends Extensible {
  code: number;
  message: string;
  data?: unknown;
}
const activityError = z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) });

/** No foreground work. Background work may go on. */
export interface IdleActivity extends ActivityBase {
  state: "idle";
  /**
   * Why the last work ended: `end_turn`, `max_tokens`, `max_turn_requests`, `refusal`, `cancelled`, `error`, or a word
   * of the agent's own. Absent: the agent does not say. A repeated snapshot may repeat it.
   */
  stopReason?: string | undefined;
  /** Of the reason `error`. */
  error?: ActivityError | undefined;
}

/** A state that this version does not know. It counts as busy, never as idle. */
export interface UnknownActivity extends Extensible {
  state: UnknownTag;
}

/** The work of a session in the foreground: a snapshot of the whole session, not of one prompt. */
export type SessionActivity = BusyActivity | IdleActivity | UnknownActivity;

/** The schema of an activity, with further fields. */
function activity<T>(further: z.core.$ZodLooseShape) {
  const base = { background: z.optional(z.array(BackgroundWork)), _meta: meta };
  const busy = (state: BusyActivity["state"]) => z.looseObject({ ...further, state: z.literal(state), ...base });
  const idle = { state: z.literal("idle"), stopReason: text, error: z.optional(activityError), ...base };
  const states = {
    running: busy("running"),
    requires_action: busy("requires_action"),
    unknown: busy("unknown"),
    idle: z.looseObject({ ...further, ...idle }),
  };
  return openUnion<T>("state", states, z.looseObject({ ...further, state: z.string() }));
}

export const SessionActivity = activity<SessionActivity>({});

/** The session's activity is another one, or the same (prompt-lifecycle#session-states). */
export type StateUpdate = { sessionUpdate: "state_update" } & SessionActivity;
export const StateUpdate = activity<StateUpdate>({ sessionUpdate: z.literal("state_update") });
