export { type HttpServer, httpServer } from "./http/server.js";
export type { HttpClient, HttpServerOptions, HttpStreamsServerOptions } from "./http/options.js";
export type { HttpServerRoutes, StreamsHeaders } from "./http/routes.js";
export { httpStreamsServer } from "./http/streams-server.js";
export {
  type CallerRequest,
  createGuard,
  type GuardOptions,
  type HeaderSource,
  type Refusal,
} from "./listening/guard.js";
