import type { Acp, AcpParams, AcpProfile, AcpResult } from "@editwire/acp-schema";
import { acpV2Profile, unsupportedVersionOf } from "@editwire/acp-schema/v2";
import {
  type CallOptions,
  connect,
  type Connection,
  ErrorCode,
  isObject,
  isRemoteError,
  type Peer,
  type PeerHandler,
} from "@editwire/core";
import type { AcpClientOptions } from "../client/api.js";
import { ClientDriver, type ClientDriverOptions } from "./client-driver.js";
import { initializeParams } from "./client-forms.js";
import { type AcpVersion, unspokenVersion } from "./versions.js";

/** A connection whose version `initialize` decides. */
export interface VersionedConnection {
  readonly connection: Connection<Acp, "client">;
  /** The dialect of the version that is spoken, where it has only one. */
  profile(): AcpProfile | undefined;
}

/** The parts of a client that its connection uses. */
interface Connecting extends Pick<ClientDriverOptions, "protocol" | "handlers" | "connect"> {}

/** Connects a client in one of its versions. A client that speaks version 1 alone does without a choice. */
export function connectVersions(
  peer: Peer,
  { versions = [1], fs, terminals, ignoreCapabilities }: AcpClientOptions,
  { protocol, handlers, connect: options }: Connecting,
): VersionedConnection {
  if (!versions.includes(2))
    return { connection: connect(protocol, "client", peer, handlers, options), profile: () => undefined };
  const unused = Object.entries({ fs, terminals }).flatMap(([name, given]) => (given === undefined ? [] : [name]));
  const driven = { protocol, handlers, connect: options, ignoreCapabilities, unused };
  const negotiation = new Negotiation(peer, versions, driven);
  return {
    connection: negotiation.connection,
    profile: () => (negotiation.version === 2 ? acpV2Profile : undefined),
  };
}

class Negotiation {
  version: AcpVersion | undefined;
  readonly connection: Connection<Acp, "client">;
  readonly #peer: Peer;
  readonly #versions: readonly AcpVersion[];
  readonly #options: ClientDriverOptions;
  readonly #handlers = new Map<AcpVersion, PeerHandler>();
  readonly #byVersion: ReadonlyMap<AcpVersion, Connection<Acp, "client">>;
  /** The agent's answer to `initialize`, which the connection of its version reads. */
  #answer: unknown;
  #choose: (handler: PeerHandler) => void = () => {};

  constructor(peer: Peer, versions: readonly AcpVersion[], options: ClientDriverOptions) {
    this.#peer = peer;
    this.#versions = versions;
    this.#options = options;
    const { protocol, handlers, connect: connecting } = options;
    const v1 = connect(protocol, "client", this.#peerOf(1), handlers, connecting);
    const v2 = new ClientDriver(this.#peerOf(2), options).connection;
    this.#byVersion = new Map([
      [1, v1],
      [2, v2],
    ]);
    const serving = this.#serving();
    this.connection = {
      request: (async (method: string, params: unknown, call?: CallOptions) => {
        if (method === "initialize") return this.#initialize(params as AcpParams<"initialize">, serving, call);
        return this.#chosen.request(method as "initialize", params as AcpParams<"initialize">, call);
      }) as Connection<Acp, "client">["request"],
      notify: (method, params) => this.#chosen.notify(method, params),
      close: () => peer.close(),
      closed: peer.closed,
    };
    peer.serve(serving);
  }

  get #chosen(): Connection<Acp, "client"> {
    return this.#byVersion.get(this.version ?? 1) as Connection<Acp, "client">;
  }

  /** The peer of one version, which gets the answer to `initialize` that is there. */
  #peerOf(version: AcpVersion): Peer {
    return {
      request: (method, params, call) =>
        method === "initialize" && this.#answer !== undefined
          ? Promise.resolve(this.#answer)
          : this.#peer.request(method, params, call),
      notify: (method, params) => this.#peer.notify(method, params),
      serve: (handler) => void this.#handlers.set(version, handler),
      close: () => this.#peer.close(),
      closed: this.#peer.closed,
    };
  }

  /** Takes the agent's messages: those that come before the version is chosen wait for it. */
  #serving(): PeerHandler {
    const chosen = new Promise<PeerHandler>((resolve) => (this.#choose = resolve));
    const { session, diagnostic, error } = this.#handlers.get(1) as PeerHandler;
    return {
      request: async (method, params, context) => (await chosen).request(method, params, context),
      notification: async (method, params, context) => (await chosen).notification(method, params, context),
      session,
      diagnostic,
      error,
    } as PeerHandler;
  }

  async #initialize(
    params: AcpParams<"initialize">,
    serving: PeerHandler,
    call: CallOptions | undefined,
  ): Promise<AcpResult<"initialize">> {
    this.#answer = await this.#ask(params, call);
    this.version = this.#versionOf(this.#answer);
    const result = await this.#chosen.request("initialize", params, call);
    const handler = this.#handlers.get(this.version) as PeerHandler;
    Object.assign(serving, handler); // from here on, nothing stands between the peer and its version
    this.#choose(handler);
    return result;
  }

  /** Asks for version 2, and for version 1 when the agent refuses that. */
  async #ask(params: AcpParams<"initialize">, call: CallOptions | undefined): Promise<unknown> {
    try {
      return await this.#peer.request("initialize", this.#bothForms(params), call);
    } catch (error) {
      const supported = unsupportedVersionOf(error)?.supported;
      const refused = supported !== undefined || isRemoteError(error, ErrorCode.InvalidParams);
      if (refused && this.#versions.includes(1) && supported?.includes(1) !== false)
        return this.#peer.request("initialize", { ...params, protocolVersion: 1 }, call);
      if (supported === undefined) throw error;
      throw unspokenVersion(supported.join(" and "), this.#versions, error);
    }
  }

  /** An agent of version 1 reads its own fields in the request: without them it would miss files and terminals. */
  #bothForms(params: AcpParams<"initialize">): unknown {
    const form = initializeParams(params);
    if (this.#options.connect.strict === true || !this.#versions.includes(1)) return form;
    const { clientInfo, clientCapabilities } = params;
    return {
      ...form,
      ...(clientInfo === undefined ? {} : { clientInfo: form.info }),
      ...(clientCapabilities === undefined ? {} : { clientCapabilities }),
    };
  }

  /** Throws `WireError("invalid_result")` for a version that this client does not speak. */
  #versionOf(answer: unknown): AcpVersion {
    const claimed = isObject(answer) ? answer["protocolVersion"] : undefined;
    const version = claimed === 2 && isEcho(answer) ? 1 : claimed;
    const spoken = this.#versions.find((each) => each === version);
    if (spoken === undefined) {
      if (typeof version === "number") throw unspokenVersion(String(version), this.#versions);
      return this.#versions.includes(1) ? 1 : 2; // whose reading says what is wrong
    }
    if (version === claimed) return spoken;
    this.#answer = { ...(answer as object), protocolVersion: version };
    const message = "the agent claims version 2 and answers in the form of version 1, which is spoken from here on";
    this.#options.connect.onDiagnostic?.({ id: "version-echo", method: "initialize", message });
    return spoken;
  }
}

/** True for an answer in the form of version 1: some of its agents repeat whatever version they are asked for. */
function isEcho(answer: unknown): boolean {
  if (!isObject(answer) || isObject(answer["info"])) return false;
  return isObject(answer["agentCapabilities"]) || !isObject(answer["capabilities"]);
}
