import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { Marker } from "../capabilities.js";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath, SessionId } from "../session-id.js";
import { TurnUsage } from "./usage.js";

/** Operations that the client may perform on the session of a subagent. */
export interface SubagentSessionCapabilities extends Extensible {
  /** Cancel its work. */
  cancel?: Marker | undefined;
}
export const SubagentSessionCapabilities = schemaFor<SubagentSessionCapabilities>()(
  z.looseObject({ cancel: z.optional(Marker), _meta: meta }),
);

/** The subagent works, or waits for the user. `unknown`: the agent cannot tell. */
export interface BusyState extends Extensible {
  state: "running" | "requires_action" | "unknown";
}

/** The subagent can take another prompt. */
export interface IdleState extends Extensible {
  state: "idle";
  /** A reason of `session/prompt`, `error`, or a word of the agent's own. Absent: the agent does not say. */
  stopReason?: string | undefined;
  usage?: TurnUsage | undefined;
  /** Of a `stopReason` that is `error`, as in JSON-RPC. */
  error?: StateError | undefined;
}

/** Why the work of a subagent failed. */
export interface StateError extends Extensible {
  code: number;
  message: string;
  data?: unknown;
}

/** A state that this version does not know. */
export interface OtherState extends Extensible {
  state: UnknownTag;
}

/** The state of a subagent. Each state replaces the previous one completely. */
export type SubagentState = BusyState | IdleState | OtherState;

const stateError = z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) });
const busy = <S extends "running" | "requires_action" | "unknown">(state: S) =>
  z.looseObject({ state: z.literal(state), _meta: meta });

export const SubagentState = openUnion<SubagentState>("state", {
  running: busy("running"),
  requires_action: busy("requires_action"),
  unknown: busy("unknown"),
  idle: z.looseObject({
    state: z.literal("idle"),
    stopReason: z.optional(z.string()),
    usage: z.optional(TurnUsage),
    error: z.optional(stateError),
    _meta: meta,
  }),
});

/**
 * The session has started another one, a subagent, or tells what is new about it; for clients with `subagents`. An
 * absent field is unchanged, and null clears it.
 */
export interface SubagentUpdate extends Extensible {
  sessionUpdate: "subagent_update";
  /** The subagent's own. */
  sessionId: string;
  title?: string | null | undefined;
  description?: string | null | undefined;
  capabilities?: SubagentSessionCapabilities | null | undefined;
  state?: SubagentState | null | undefined;
  /** The subagent's working directory, absolute. */
  cwd?: string | null | undefined;
  additionalDirectories?: string[] | null | undefined;
}
export const SubagentUpdate = schemaFor<SubagentUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("subagent_update"),
    sessionId: SessionId,
    title: z.optional(z.nullable(z.string())),
    description: z.optional(z.nullable(z.string())),
    capabilities: z.optional(z.nullable(SubagentSessionCapabilities)),
    state: z.optional(z.nullable(SubagentState)),
    cwd: z.optional(z.nullable(absolutePath)),
    additionalDirectories: z.optional(z.nullable(z.array(absolutePath))),
    _meta: meta,
  }),
);
