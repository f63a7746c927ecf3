export { type Bridge, openBridge } from "./bridge.js";
export { type Endpoint, parseEndpoint } from "./endpoint.js";
export { type BridgeOptions, protocols } from "./options.js";
