import { type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { FrameCutter } from "../../../wire/framing.js";
import type { PipeEnd, PipeEvents } from "../../../wire/pipe.js";
import { SseCutter } from "../../../wire/sse.js";

/** Reads an event stream: returns its messages as text. */
export interface EventReader {
  push(chunk: Uint8Array): readonly string[];
}

/** Every decision of the reference client's HTTP side, as the spec and real agents want it. */
export const rightHttpClient = {
  /** The id of the client in its n-th POST. */
  postId: (id: string, _count: number): string => id,
  streamId: (id: string): string => id,
  postPath: "/acp/rpc",
  streamPath: "/acp/sse",
  reader(): EventReader {
    const cutter = new SseCutter();
    return { push: (chunk) => cutter.push(chunk).flatMap((part) => (part.kind === "event" ? [part.data] : [])) };
  },
  /** Whether a stream that broke is opened again. */
  reopens: true,
};

/** The switches of the client's HTTP side. */
export type HttpClientBehavior = typeof rightHttpClient;

let clients = 0;

/**
 * One end of a pipe to an agent on HTTP. Posts messages one after another, and reads messages from a stream of events.
 */
export function httpClientPipe(url: string, patch: Partial<HttpClientBehavior> = {}): PipeEnd {
  return new HttpClientPipe(url, { ...rightHttpClient, ...patch });
}

class HttpClientPipe implements PipeEnd {
  readonly #id = `reference-${process.pid}-${++clients}`;
  readonly #cutter = new FrameCutter();
  readonly #calls = new Set<ClientRequest>();
  #events: PipeEvents | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #posts = 0;
  #closed = false;

  readonly #url: string;
  readonly #behavior: HttpClientBehavior;

  constructor(url: string, behavior: HttpClientBehavior) {
    this.#url = url;
    this.#behavior = behavior;
  }

  listen(events: PipeEvents): void {
    this.#events = events;
    void this.#readStream();
  }

  write(chunk: Uint8Array): void {
    for (const cut of this.#cutter.push(chunk)) {
      const { postId, postPath } = this.#behavior;
      const path = `${postPath}?client_id=${encodeURIComponent(postId(this.#id, ++this.#posts))}`;
      if (cut.ok)
        this.#tail = this.#tail
          .then(() => this.#request("POST", path, JSON.stringify(cut.message)))
          .then((answer) => answer?.resume());
    }
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    this.#closed = true;
    for (const call of this.#calls) call.destroy();
  }

  async #readStream(): Promise<void> {
    const { streamId, streamPath, reopens } = this.#behavior;
    do {
      const answer = await this.#request("GET", `${streamPath}?client_id=${encodeURIComponent(streamId(this.#id))}`);
      if (answer === undefined) break;
      const reader = this.#behavior.reader();
      answer.on("data", (chunk: Buffer) => {
        for (const text of reader.push(chunk)) this.#events?.data(Buffer.from(`${text.replaceAll("\n", " ")}\n`));
      });
      await new Promise<void>((resolve) => answer.on("error", () => {}).once("close", resolve));
    } while (reopens && !this.#closed);
    if (!this.#closed) this.#events?.end();
  }

  #request(method: string, path: string, body?: string): Promise<IncomingMessage | undefined> {
    return new Promise((resolve) => {
      const call = send(
        new URL(path, this.#url),
        {
          method,
          agent: false,
          headers: body === undefined ? { accept: "text/event-stream" } : { "content-type": "application/json" },
        },
        resolve,
      );
      this.#calls.add(call);
      call.once("error", () => resolve(undefined));
      call.once("close", () => this.#calls.delete(call));
      call.end(body);
    });
  }
}
