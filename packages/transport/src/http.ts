export { type HttpClient, type HttpServer, httpServer, type HttpServerOptions } from "./http-server.js";
export type { HttpServerRoutes, StreamsHeaders } from "./http-routes.js";
export { httpStreamsServer, type HttpStreamsServerOptions } from "./http-streams-server.js";
export { type CallerRequest, createGuard, type GuardOptions, type HeaderSource, type Refusal } from "./guard.js";
