import { connect, methodOf, type Profile } from "@editwire/core";
import { helixZed } from "@editwire/helix-zed-schema";
import { peerDouble, type Received, receiverOf } from "../../../core/test/support/receiver.js";

const receiveAs = receiverOf(helixZed);

/** Lets params come in through `connect`. Rejects as the connection does. */
export function receive(profile: Profile, method: string, wire: unknown, strict?: boolean): Promise<Received> {
  return receiveAs(profile, method, "params", wire, strict);
}

/** The params as `connect` sends them. */
export function send(profile: Profile, method: string, params: unknown): unknown {
  const peer = peerDouble();
  const self = methodOf(helixZed, method)?.from === "host" ? "host" : "agent";
  void connect(helixZed, self, peer, {}, { profile }).notify(method as never, params as never);
  return peer.sent;
}
