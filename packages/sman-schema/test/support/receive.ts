import { connect, methodOf, type Part, type Profile } from "@editwire/core";
import { sman } from "@editwire/sman-schema";
import { peerDouble, type Received, receiverOf } from "../../../core/test/support/receiver.js";

/** Params with which a call leaves, so that its result can come. */
const params = { pattern: "a", projectKey: "k", webSocketSessionId: "w" };
const receiveAs = receiverOf(sman, () => ({ toolName: "grep_file", params, webSocketSessionId: "w" }));

/** Lets a value come in through `connect`. Rejects as the connection does. */
export function receive(
  profile: Profile,
  method: string,
  part: Part,
  wire: unknown,
  strict?: boolean,
): Promise<Received> {
  return receiveAs(profile, method, part, wire, strict);
}

/** The params of a notification as `connect` sends them. */
export function send(profile: Profile, method: string, params: unknown): unknown {
  const peer = peerDouble();
  const self = methodOf(sman, method)?.from === "backend" ? "backend" : "plugin";
  void connect(sman, self, peer, {} as never, { profile }).notify(method as never, params as never);
  return peer.sent;
}
