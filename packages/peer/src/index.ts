// Shared by all peers.
export { charsOf, type PeerOptions } from "./engine/index.js";

// JSON-RPC 2.0.
export { jsonRpcPeer } from "./json-rpc/peer.js";
export { answerToLost, replyForLost } from "./json-rpc/lost.js";
export { type CancelMessage, type JsonRpcOptions, languageServerCancel } from "./json-rpc/options.js";

// Named messages in an envelope.
export { taggedPeer } from "./tagged/peer.js";
