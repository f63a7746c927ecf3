export { jsonRpcPeer } from "./peer.js";
export { type CancelMessage, JsonRpcErrorCode, type JsonRpcOptions } from "./options.js";
