export { connectWebSocket, type DialOptions } from "./node-web-socket.js";
export { listenWebSockets } from "./node-web-socket-listen.js";
export type { NodeWebSocketOptions } from "./node-web-socket-options.js";
export { type WebSocketServerOptions, type WebSocketUpgrader, webSocketUpgrader } from "./node-web-socket-server.js";
