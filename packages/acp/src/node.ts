import { detecting, type Framing } from "@editwire/framing";
import { type AskOptions, safeStderr, withToken } from "@editwire/session";
import type { ByteStreamOptions } from "@editwire/transport";
import {
  checkCommand,
  connectWebSocket,
  type DialOptions,
  spawnTransport,
  type SpawnOptions,
  stdioTransport,
} from "@editwire/transport/node";
import { checkAgent, serveShared } from "./agent/agent.js";
import type { AcpAgent, AcpAgentConnection, AcpAgentOptions } from "./agent/api.js";
import { AgentSessions } from "./agent/sessions.js";
import { checkClientOptions, connectIn } from "./client/client.js";
import type { AcpClient, AcpClientOptions } from "./client/api.js";
import { AcpDialect } from "./shared/dialect.js";
import { type AcpDialOptions, dialIn } from "./network/dial.js";
import { type AcpSignIn, signIn } from "./node/sign-in.js";
import type { AgentRegistry } from "@editwire/acp-schema/registry";
import { agentCommand, type AgentCommandOptions } from "./registry/launch.js";
import { readRegistry } from "./registry/read.js";

export { fileSessionStore } from "@editwire/session/node";
export { type AcpSignIn, inheritedTerminal } from "./node/sign-in.js";
export { type AcpHandler, acpHandler, listenAcp } from "./network/listen.js";
export type { AcpHandlerOptions, AcpListenOptions } from "./network/options.js";
export { nodeListener } from "@editwire/transport/node";
export { nodeFileSystem } from "./node/files.js";
export { nodeTerminals } from "./node/terminals.js";
export { type AgentCommand, agentCommand } from "./registry/launch.js";
export { readRegistry } from "./registry/read.js";
export type { RegistryAgent } from "@editwire/acp-schema/registry";

/** How an agent command is started and used. */
export interface AcpSpawnOptions extends AcpClientOptions, SpawnOptions {
  /** The framing of what this side sends (spec 1); either is read. Default `ndjson`. */
  framing?: "ndjson" | "content-length" | undefined;
  /** How the user signs in. Default: by methods that the agent handles itself. */
  signIn?: AcpSignIn | undefined;
}

/** The client of an agent that this process started. */
export interface SpawnedAcpClient extends AcpClient {
  /**
   * Signs in by one of `info.authMethods`, of any kind. Resolves with the client to go on with: this one, or one of the
   * agent started again, because its credentials have changed; this one is closed then. Rejects with
   * `WireError("invalid_params")` for a method that is not offered or that `signIn` of the options does not serve,
   * `WireError("aborted")` when the user gave no values, and `WireError("closed")` when the program at the terminal
   * failed; this client stays as it was.
   */
  signIn(methodId: string, options?: AskOptions): Promise<SpawnedAcpClient>;
}

/**
 * Starts an agent command, given as `[command, ...args]`, and initializes it. No shell is used, except on Windows for
 * `.cmd` files, with every argument escaped. Without `onError`, errors go to stderr. Throws `WireError("closed")` with
 * the reason when it cannot be started, or with the exit code and the end of its stderr when it exits first, and
 * `WireError("aborted")` when `signal` aborts first.
 */
export async function spawnAcp(argv: readonly string[], options: AcpSpawnOptions = {}): Promise<SpawnedAcpClient> {
  checkCommand("spawnAcp", argv);
  checkClientOptions("spawnAcp", options);
  const { framing: send } = options;
  const dialect = new AcpDialect("client");
  const codec = detecting({ send, follow: "none", onFraming: (framing) => decideByFraming(dialect, framing) });
  const transport = spawnTransport(argv, codec, safeStderr(options));
  const { signIn: by, clientCapabilities = {} } = options;
  const declared =
    by?.terminal === undefined ? {} : { clientCapabilities: { auth: { terminal: true }, ...clientCapabilities } };
  const client = await connectIn("spawnAcp", transport, { ...options, ...declared }, dialect);
  const spawned: SpawnedAcpClient = {
    ...client,
    signIn: (methodId, ask = {}) => signIn(spawned, methodId, ask, { argv, options, restart }),
  };
  const restart = async (env: Readonly<Record<string, string>>): Promise<SpawnedAcpClient> => {
    const restarted = await spawnAcp(argv, { ...options, signal: undefined, env: { ...options.env, ...env } });
    await client.close();
    return restarted;
  };
  return spawned;
}

/** How an agent of a registry is started and used. */
export interface AcpAgentSpawnOptions extends AcpSpawnOptions, AgentCommandOptions {
  /** The registry, or the file or the `https:` URL that `readRegistry` reads it from. */
  registry: AgentRegistry | string | URL;
}

/**
 * Starts an agent by its id in a registry, and initializes it. The variables of its entry are added to the environment,
 * below those of `env`. Throws as `readRegistry`, `agentCommand` and `spawnAcp` do, and a `TypeError` without an id or
 * a registry.
 */
export async function spawnAgent(id: string, options: AcpAgentSpawnOptions): Promise<SpawnedAcpClient> {
  checkClientOptions("spawnAgent", options);
  if (typeof id !== "string" || id === "") throw new TypeError("spawnAgent: expected the id of an agent");
  if (options.registry === undefined) throw new TypeError("spawnAgent: expected the option registry");
  const { registry: from, prefer, folder, maxDownloadBytes, downloadTimeoutMs, ...spawning } = options;
  const { signal } = options;
  const registry = typeof from === "string" || from instanceof URL ? await readRegistry(from, { signal }) : from;
  const { argv, env } = await agentCommand(id, registry, {
    prefer,
    folder,
    maxDownloadBytes,
    downloadTimeoutMs,
    signal,
  });
  return spawnAcp(argv, { ...spawning, env: { ...env, ...options.env } });
}

/** How an agent is served on stdin and stdout. */
export interface AcpStdioOptions extends AcpAgentOptions, ByteStreamOptions {}

/**
 * Serves an agent on the stdin and stdout of this process, in the framing of the client's first message (spec 1). At
 * the end of stdin the connection closes, and what the client has not read within `closeTimeoutMs` (default 1,000) is
 * dropped: a process with nothing else to do exits then. Without `onError`, errors that the client does not get go to
 * stderr. Throws a `TypeError` for an agent without `prompt`.
 */
export function serveAcpStdio(agent: AcpAgent, options: AcpStdioOptions = {}): AcpAgentConnection {
  checkAgent("serveAcpStdio", agent, options);
  const dialect = new AcpDialect("agent");
  const codec = detecting({ onFraming: (framing) => decideByFraming(dialect, framing) });
  const transport = stdioTransport(codec, options);
  const sessions = new AgentSessions(options.maxSessions);
  const parts = { sessions, caller: undefined, dialect };
  const served = serveShared("serveAcpStdio", transport, agent, options, parts);
  void served.closed.then(() => sessions.clear());
  return served;
}

/** Only the specification frames messages with headers. */
function decideByFraming(dialect: AcpDialect, framing: Framing): void {
  if (framing === "content-length") dialect.assume("spec", "it frames messages with Content-Length headers");
}

/** How an agent is reached over the network from Node. `headers` and `cookies` are for WebSockets, too. */
export interface AcpNodeDialOptions extends AcpDialOptions, Omit<DialOptions, "timeoutMs"> {}

/**
 * As `dialAcp` of `@editwire/acp`, with the WebSockets of the package `ws`: in every version of Node, with `headers`,
 * cookies, pings, and a socket that is paused while handlers are busy. Without `onError`, errors go to stderr.
 */
export async function dialAcp(url: string | URL, options: AcpNodeDialOptions = {}): Promise<AcpClient> {
  return dialIn(url, options, (where, given) =>
    connectWebSocket(where, {
      readBinary: "if-first",
      ...given,
      headers: withToken(given),
      timeoutMs: given.dialTimeoutMs,
    }),
  );
}
