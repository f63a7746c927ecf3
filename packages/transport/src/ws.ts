export {
  connectWebSocket,
  type DialOptions,
  type NodeWebSocketOptions,
  type WebSocketServerOptions,
  type WebSocketUpgrader,
  webSocketUpgrader,
} from "./node-web-socket.js";
