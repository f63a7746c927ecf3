import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";

/** An account or a key that the agent has, for display only. */
export interface AuthAccount extends Extensible {
  /** Can be shown by itself, such as `OpenAI API key`. */
  label: string;
  /** Whether the agent uses it now. */
  active?: boolean | undefined;
  /** Of the user. */
  name?: string | undefined;
  email?: string | undefined;
  organization?: string | undefined;
}
export const AuthAccount = schemaFor<AuthAccount>()(
  z.looseObject({
    label: z.string(),
    active: z.optional(z.boolean()),
    name: z.optional(z.string()),
    email: z.optional(z.string()),
    organization: z.optional(z.string()),
    _meta: meta,
  }),
);

/** Whether the agent can start sessions, and with which accounts. */
export interface AuthStatus extends Extensible {
  /** `authenticated`, `unauthenticated`, `not_required` or `unknown`, which any other word means, too. */
  state: string;
  accounts?: AuthAccount[] | undefined;
}
export const AuthStatus = schemaFor<AuthStatus>()(
  z.looseObject({ state: z.string(), accounts: z.optional(z.array(AuthAccount)), _meta: meta }),
);
