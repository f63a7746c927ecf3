export { type HttpClient, type HttpServer, httpServer, type HttpServerOptions } from "./http-server.js";
export { type CallerRequest, createGuard, type GuardOptions, type HeaderSource, type Refusal } from "./guard.js";
