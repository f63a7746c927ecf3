import type { AuthMethod } from "@editwire/acp-schema";

/**
 * How the user signs in. `agent`: by `client.authenticate`. `terminal`: by the agent's own program at a terminal.
 * `env_var`: by starting the agent with variables. `unknown`: in a way that this version does not know.
 */
export type AcpSignInKind = "agent" | "terminal" | "env_var" | "unknown";

/** The kind of one of `info.authMethods`. */
export function signInKind({ type }: AuthMethod): AcpSignInKind {
  if (type === undefined || type === "agent") return "agent";
  return type === "terminal" || type === "env_var" ? type : "unknown";
}

/** A variable that the user is asked for. */
export interface AcpSignInVariable {
  readonly name: string;
  /** The name that the user sees. */
  readonly label: string;
  /** Whether to hide what is typed. */
  readonly secret: boolean;
  readonly optional: boolean;
}

/** The variables that the user is asked for, by a method of the kind `env_var`. */
export function signInVariables({ vars = [] }: AuthMethod): AcpSignInVariable[] {
  return vars.map(({ name, label = name, secret = true, optional = false }) => ({ name, label, secret, optional }));
}
