export { nodeByteStream, nodeStreamTransport } from "./node/streams.js";
export type { ChildExit } from "./node/child-stream.js";
export { checkCommand, type CommandPlace, type ResolvedCommand, resolveCommand } from "./node/command.js";
export { killAtExit } from "./node/process-group.js";
export { signalTree } from "./node/process-tree.js";
export { type ChildTransport, type SpawnOptions, spawnTransport } from "./node/spawn.js";
export { type StdioOptions, stdioTransport } from "./node/stdio.js";
export {
  type FetchHandler,
  type HttpListener,
  listenHttp,
  type ListenOptions,
  listenServed,
  nodeListener,
  type Served,
} from "./node/http.js";
export {
  connectSocket,
  listenSocket,
  type SocketAddress,
  type SocketListener,
  type SocketListenOptions,
  type SocketOptions,
} from "./node/socket.js";
