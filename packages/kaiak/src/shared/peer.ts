import type { Peer } from "@editwire/core";
import type { KaiakTraits } from "@editwire/kaiak-schema";
import { jsonRpcPeer, type JsonRpcOptions, languageServerCancel } from "@editwire/peer";
import type { Transport } from "@editwire/transport";

/**
 * A peer engine that speaks a dialect's JSON-RPC: with its route, and the cancel message of language servers unless the
 * dialect has one of its own. The traits are read with each message, because a client may find out the dialect while
 * the connection runs.
 */
export function kaiakPeer(transport: Transport, traits: () => KaiakTraits, options: JsonRpcOptions): Peer {
  return jsonRpcPeer(transport, {
    ...options,
    route: {
      wrap: (method, params) => traits().route.wrap(method, params),
      unwrap: (method, params) => traits().route.unwrap(method, params),
    },
    cancel: {
      ...languageServerCancel,
      params: (id) => (traits().cancel === undefined ? languageServerCancel.params(id) : undefined),
    },
  });
}
