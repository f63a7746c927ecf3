import { onTestFinished } from "vitest";
import type { Message } from "../../peer/test/raw-peer.js";

/** A client on the raw wire: POSTs and an event stream, by hand. */
export interface HttpPeer {
  /** POSTs a message, or a body as it is, and gives the answer. */
  post(message: unknown): Promise<{ status: number; text: string; type: string | null }>;
  /** Opens an event stream, to go on after the event `lastEventId` if it is given. */
  open(lastEventId?: string): Promise<HttpStream>;
}

/** The messages of one event stream. */
export interface HttpStream {
  readonly type: string | null;
  readonly text: string;
  readonly received: readonly Message[];
  /** The id of the last event that came. */
  readonly lastEventId: string | undefined;
  /** The first message that fits, so far or from now on. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  readonly ended: Promise<void>;
  /** Drops the connection. */
  abort(): void;
}

/** Speaks to the server at `url` under one client id. */
export function httpPeer(url: string, clientId: string, headers: Record<string, string> = {}): HttpPeer {
  const query = `?client_id=${encodeURIComponent(clientId)}`;
  return {
    async post(message) {
      const body = typeof message === "string" ? message : JSON.stringify(message);
      const response = await fetch(`${url}/acp/rpc${query}`, { method: "POST", body, headers });
      return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
    },
    async open(lastEventId) {
      const controller = new AbortController();
      onTestFinished(() => controller.abort());
      const response = await fetch(`${url}/acp/sse${query}`, {
        headers: lastEventId === undefined ? headers : { ...headers, "last-event-id": lastEventId },
        signal: controller.signal,
      });
      return httpStream(response, controller);
    },
  };
}

/** Reads the event stream that `controller` aborts. */
export function httpStream(response: Response, controller: AbortController): HttpStream {
  const looks = new Set<() => void>();
  let text = "";
  const messages = (): Message[] => {
    const events = text.split("\n\n").slice(0, -1); // the last one may still grow
    return events.flatMap((event) =>
      event.includes("data: ") ? [JSON.parse(event.slice(event.indexOf("data: ") + 6)) as Message] : [],
    );
  };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      for (const look of looks) look();
    }
  };
  const ended = read().catch(() => {}); // aborted
  return {
    type: response.headers.get("content-type"),
    get text() {
      return text;
    },
    get received() {
      return messages();
    },
    get lastEventId() {
      return text.match(/(?<=^id: ).*/gm)?.at(-1);
    },
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages().find(fits);
          if (found === undefined) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
        void ended.then(() => reject(new Error(`the stream ended after ${text}`)));
      }),
    ended,
    abort: () => controller.abort(),
  };
}
