import { type Peer, type PeerContext, type PeerHandler, WireError } from "@editwire/core";

/** A peer engine without a wire: what is sent is kept, and the test plays the other end. */
export interface PeerDouble extends Peer {
  /** The handler that `connect` registered. */
  readonly handler: PeerHandler;
  readonly sent: readonly { method: string; params: unknown; options?: unknown }[];
  /** Answers every request from here on. */
  answer: (method: string, params: unknown) => unknown;
}

export function peerDouble(answer: PeerDouble["answer"] = () => ({})): PeerDouble {
  const sent: { method: string; params: unknown; options?: unknown }[] = [];
  let handler: PeerHandler | undefined;
  let closedBecause: (reason: WireError) => void = () => {};
  return {
    sent,
    answer,
    get handler() {
      if (handler === undefined) throw new Error("serve() was not called");
      return handler;
    },
    async request(method, params, options) {
      sent.push({ method, params, options });
      return this.answer(method, params);
    },
    notify(method, params) {
      sent.push({ method, params });
    },
    serve(registered) {
      handler = registered;
    },
    async close() {
      closedBecause(new WireError("closed", "closed by the test"));
    },
    closed: new Promise((resolve) => {
      closedBecause = resolve;
    }),
  };
}

/** The context of a received message. */
export const context: PeerContext = { signal: new AbortController().signal, id: 1, length: 2, afterReply() {} };
