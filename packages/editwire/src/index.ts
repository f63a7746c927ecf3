export { type Bridge, openBridge } from "./bridge.js";
export { type Endpoint, type EndpointKind, parseEndpoint } from "./endpoint.js";
export {
  type AgentSide,
  type BridgeOptions,
  type BridgeProtocol,
  type EditorSide,
  protocols,
} from "./options.js";
