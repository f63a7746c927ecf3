import type { Peer } from "@editwire/core";
import { jsonRpcPeer, type JsonRpcOptions } from "@editwire/jsonrpc";
import type { MessageConnection } from "vscode-jsonrpc";
import { connectionTransport, type ConnectionTransportOptions } from "./connection-transport.js";

/** How a peer over a connection speaks, and how much it lets pile up. */
export interface ConnectionPeerOptions extends JsonRpcOptions, ConnectionTransportOptions {}

/** A JSON-RPC peer over a `MessageConnection`: order, cancellation, limits and errors are those of `@editwire/jsonrpc`. */
export function connectionPeer(connection: MessageConnection, options: ConnectionPeerOptions = {}): Peer {
  return jsonRpcPeer(connectionTransport(connection, options), options);
}
