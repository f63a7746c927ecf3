// A connection as the bindings need it.
export { connectionPeer } from "./connection-peer.js";
export { connectionTransport } from "./connection-transport.js";

// The transports as vscode-jsonrpc needs them.
export { guardStreams } from "./guard.js";
export { transportStreams } from "./transport-streams.js";
