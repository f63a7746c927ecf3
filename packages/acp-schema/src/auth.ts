import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";

/** A way to sign in. The specification's own agent offers none. */
export interface AuthMethod extends Extensible {
  id: string;
  name?: string | undefined;
  description?: string | undefined;
  /**
   * Absent: the agent handles it itself, after `authenticate`. `terminal`: the client runs the agent's command at a
   * terminal, with `args` and `env`, for clients with `auth.terminal` (version 1).
   */
  type?: string | undefined;
  /** Appended to the arguments of the agent's command. */
  args?: string[] | undefined;
  /** Environment variables to set. */
  env?: Record<string, string> | undefined;
}
export const AuthMethod = schemaFor<AuthMethod>()(
  z.looseObject({
    id: z.string(),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    type: z.optional(z.string()),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(z.string(), z.string())),
    _meta: meta,
  }),
);

/** Signs in by one of `authMethods` (section 5.2). */
export interface AuthenticateParams extends Extensible {
  methodId: string;
}
export const AuthenticateParams = schemaFor<AuthenticateParams>()(z.looseObject({ methodId: z.string(), _meta: meta }));

/** Signs out; the agent's sessions may then demand `authenticate` again (version 1). */
export interface LogoutParams extends Extensible {}
export const LogoutParams = schemaFor<LogoutParams>()(z.looseObject({ _meta: meta }));
