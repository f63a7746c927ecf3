import { type AuthMethod, isAuthRequired, signInKind, signInVariables } from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import type { Agent } from "./agent.js";

/** How the user signs in. */
export interface ChosenSignIn {
  readonly method: AuthMethod;
  /** Called when the agent has signed in, or could not. */
  ended?(isSignedIn: boolean): void | Promise<void>;
}

/** Lets the user choose how to sign in. `undefined`: the user chooses nothing, or cannot be asked. */
export type ChooseSignIn = (methods: readonly AuthMethod[]) => Promise<ChosenSignIn | undefined>;

/**
 * Opens a session in a protocol that has no message for signing in. When the agent wants the user to sign in first, the
 * user chooses how, among the ways that the agent handles itself, and the session is opened then. Rejects with an error
 * that names all ways when the user chooses none.
 */
export async function signedIn<T>(agent: Agent, open: () => Promise<T>, choose: ChooseSignIn): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
    const { definition } = agent;
    const { authMethods = [] } = definition;
    const own = definition.authenticate && authMethods.filter((method) => signInKind(method) === "agent");
    const chosen = own === undefined || own.length === 0 ? undefined : await choose(own);
    if (chosen === undefined) throw notSignedIn(error, authMethods);
    try {
      await definition.authenticate?.(chosen.method.id);
    } catch (failed) {
      await chosen.ended?.(false);
      throw failed;
    }
    await chosen.ended?.(true);
    return open();
  }
}

/** What the user reads about a way to sign in. */
export function nameOfMethod({ name, id }: AuthMethod): string {
  return name ?? id;
}

/** The agent's error, with what the user can do. */
function notSignedIn({ code, message, data }: RemoteError, methods: readonly AuthMethod[]): RemoteError {
  const ways = methods.map((method) => {
    const variables = signInVariables(method).map(({ name }) => name);
    return variables.length === 0 ? nameOfMethod(method) : `${nameOfMethod(method)} (set ${variables.join(", ")})`;
  });
  const how = ways.length === 0 ? "with the agent's own program" : `by ${ways.join(", or by ")}`;
  return new RemoteError(code, `${message}: sign in ${how}`, data);
}
