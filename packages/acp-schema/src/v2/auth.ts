import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { NameValue } from "../mcp-servers.js";
import { text } from "./patch.js";

interface AuthMethodBase extends Extensible {
  methodId: string;
  name: string;
  description?: string | undefined;
}
const base = { methodId: z.string(), name: z.string(), description: text, _meta: meta };

/** The agent signs the user in by itself, after `auth/login`. */
export interface AgentAuthMethod extends AuthMethodBase {
  type: "agent";
}

/**
 * The client runs the agent's program once more, at a terminal, and exit code 0 means success; for clients with
 * `auth.terminal`. It is never passed to `auth/login`.
 */
export interface TerminalAuthMethod extends AuthMethodBase {
  type: "terminal";
  /** Appended to the arguments of the agent's command. */
  args?: string[] | undefined;
  /** Environment variables to add. */
  env?: NameValue[] | undefined;
}

/** A way to sign in of a type that this version does not know. */
export interface UnknownAuthMethod extends AuthMethodBase {
  type: UnknownTag;
}

/** A way to sign in. An agent with at least one of them has `auth/login` and `auth/logout`. */
export type V2AuthMethod = AgentAuthMethod | TerminalAuthMethod | UnknownAuthMethod;
const methods = {
  agent: schemaFor<AgentAuthMethod>()(z.looseObject({ type: z.literal("agent"), ...base })),
  terminal: schemaFor<TerminalAuthMethod>()(
    z.looseObject({
      type: z.literal("terminal"),
      ...base,
      args: z.optional(z.array(z.string())),
      env: z.optional(z.array(NameValue)),
    }),
  ),
};
export const V2AuthMethod = openUnion<V2AuthMethod>("type", methods, z.looseObject({ type: z.string(), ...base }));
