import type { Acp, AcpProfile, ContentBlock } from "@editwire/acp-schema";
import { acpV2Profile, unsupportedVersion } from "@editwire/acp-schema/v2";
import { connect, type Connection, isObject, type Peer, type PeerHandler, RemoteError } from "@editwire/core";
import { AgentDriver, type AgentDriverOptions } from "./agent-driver.js";
import type { AcpVersion } from "./versions.js";

/** An agent's connection, whose version the client's `initialize` decides. */
export interface ServedVersions {
  readonly connection: Connection<Acp, "agent">;
  /** The version that is spoken, once it is chosen. */
  version(): AcpVersion | undefined;
  /** The dialect of the version that is spoken, where it has only one. */
  profile(): AcpProfile | undefined;
  /** Says that the message of a prompt is in the conversation. */
  inserted(sessionId: string, prompt: readonly ContentBlock[], messageId: string): void;
}

/** Connects an agent that speaks the versions. The version is chosen once. */
export function serveVersions(
  peer: Peer,
  versions: readonly AcpVersion[],
  options: AgentDriverOptions,
): ServedVersions {
  return new AgentNegotiation(peer, versions, options);
}

class AgentNegotiation implements ServedVersions {
  readonly connection: Connection<Acp, "agent">;
  readonly #versions: readonly AcpVersion[];
  readonly #handlers = new Map<AcpVersion, PeerHandler>();
  readonly #v1: Connection<Acp, "agent">;
  readonly #v2: AgentDriver;
  #version: AcpVersion | undefined;
  #chosen: Connection<Acp, "agent">;

  constructor(peer: Peer, versions: readonly AcpVersion[], options: AgentDriverOptions) {
    this.#versions = versions;
    const { protocol, handlers, connect: connecting } = options;
    const peerOf = (version: AcpVersion): Peer => ({
      request: (method, params, call) => peer.request(method, params, call),
      notify: (method, params) => peer.notify(method, params),
      serve: (handler) => void this.#handlers.set(version, handler),
      close: () => peer.close(),
      closed: peer.closed,
    });
    this.#v1 = connect(protocol, "agent", peerOf(1), handlers, connecting);
    this.#v2 = new AgentDriver(peerOf(2), options);
    this.#chosen = versions.includes(1) ? this.#v1 : this.#v2.connection;
    this.connection = {
      request: (method, params, call) => this.#chosen.request(method, params, call),
      notify: (method, params) => this.#chosen.notify(method, params),
      close: () => peer.close(),
      closed: peer.closed,
    };
    const serving = { ...(this.#handlers.get(1) as PeerHandler) };
    const choose = (version: AcpVersion): PeerHandler => {
      const handler = this.#handlers.get(version) as PeerHandler;
      this.#version = version;
      this.#chosen = version === 1 ? this.#v1 : this.#v2.connection;
      return Object.assign(serving, handler); // from here on, nothing stands between the peer and its version
    };
    serving.request = (method, params, context) => {
      if (method === "initialize") return choose(this.#versionFor(params)).request(method, completed(params), context);
      if (!versions.includes(1)) throw RemoteError.invalidRequest(`${method}: initialize comes first`);
      return choose(1).request(method, params, context);
    };
    peer.serve(serving);
  }

  version(): AcpVersion | undefined {
    return this.#version;
  }

  profile(): AcpProfile | undefined {
    return this.#version === 2 ? acpV2Profile : undefined;
  }

  inserted(sessionId: string, prompt: readonly ContentBlock[], messageId: string): void {
    if (this.#version === 2) this.#v2.insert(sessionId, prompt, messageId);
  }

  /** The newest version that both sides speak. Throws -32022 when there is none. */
  #versionFor(params: unknown): AcpVersion {
    const asked = isObject(params) ? params["protocolVersion"] : undefined;
    const isInteger = Number.isInteger(asked);
    if (this.#versions.includes(1) && (!isInteger || Number(asked) < 2 || isV1Form(params))) return 1;
    const newest = Math.max(...this.#versions.filter((version) => !isInteger || version <= Number(asked)));
    if (newest === 1 || newest === 2) return newest;
    throw unsupportedVersion(Number(asked), [...this.#versions].sort());
  }
}

/** True for `initialize` with the fields of version 1 alone, by a client that asks for a newer version all the same. */
function isV1Form(params: unknown): boolean {
  if (!isObject(params) || isObject(params["info"])) return false;
  return isObject(params["clientInfo"]) || isObject(params["clientCapabilities"]);
}

/** A request for a version that this package does not know may lack fields that version 2 requires. */
function completed(params: unknown): unknown {
  if (!isObject(params) || !(Number(params["protocolVersion"]) > 2)) return params;
  const { name, version } = isObject(params["info"]) ? params["info"] : ({} as Record<string, unknown>);
  const isWhole = typeof name === "string" && typeof version === "string";
  return isWhole ? params : { ...params, info: { name: "unknown", version: "unknown" } };
}
