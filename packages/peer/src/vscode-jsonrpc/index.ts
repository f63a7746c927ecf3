// A connection as the bindings need it.
export { connectionPeer, type ConnectionPeerOptions } from "./connection-peer.js";
export { connectionTransport, type ConnectionTransportOptions } from "./connection-transport.js";

// The transports as vscode-jsonrpc needs them.
export { type GuardOptions, guardStreams, type MessageStreams } from "./guard.js";
export { transportStreams, type TransportStreams } from "./transport-streams.js";
