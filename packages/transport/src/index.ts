// For applications.
export { type HttpClientOptions, httpClientTransport } from "./http-client.js";
export type { HttpClientRoutes, StreamChange } from "./http-routes.js";
export { type HttpStreamsClientOptions, httpStreamsClientTransport } from "./http-streams-client.js";
export { type MemoryOptions, memoryPair } from "./memory.js";
export type { Program, Transport, TransportEvents } from "./transport.js";
export { connectGlobalWebSocket, type WebSocketDialOptions } from "./web-socket-dial.js";
export { type WebSocketLike, type WebSocketOptions, webSocketTransport } from "./web-socket.js";

// For other transports.
export type { ByteStream, ByteStreamEvents } from "./byte-stream.js";
export { type ByteStreamOptions, byteStreamTransport } from "./byte-stream-transport.js";
export { webStreamTransport } from "./web-streams.js";
