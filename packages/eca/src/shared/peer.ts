import type { Peer } from "@editwire/core";
import { type Codec, contentLength } from "@editwire/framing";
import { jsonRpcPeer, type JsonRpcOptions, languageServerCancel } from "@editwire/peer";
import type { Transport } from "@editwire/transport";

/**
 * The framing of ECA (base protocol): Content-Length. Lines between two messages are skipped, because real programs
 * print some.
 */
export function ecaFraming(): Codec {
  return contentLength({ noise: "resync" });
}

/**
 * A peer engine that speaks this protocol's JSON-RPC. The specification has no cancel message, but every server and
 * editor of this protocol knows that of its JSON-RPC library.
 */
export function ecaPeer(transport: Transport, options: JsonRpcOptions = {}): Peer {
  return jsonRpcPeer(transport, { ...options, cancel: languageServerCancel });
}
