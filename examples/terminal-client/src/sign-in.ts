import { type AcpClient, isAuthRequired, signInKind } from "@editwire/acp";
import { assignKeys, chooseByKey } from "./choices.js";
import { describeProblem, SignInNeeded } from "./render/failure.js";
import { oneLine } from "./render/sanitize.js";
import type { Terminal } from "./terminal.js";

/** Milliseconds that the user has to sign in, perhaps in a browser. */
const signInMs = 600_000;

/** Signs in by one of the agent's ways, and says so. Rejects with the agent's error. */
export async function signIn(agent: AcpClient, methodId: string, { screen, colors }: Terminal): Promise<void> {
  const method = agent.info.authMethods?.find(({ id }) => id === methodId);
  const name = oneLine(method?.name ?? methodId);
  screen.wait(colors.dim(`signing in: ${name}`));
  await agent.authenticate(methodId, { timeoutMs: signInMs });
  screen.print("note", [`${colors.dim("signed in")} ${name}`]);
}

/**
 * Does what the agent may refuse until the user has signed in. The user then signs in by `methodId`, or by a way that
 * is chosen at the keyboard, and it is done once more. Rejects with `SignInNeeded` when the user does not sign in, or
 * the agent still refuses.
 */
export async function signedIn<T>(
  agent: AcpClient,
  methodId: string | undefined,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  const refusable = async (): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw isAuthRequired(error) ? new SignInNeeded(error, agent.info.authMethods ?? []) : error;
    }
  };
  try {
    return await refusable();
  } catch (error) {
    if (!(error instanceof SignInNeeded)) throw error;
    const chosen = methodId ?? (await choose(error, terminal));
    if (chosen === undefined) throw error;
    await signIn(agent, chosen, terminal);
    return refusable();
  }
}

/** Asks at the keyboard for one of the ways that need nothing but the agent. */
async function choose(
  { refusal, methods }: SignInNeeded,
  { keyboard, screen, colors, interrupts }: Terminal,
): Promise<string | undefined> {
  const ways = methods.filter((method) => signInKind(method) === "agent");
  if (keyboard === undefined || ways.length === 0) return undefined;
  screen.print("sign-in", describeProblem(refusal, colors));
  const options = [
    ...ways.map(({ id, name }) => ({ id, name: `Sign in: ${name}` })),
    { id: undefined, name: "Not now" },
  ];
  const choices = assignKeys<{ readonly id: string | undefined; readonly name: string }>(options, ({ id }) =>
    id === undefined ? "n" : undefined,
  );
  const chosen = await chooseByKey(keyboard, choices, screen, colors, interrupts.quit, "Quit");
  screen.continue([colors.dim(`  └ ${oneLine(chosen?.name ?? "quit")}`)]);
  return chosen?.id;
}
