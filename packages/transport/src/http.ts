export { type HttpServer, httpServer, type HttpServerOptions } from "./http-server.js";
export { createGuard, type GuardOptions, type HeaderSource, type Refusal } from "./guard.js";
