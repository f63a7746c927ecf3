export { connectWebSocket, type DialOptions } from "./node/web-socket/dial.js";
export {
  listenWebSockets,
  type WebSocketServerOptions,
  type WebSocketUpgrader,
  webSocketUpgrader,
} from "./node/web-socket/server.js";
export type { NodeWebSocketOptions } from "./node/web-socket/transport.js";
