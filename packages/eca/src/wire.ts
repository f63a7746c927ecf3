import type { Peer } from "@editwire/core";
import { type Codec, contentLength } from "@editwire/framing";
import { type CancelMessage, jsonRpcPeer, type JsonRpcOptions } from "@editwire/peer";
import type { Transport } from "@editwire/transport";

/**
 * `$/cancelRequest { id }`. The specification does not have it, but every server and editor of this protocol knows it
 * from its JSON-RPC library.
 */
const cancel: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf(params) {
    const id = typeof params === "object" && params !== null && "id" in params ? params.id : undefined;
    return typeof id === "string" || typeof id === "number" ? id : undefined;
  },
};

/**
 * The framing of ECA (base protocol): Content-Length. Lines between two messages are skipped, because real programs
 * print some.
 */
export function ecaFraming(): Codec {
  return contentLength({ noise: "resync" });
}

/** A peer engine that speaks this protocol's JSON-RPC. */
export function ecaPeer(transport: Transport, options: JsonRpcOptions = {}): Peer {
  return jsonRpcPeer(transport, { ...options, cancel });
}
