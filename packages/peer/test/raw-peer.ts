import type { Transport } from "@editwire/transport";

/** A message as it is on the wire. */
export interface Message {
  jsonrpc?: string;
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** The other end of a connection, written on the raw wire: it knows JSON and nothing else. */
export class RawPeer {
  readonly received: Message[] = [];
  readonly closed: Promise<Error>;
  readonly #transport: Transport;
  readonly #taken = new Set<Message>();
  readonly #waiting = new Set<() => void>();
  #nextId = 1000;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.closed = new Promise((resolve) =>
      transport.start({
        message: (value) => {
          this.received.push(value as Message);
          for (const look of [...this.#waiting]) look();
        },
        malformed: resolve,
        closed: resolve,
      }),
    );
  }

  send(message: unknown): void {
    void this.#transport.send(JSON.stringify(message));
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request and waits for the message with its id, as a number or as a text. */
  call(method: string, params?: unknown): Promise<Message> {
    const id = this.#nextId++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.until((message) => Number(message.id) === id && message.method === undefined);
  }

  answer({ id }: Message, result: unknown): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  /** Waits until something holds; looks after every message. */
  when(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
      void this.closed.then(reject);
    });
  }

  /** The first message received, so far or from now on, that `matches`. */
  async until(matches: (message: Message) => boolean): Promise<Message> {
    let found: Message | undefined;
    let seen = 0;
    await this.when(() => {
      while (found === undefined && seen < this.received.length) {
        const message = this.received[seen++] as Message;
        if (matches(message)) found = message;
      }
      return found !== undefined;
    });
    return found as unknown as Message;
  }

  /** The next message that `matches` and was not taken yet. */
  async next(matches: (message: Message) => boolean): Promise<Message> {
    const message = await this.until((candidate) => !this.#taken.has(candidate) && matches(candidate));
    this.#taken.add(message);
    return message;
  }

  /** The next request or notification of that method. */
  take(method: string): Promise<Message> {
    return this.next((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
