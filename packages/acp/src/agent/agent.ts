import { acp, type Acp, type AcpProfile, type AcpTraits, type ClientCapabilities } from "@editwire/acp-schema";
import type { Connection } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import { checkBinding, checkHandler, claimTransport, splitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { agentClient } from "./client.js";
import { AgentMethods } from "./methods.js";
import type { AcpCallerContext } from "./request.js";
import { AgentSessions } from "./sessions.js";
import { cancelRequest } from "../shared/cancel-request.js";
import { demandsOn, guarded } from "../shared/capabilities.js";
import { AcpDialect } from "../shared/dialect.js";
import { type ServedVersions, serveVersions } from "../v2/agent-versions.js";
import { checkVersions } from "../v2/versions.js";
import type { AcpAgent, AcpAgentConnection, AcpAgentOptions } from "./api.js";

/**
 * Serves an agent to the client at the other end of a transport. Throws a `TypeError` for an agent without `prompt`,
 * for wrong options, and for a transport that has a connection.
 */
export function serveAcp(transport: Transport, agent: AcpAgent, options: AcpAgentOptions = {}): AcpAgentConnection {
  checkAgent("serveAcp", agent, options);
  const sessions = new AgentSessions(options.maxSessions);
  const dialect = new AcpDialect("agent");
  const served = serveShared("serveAcp", transport, agent, options, { sessions, caller: undefined, dialect });
  void served.closed.then(() => sessions.clear());
  return served;
}

/** The parts that the connections of one listener share, and the caller of this one. */
export interface SharedParts extends AcpCallerContext {
  readonly sessions: AgentSessions;
  /** Asked when the options name no profile. */
  readonly dialect: AcpDialect;
}

/** As `serveAcp`, with sessions that several connections share. A session belongs to the caller that opened it. */
export function serveShared(
  name: string,
  transport: Transport,
  agent: AcpAgent,
  options: AcpAgentOptions,
  { sessions, caller, dialect }: SharedParts,
): AcpAgentConnection {
  const split = splitOptions(name, "acpProfiles", options);
  claimTransport(name, transport);
  const { strict = false, cancelGraceMs = 6_000, maxQueuedPrompts = 20 } = options;
  const { onDiagnostic, onError } = split;
  const profile = options.profile ?? dialect.reportingTo(onDiagnostic);
  const spoken = (): AcpProfile => ends?.profile() ?? options.profile ?? dialect.found;
  const traits = (): AcpTraits => spoken().traits;
  let ends: ServedVersions | undefined = undefined as ServedVersions | undefined;
  const peer = jsonRpcPeer(transport, { ...split.peer, cancel: cancelRequest(traits) });
  const capabilities = (): ClientCapabilities => methods.clientCapabilities;
  const demands = demandsOn("client", capabilities, options.ignoreCapabilities);
  const client = agentClient({
    connection: () => connection,
    caller,
    demands,
    capabilities,
    traits,
    onDiagnostic,
    inserted: (...message) => ends?.inserted(...message),
  });
  const limits = { cancelGraceMs, maxQueuedPrompts };
  const methods = new AgentMethods({
    agent,
    client,
    sessions,
    profile: spoken,
    traits,
    strict,
    onDiagnostic,
    onError,
    ...limits,
  });
  const { protocol = acp, handlers: more, serve } = options.extension ?? {};
  const handlers = { ...methods.handlers, ...more, ...serve?.(methods) };
  const connecting = { ...split.connect, profile, fallback: options.fallback };
  const { baseline } = methods;
  const { versions = options.profile === undefined ? [1, 2] : [1] } = options; // each other profile is of version 1
  ends = serveVersions(peer, versions, { protocol, handlers, baseline, connect: connecting });
  const connection = guarded(ends.connection, demands, protocol);
  void connection.closed.then(async () => {
    client.gone = true;
    await methods.disconnected().catch((error: unknown) => onError(error, undefined));
  });
  return servedBy(connection, ends);
}

function servedBy(connection: Connection<Acp, "agent">, ends: ServedVersions): AcpAgentConnection {
  const close = (): Promise<void> => connection.close();
  return {
    connection,
    get protocolVersion() {
      return ends.version();
    },
    close,
    closed: connection.closed,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws a `TypeError` for what is not an agent, and for wrong options. `name` is the function that got them. */
export function checkAgent(name: string, agent: AcpAgent, options: AcpAgentOptions): void {
  const { prompt } = agent ?? {};
  if (typeof prompt === "object") checkHandler(name, "prompt of the agent", prompt, "answer");
  else checkHandler(name, "the agent", agent, "prompt");
  checkBinding(name, "acpProfiles", options);
  checkVersions(name, options.versions);
}
