import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AuthMethod } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import type { AskOptions } from "@editwire/session";
import { resolveCommand, type SpawnOptions } from "@editwire/transport/node";
import type { AcpClient } from "../client/api.js";
import { signInKind, type AcpSignInVariable, signInVariables } from "../shared/sign-in.js";

/** The agent's own program, with which the user signs in at a terminal. */
export interface AcpSignInCommand {
  readonly argv: readonly string[];
  readonly cwd: string | undefined;
  /** All variables of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly method: AuthMethod;
}

/**
 * How the user signs in to an agent that this process starts. Only the ways that are given here are declared to the
 * agent.
 */
export interface AcpSignIn {
  /**
   * Runs the program at a terminal that the user sees. Resolves with its exit code when it has ended; `null` when it
   * was killed. Absent: methods of this kind are not offered. `inheritedTerminal` uses the terminal of this process.
   */
  terminal?:
    | ((command: AcpSignInCommand, context: { readonly signal: AbortSignal | undefined }) => Promise<number | null>)
    | undefined;
  /** Asks the user for the values of variables. `undefined`: the user did not answer. */
  variables?:
    | ((
        variables: readonly AcpSignInVariable[],
        context: { readonly method: AuthMethod; readonly signal: AbortSignal | undefined },
      ) => Promise<Readonly<Record<string, string>> | undefined>)
    | undefined;
}

/** Runs the program at the terminal of this process, for programs that have one. */
export const inheritedTerminal: NonNullable<AcpSignIn["terminal"]> = async ({ argv, cwd, env }, { signal }) => {
  const { file, args, windowsVerbatimArguments } = resolveCommand(argv, { cwd, env });
  const child = spawn(file, args, { cwd, env, windowsVerbatimArguments, stdio: "inherit", signal });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
};

/** How a client was started. */
interface Start<Client> {
  readonly argv: readonly string[];
  readonly options: Pick<SpawnOptions, "cwd" | "env" | "inheritEnv"> & { readonly signIn?: AcpSignIn | undefined };
  /** Starts the agent again, with further variables, and ends it as it was. */
  restart(env: Readonly<Record<string, string>>): Promise<Client>;
}

/**
 * Signs in by a method of the agent. Resolves with the client to go on with: the same one, or that of an agent which
 * was started again because its credentials have changed.
 */
export async function signIn<Client extends AcpClient>(
  client: Client,
  methodId: string,
  options: AskOptions,
  start: Start<Client>,
): Promise<Client> {
  const method = client.info.authMethods?.find(({ id }) => id === methodId);
  if (method === undefined) throw refused(methodId, "the agent does not offer it");
  switch (signInKind(method)) {
    case "agent":
      await client.authenticate(methodId, options);
      return client;
    case "terminal":
      await atTerminal(method, options.signal, start);
      return start.restart({});
    case "env_var":
      return start.restart(await valuesOf(method, options.signal, start.options.signIn));
    case "unknown":
      throw refused(methodId, `this version does not know the type "${method.type}"`);
  }
}

function refused(methodId: string, why: string): WireError {
  return new WireError("invalid_params", `signIn: ${methodId}: ${why}`);
}

async function atTerminal(
  method: AuthMethod,
  signal: AbortSignal | undefined,
  { argv, options }: Pick<Start<unknown>, "argv" | "options">,
): Promise<void> {
  const run = options.signIn?.terminal;
  if (run === undefined) throw refused(method.id, "the options have no signIn.terminal");
  const { args = [], env = {} } = method;
  const inherited = options.inheritEnv === false ? {} : process.env;
  const all = Object.entries({ ...inherited, ...options.env, ...env }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const command = { argv: [...argv, ...args], cwd: options.cwd, env: Object.fromEntries(all), method };
  const exitCode = await run(command, { signal });
  if (exitCode !== 0) {
    const how = exitCode === null ? "was killed" : `ended with exit code ${exitCode}`;
    throw new WireError("closed", `signIn: ${method.id}: the agent's program ${how}`, { data: { exitCode } });
  }
}

async function valuesOf(
  method: AuthMethod,
  signal: AbortSignal | undefined,
  using: AcpSignIn | undefined,
): Promise<Readonly<Record<string, string>>> {
  const variables = signInVariables(method);
  if (using?.variables === undefined) throw refused(method.id, "the options have no signIn.variables");
  const values = await using.variables(variables, { method, signal });
  if (values === undefined) throw new WireError("aborted", `signIn: ${method.id}: the user did not answer`);
  const missing = variables.find(({ name, optional }) => !optional && (values[name] ?? "") === "");
  if (missing !== undefined) throw refused(method.id, `${missing.name} has no value`);
  // Only what the agent asked for reaches its environment.
  return Object.fromEntries(variables.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : [])));
}
