// For applications.
export { type HttpClientOptions, httpClientTransport } from "./http/client.js";
export type { HttpClientRoutes, StreamChange } from "./http/routes.js";
export { httpStreamsClientTransport } from "./http/streams-client.js";
export { memoryPair } from "./memory/memory.js";
export type { Program, Transport, TransportEvents } from "./transport.js";
export { connectGlobalWebSocket, type WebSocketDialOptions } from "./web-socket/dial.js";
export { type WebSocketLike, webSocketTransport } from "./web-socket/transport.js";

// For other transports.
export type { ByteStream, ByteStreamEvents } from "./stream/byte-stream.js";
export { type ByteStreamOptions, byteStreamTransport } from "./stream/transport.js";
export { webStreamTransport } from "./stream/web-streams.js";
