import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";

/** A variable that an agent reads its credentials from. */
export interface AuthVariable extends Extensible {
  /** Of the environment variable, such as `OPENAI_API_KEY`. */
  name: string;
  /** The name that the user sees. */
  label?: string | undefined;
  /** Whether to hide what is typed. Default true. */
  secret?: boolean | undefined;
  /** Whether the agent also works without it. Default false. */
  optional?: boolean | undefined;
}
export const AuthVariable = schemaFor<AuthVariable>()(
  z.looseObject({
    name: z.string(),
    label: z.optional(z.string()),
    secret: z.optional(z.boolean()),
    optional: z.optional(z.boolean()),
    _meta: meta,
  }),
);

/** A way to sign in. The specification's own agent offers none. */
export interface AuthMethod extends Extensible {
  id: string;
  name?: string | undefined;
  description?: string | undefined;
  /**
   * Absent: the agent handles it itself, after `authenticate`. `terminal`: the client runs the agent's command at a
   * terminal, with `args` and `env`, for clients with `auth.terminal` (version 1). `env_var`: the client starts the
   * agent with `vars` in its environment; a draft of version 1 that agents use.
   */
  type?: string | undefined;
  /** Appended to the arguments of the agent's command. */
  args?: string[] | undefined;
  /** Environment variables to set. */
  env?: Record<string, string> | undefined;
  /** The variables whose values the user enters. */
  vars?: AuthVariable[] | undefined;
  /** Where the user gets what `vars` asks for. */
  link?: string | undefined;
}
export const AuthMethod = schemaFor<AuthMethod>()(
  z.looseObject({
    id: z.string(),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    type: z.optional(z.string()),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(z.string(), z.string())),
    vars: z.optional(z.array(AuthVariable)),
    link: z.optional(z.string()),
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
