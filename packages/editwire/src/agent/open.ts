import { type AcpClient, connectAcp } from "@editwire/acp";
import { dialAcp, spawnAcp } from "@editwire/acp/node";
import { type Agent, type FarAcpHandlers, fromAcp, fromEca, fromHelixZed, fromKaiak } from "@editwire/agent";
import { dialEca, spawnEca } from "@editwire/eca/node";
import { detecting } from "@editwire/framing";
import { helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { dialKaiak, spawnKaiak } from "@editwire/kaiak/node";
import { connectSocket } from "@editwire/transport/node";
import { listenOptions } from "./endpoint.js";
import { type AgentOptions, type AgentSide, notServed } from "./options.js";
import { patience } from "./patience.js";

type OnStderr = AgentOptions["onStderr"];

const { agentGraceMs: graceMs, agentShutdownMs: shutdownTimeoutMs } = patience;

/** The agent of a bridge, and what to release with it. */
export interface FarAgent {
  readonly agent: Agent;
  close(): Promise<void>;
}

/** Makes the far agent one of this process. It is reached when an editor needs it, except over Helix-Zed. */
export async function openAgent(options: AgentOptions): Promise<FarAgent> {
  const { agent: side, onDiagnostic, onError, onStderr } = options;
  const listeners = { onDiagnostic, onError };
  switch (side.protocol) {
    case "acp":
      return owned(fromAcp(acpClient(side, onStderr), listeners));
    case "eca":
      return owned(fromEca(ecaClient(side, onStderr), listeners));
    case "kaiak":
      return owned(fromKaiak(kaiakClient(side, onStderr), listeners));
    case "helix-zed":
      return helixZedHost(options);
  }
}

function owned(agent: Agent): FarAgent {
  return { agent, close: () => agent.close() };
}

function acpClient(side: AgentSide, onStderr: OnStderr): (handlers: FarAcpHandlers) => Promise<AcpClient> {
  const { endpoint, command, env, token } = side;
  switch (endpoint.kind) {
    case "stdio":
      return (handlers) => spawnAcp(command, { ...handlers, env, onStderr, graceMs });
    case "http":
    case "ws":
      return (handlers) => dialAcp(endpoint.url, { ...handlers, token });
    case "unix":
      return async (handlers) =>
        connectAcp(await connectSocket({ path: endpoint.path }, detecting({ follow: "none" })), handlers);
  }
}

function ecaClient(side: AgentSide, onStderr: OnStderr): Parameters<typeof fromEca>[0] {
  const { endpoint, command, env } = side;
  if (endpoint.kind === "stdio")
    return (handlers) => spawnEca(command, { ...handlers, env, onStderr, graceMs, shutdownTimeoutMs });
  if (endpoint.kind === "unix") return (handlers) => dialEca(endpoint.path, handlers);
  throw notServed("agent", side, "a command, or unix:PATH");
}

function kaiakClient(side: AgentSide, onStderr: OnStderr): Parameters<typeof fromKaiak>[0] {
  const { endpoint, command, env } = side;
  if (endpoint.kind === "stdio") return (handlers) => spawnKaiak(command, { ...handlers, env, onStderr, graceMs });
  if (endpoint.kind === "unix") return (handlers) => dialKaiak(endpoint.path, handlers);
  throw notServed("agent", side, "a command, or unix:PATH");
}

/** A user waits in front of the editor: an agent that was stopped, or whose network broke, is noticed after 11 s. */
const pings = { pingMs: 6_000, pongMs: 5_000 };

/** The agent dials: this side plays the host. */
async function helixZedHost(options: AgentOptions): Promise<FarAgent> {
  const { agent: side, id, helixZedProfile = "spec", onDiagnostic, onError, onListening } = options;
  const { endpoint, token } = side;
  if (endpoint.kind !== "ws") throw notServed("agent", side, "ws://HOST:PORT, where the agent dials");
  const profile = helixZedProfiles[helixZedProfile];
  const host = await listenHelixZed({
    ...listenOptions("agent", endpoint.url, token),
    ...pings,
    profile,
    token,
    onDiagnostic,
    onError,
  });
  onListening("agent", host.url);
  const agent = fromHelixZed(host, { agent: id, onDiagnostic, onError });
  const close = async (): Promise<void> => {
    await agent.close();
    await host.close();
  };
  return { agent, close };
}
