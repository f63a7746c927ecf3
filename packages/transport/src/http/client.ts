import type { WireError } from "@editwire/core/errors";
import { HttpClientCore, type HttpClientLimits } from "./client-core.js";
import { EventStream } from "./event-stream.js";
import { parseMessage } from "../shared/json.js";
import type { Transport } from "../transport.js";

/** How messages travel over HTTP: the client's by POST, the server's on an event stream. */
export interface HttpClientOptions extends HttpClientLimits {
  /** Where messages are POSTed, with the client's id in the query. */
  rpc: string | URL;
  /** Where the event stream is read, with the same id. */
  events: string | URL;
  /**
   * The answer to a message whose POST the server refused; `undefined` for a message that is no request. A refusal
   * without an answer closes the transport, and so do 401, 403, 404 and 410. Default: no message is answered.
   */
  refused?: ((message: unknown, why: WireError) => unknown) | undefined;
  /**
   * True for a message that does no harm if it arrives twice, such as the answer to a request of the server. Default:
   * none.
   */
  mayArriveTwice?: ((message: unknown) => boolean) | undefined;
}

/**
 * Reaches a server over HTTP and server-sent events. Messages are POSTed one after another, the first one when the
 * event stream is open. A lost stream is opened again; if the server numbers its events, it continues with
 * `Last-Event-ID`, so that no message is lost. A POST is made again if the server certainly did not take it, or if it
 * may arrive twice: with the same `Idempotency-Key`, for a server whose answers have `Accept-Idempotency-Key: ?1`, or
 * by `mayArriveTwice`. Any other failed POST is given to `refused`; the data of its error has `outcome: "unknown"`
 * where the server may have taken the message. If the server no longer knows this client, after a restart or `idleMs`,
 * the transport closes; a server without event ids cannot report this.
 */
export function httpClientTransport(options: HttpClientOptions): Transport {
  const {
    rpc,
    events,
    refused,
    mayArriveTwice = () => false,
    maxMessageBytes: maxChars = 64 * 1024 * 1024,
    silenceMs = 60_000,
  } = options;
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
      post: (json) => core.postTo(rpc, json, () => mayArriveTwice(parseMessage(json))),
      refused(json, why) {
        const answer = refused?.(parseMessage(json), why);
        if (answer !== undefined) void core.deliver(JSON.stringify(answer));
        return answer !== undefined;
      },
      // Only a server that numbers its events knows the request.
      sayGoodbye: (signal) =>
        stream.isNumbered ? core.requests.make(events, { method: "DELETE" }, signal) : undefined,
    };
  });
}
