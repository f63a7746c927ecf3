import { HttpClientCore, type HttpClientLimits } from "./http-client-core.js";
import { EventStream } from "./http-event-stream.js";
import type { Transport } from "./transport.js";

/** How messages travel over HTTP: the client's by POST, the server's on an event stream. */
export interface HttpClientOptions extends HttpClientLimits {
  /** Where messages are POSTed, with the client's id in the query. */
  rpc: string | URL;
  /** Where the event stream is read, with the same id. */
  events: string | URL;
}

/**
 * Reaches a server over HTTP and server-sent events. Messages are POSTed one after another, the first one when the
 * event stream is open. A lost stream is opened again, and a POST whose answer was lost is sent again. If the server
 * numbers its events, the stream continues with `Last-Event-ID` and the POST has the same `Idempotency-Key`, so that no
 * message is lost or arrives twice. If the server no longer knows this client, after a restart or `idleMs`, the
 * transport closes; a server without event ids cannot report this.
 */
export function httpClientTransport(options: HttpClientOptions): Transport {
  const { rpc, events, maxMessageBytes: maxChars = 64 * 1024 * 1024, silenceMs = 60_000 } = options;
  return new HttpClientCore(options, (core) => {
    const stream = new EventStream(core.requests, {
      url: events,
      maxChars,
      silenceMs,
      onOpen: () => core.outbox.open(),
      onMessage: (data) => core.deliver(data),
    });
    return {
      gone: 410,
      begin: () => void core.follow(stream),
      post: (json) => core.postTo(rpc, json, stream.isNumbered),
      // Only a server that numbers its events knows the request.
      sayGoodbye: (signal) =>
        stream.isNumbered ? core.requests.once(events, { method: "DELETE" }, signal) : undefined,
    };
  });
}
