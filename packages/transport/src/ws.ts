export { connectWebSocket, type DialOptions, type NodeWebSocketOptions } from "./node-web-socket.js";
export { type WebSocketServerOptions, type WebSocketUpgrader, webSocketUpgrader } from "./node-web-socket-server.js";
