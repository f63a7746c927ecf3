import { connect, type Diagnostic, methodOf, type Peer, type PeerHandler, type Profile, type WireError } from "@editwire/core";
import { helixZed } from "@editwire/helix-zed-schema";

/** Lets params come in through `connect`. Rejects as the connection does. */
export async function receive(profile: Profile, method: string, wire: unknown, strict = false): Promise<{ value: unknown; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  let value: unknown;
  const peer = peerDouble();
  const self = methodOf(helixZed, method)?.from === "host" ? "agent" : "host";
  const handlers = { [method]: (params: unknown) => void (value = params) };
  connect(helixZed, self, peer, handlers as never, { profile, strict, onDiagnostic: (one) => void diagnostics.push(one) });
  await peer.handler?.notification(method, wire, { signal: new AbortController().signal, id: undefined, afterReply() {} });
  return { value, diagnostics };
}

/** The params as `connect` sends them. */
export function send(profile: Profile, method: string, params: unknown): unknown {
  const peer = peerDouble();
  const self = methodOf(helixZed, method)?.from === "host" ? "host" : "agent";
  void connect(helixZed, self, peer, {}, { profile }).notify(method as never, params as never);
  return peer.sent;
}

function peerDouble(): Peer & { handler: PeerHandler | undefined; sent: unknown } {
  return {
    handler: undefined,
    sent: undefined,
    request: () => Promise.reject(new Error("nothing is answered")),
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
