export { nodeStreamTransport } from "./node/streams.js";
export type { ChildExit } from "./node/child-stream.js";
export { checkCommand, type CommandPlace, type ResolvedCommand, resolveCommand } from "./node/command.js";
export { killAtExit } from "./node/process-group.js";
export { signalTree } from "./node/process-tree.js";
export { type ChildTransport, type SpawnOptions, spawnTransport } from "./node/spawn.js";
export { stdioTransport } from "./node/stdio.js";
export {
  type FetchHandler,
  type HttpListener,
  listenHttp,
  type ListenOptions,
  listenServed,
  nodeListener,
} from "./node/http.js";
export {
  connectSocket,
  listenSocket,
  type SocketListener,
  type SocketListenOptions,
  type SocketOptions,
} from "./node/socket.js";
export { connectWebSocket, type DialOptions } from "./node/web-socket/dial.js";
export {
  listenWebSockets,
  upgradesOf,
  type WebSocketServerOptions,
  type WebSocketUpgrader,
  webSocketUpgrader,
} from "./node/web-socket/server.js";

// Handlers of requests, for any server with `Request` and `Response`.
export { type HttpServer, httpServer } from "./http/server.js";
export type { HttpServerOptions, HttpStreamsServerOptions } from "./http/options.js";
export type { HttpServerRoutes } from "./http/routes.js";
export { httpStreamsServer } from "./http/streams-server.js";
export { createGuard } from "./listening/guard.js";
