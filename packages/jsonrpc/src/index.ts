export { jsonRpcPeer } from "./peer.js";
export { type CancelMessage, type JsonRpcOptions, JsonRpcErrorCode } from "./options.js";
