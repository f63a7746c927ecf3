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
export interface RawPeer {
  readonly received: readonly Message[];
  send(message: unknown): void;
  /** Sends a request and waits for the message with its id. */
  call(method: string, params?: unknown): Promise<Message>;
  /** The first message received, so far or from now on, that `matches`. */
  until(matches: (message: Message) => boolean): Promise<Message>;
  /** The next request or notification named so that was not taken yet. */
  take(method: string): Promise<Message>;
  close(): Promise<void>;
  readonly closed: Promise<Error>;
}

export function rawPeer(transport: Transport): RawPeer {
  const received: Message[] = [];
  const taken = new Set<Message>();
  const waiting = new Set<() => void>();
  let nextId = 1000;
  let onClosed = (_reason: Error): void => {};
  const closed = new Promise<Error>((resolve) => (onClosed = resolve));
  transport.start({
    message(value) {
      received.push(value as Message);
      for (const look of [...waiting]) look();
    },
    malformed: (error) => onClosed(error),
    closed: (reason) => onClosed(reason),
  });

  const until = (matches: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      let seen = 0;
      const look = (): void => {
        const found = received.slice(seen).find(matches);
        seen = received.length;
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void closed.then((reason) => reject(reason));
    });

  return {
    received,
    until,
    closed,
    send: (message) => void transport.send(JSON.stringify(message)),
    call(method, params) {
      const id = nextId++;
      void transport.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return until((message) => message.id === id && message.method === undefined);
    },
    async take(method) {
      const message = await until((candidate) => candidate.method === method && !taken.has(candidate));
      taken.add(message);
      return message;
    },
    close: () => transport.close(),
  };
}
