import type { HttpStreamsServerOptions, ListenOptions, WebSocketServerOptions } from "@editwire/transport/node";
import type { AcpAgentOptions } from "../agent/api.js";
import type { AcpAddress } from "./paths.js";

/**
 * How an agent is served over the network; `hosts`, `origins`, `token` and `authenticate` say to whom. A limit that
 * both HTTP and WebSockets have applies to each of them.
 */
export interface AcpHandlerOptions
  extends AcpAgentOptions,
    AcpAddress,
    Omit<
      HttpStreamsServerOptions,
      "path" | "headers" | "onClient" | "opens" | "keeps" | "routes" | "refuse" | "maxBodyBytes" | "maxReplayBytes"
    >,
    Omit<WebSocketServerOptions, "path" | "refuse" | "refuseOpen" | "opens" | "answerHeaders" | "readBinary"> {
  /** Bytes of one POST; a larger one is answered 413. Default 16 MiB; 4 MiB with `paths: "spec"`. */
  maxBodyBytes?: number | undefined;
  /**
   * Characters that each event stream keeps after they were sent, for a client that opens it again with
   * `Last-Event-ID`. Default 1 Mi; with `paths: "spec"`, where a client has one stream, 16 Mi. The last message is
   * always kept.
   */
  maxReplayBytes?: number | undefined;
}

/** How an agent listens. `maxConnections` counts WebSockets; 128 more connections of HTTP may be open. */
export interface AcpListenOptions extends AcpHandlerOptions, Omit<ListenOptions, "upgrade"> {}
