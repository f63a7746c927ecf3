import { type AuthMethod, isAuthRequired, signInKind, signInVariables } from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import type { AgentDefinition } from "../api/definition.js";
import type { ChooseSignIn } from "../api/session.js";

/**
 * Does what the agent may refuse until the user has signed in, in a protocol that has no message for signing in. The
 * user then chooses how, among the ways that the agent handles itself, and it is done again. Rejects with an error that
 * names all ways when the user chooses none.
 */
export async function signedIn<T>(
  definition: AgentDefinition,
  work: () => Promise<T>,
  choose: ChooseSignIn,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
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
    return work();
  }
}

/** The name of a way to sign in, for the user. */
export function nameOfMethod({ name, id }: AuthMethod): string {
  return name ?? id;
}

/** Agents also use the code of this error for failures of other kinds. */
const asksToSignIn = /auth|sign(ed)?.?(in|out)|log(ged)?.?(in|out)|credential|api.?key/i;

/** The agent's error, with what the user can do. */
function notSignedIn(error: RemoteError, methods: readonly AuthMethod[]): RemoteError {
  const { code, message, data } = error;
  if (methods.length === 0 && !asksToSignIn.test(message)) return error;
  const ways = methods.map((method) => {
    const variables = signInVariables(method).map(({ name }) => name);
    return variables.length === 0 ? nameOfMethod(method) : `${nameOfMethod(method)} (set ${variables.join(", ")})`;
  });
  const how = ways.length === 0 ? "with the agent's own program" : `by ${ways.join(", or by ")}`;
  return new RemoteError(code, `${message}: sign in ${how}`, data);
}
