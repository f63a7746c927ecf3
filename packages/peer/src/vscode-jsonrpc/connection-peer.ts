import type { Peer } from "@editwire/core";
import type { JsonRpcOptions } from "../json-rpc/options.js";
import { jsonRpcPeer } from "../json-rpc/peer.js";
import type { MessageConnection } from "vscode-jsonrpc";
import { connectionTransport, type ConnectionTransportOptions } from "./connection-transport.js";

/** The options of a peer over a connection. */
export interface ConnectionPeerOptions extends JsonRpcOptions, ConnectionTransportOptions {}

/** A JSON-RPC peer over a `MessageConnection`: order, cancellation, limits and errors are those of `@editwire/peer`. */
export function connectionPeer(connection: MessageConnection, options: ConnectionPeerOptions = {}): Peer {
  return jsonRpcPeer(connectionTransport(connection, options), options);
}
