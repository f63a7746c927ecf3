import {
  connect,
  type Diagnostic,
  methodOf,
  type Part,
  type Peer,
  type PeerHandler,
  type Profile,
  type Protocol,
  type WireError,
} from "../../src/index.js";

/** The result of receiving one value from the wire. */
export interface Received {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lets a value come in as a connection of this dialect takes it, as params or as a result. Rejects as the connection
 * does.
 */
export type Receive = (
  profile: Profile,
  method: string,
  part: Part,
  wire: unknown,
  strict?: boolean,
) => Promise<Received>;

/** Makes a `Receive` for a protocol. `validParams` lets a request leave, so that its result can come. */
export function receiverOf(protocol: Protocol, validParams: (method: string) => unknown = () => ({})): Receive {
  return async (profile, method, part, wire, strict = false) => {
    const diagnostics: Diagnostic[] = [];
    const options = { profile, strict, onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
    const def = methodOf(protocol, method);
    if (def === undefined) throw new Error(`no method ${method}`);
    const sender = def.from === "both" ? (protocol.roles[0] ?? "") : def.from;
    const receiver = protocol.roles.find((role) => role !== sender) ?? "";
    const peer = peerDouble(wire);
    if (part === "result")
      return {
        value: await connect(protocol, sender, peer, {}, options).request(
          method as never,
          validParams(method) as never,
        ),
        diagnostics,
      };
    let value: unknown;
    const capture = (params: unknown): never => {
      value = params;
      throw captured;
    };
    connect(protocol, receiver, peer, { [method]: capture }, options);
    try {
      await peer.handler?.[def.kind](method, wire, {
        signal: new AbortController().signal,
        id: undefined,
        length: 0, // a dialect never reads it, and a value that is nested too deeply has no JSON text
        afterReply() {},
      });
    } catch (error) {
      if (error !== captured) throw error;
    }
    return { value, diagnostics };
  };
}

const captured = new Error("captured");

/** A peer that answers every request with the same value, and keeps what it was asked to send. */
export function peerDouble(answer?: unknown): Peer & { handler: PeerHandler | undefined; sent: unknown } {
  return {
    handler: undefined,
    sent: undefined,
    request: () => Promise.resolve(answer),
    notify(_method, params) {
      this.sent = params;
    },
    serve(handler) {
      this.handler = handler;
    },
    close: () => Promise.resolve(),
    closed: new Promise<WireError>(() => {}),
  };
}
