export { type Endpoint, parseEndpoint } from "./agent/endpoint.js";
export { protocols } from "./agent/options.js";
export { type Bridge, openBridge } from "./bridge/bridge.js";
export type { BridgeOptions } from "./bridge/options.js";
