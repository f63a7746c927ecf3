import type { WireError } from "@editwire/core/errors";
import type { EventSourceMessage } from "eventsource-parser";
import { type EventLimits, readEvents } from "./events.js";
import type { Init, Requests } from "./requests.js";

/** How an event stream is read. */
export interface EventStreamOptions extends EventLimits {
  readonly url: string | URL;
  /** Sent when the stream is opened, beside those of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called each time the stream is open. */
  onOpen(): void;
  /** Called with the data of each message. While the promise that it returns is pending, no more is read. */
  onMessage(data: string): void | Promise<void>;
}

/** An event stream of a server, which is opened again where it was lost. */
export class EventStream {
  readonly #requests: Requests;
  readonly #options: EventStreamOptions;
  #lastEventId: string | undefined;

  constructor(requests: Requests, options: EventStreamOptions) {
    this.#requests = requests;
    this.#options = options;
  }

  /** True when the server numbers its events, so that nothing is lost with the stream. */
  get isNumbered(): boolean {
    return this.#lastEventId !== undefined;
  }

  /** Opens the stream, after the last event that came, and reads it to its end. False when nothing came. */
  async read(signal: AbortSignal): Promise<boolean> {
    const { url, headers, onOpen } = this.#options;
    const resume: Record<string, string> =
      this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId };
    const init: Init = { headers: { accept: "text/event-stream", ...headers, ...resume }, cache: "no-store" };
    const { body, headers: answered } = await this.#requests.make(url, init, signal);
    const type = answered.get("content-type");
    if (body === null || !type?.startsWith("text/event-stream")) {
      void body?.cancel().catch(() => {});
      throw this.#requests.failure(url, init, `expected an answer of type text/event-stream, received ${type}`);
    }
    this.#lastEventId ??= answered.get("last-event-id") ?? undefined;
    this.#requests.reached = true;
    onOpen();
    let count = 0;
    await readEvents(body, this.#options, (event) => {
      count += 1;
      return signal.aborted ? undefined : this.#take(event);
    });
    return count > 0;
  }

  #take({ data, id, event = "message" }: EventSourceMessage): void | Promise<void> {
    // Only an id that a header can carry is kept.
    if (id !== undefined && /^[\x20-\x7e]*$/.test(id)) this.#lastEventId = id === "" ? undefined : id;
    if (event === "message") return this.#options.onMessage(data);
  }
}

/** The status with which a request failed; `undefined` when there was no answer. */
export const statusOf = ({ data }: WireError): number | undefined => (data as { status?: number } | undefined)?.status;

/** Whether the server may have taken the message of a failed request. */
export const isOutcomeUnknown = ({ data }: WireError): boolean =>
  (data as { outcome?: string } | undefined)?.outcome === "unknown";
