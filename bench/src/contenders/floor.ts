import type { Contender, Handlers, Link, Update } from "./contender.js";
import { lineWriter, readLines } from "./lines.js";
import { overStreams } from "./over-streams.js";
import { dialEvents, listenEvents } from "./plain-http.js";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const plain = overStreams(
  (readable, writable, handlers) => {
    const { link, take } = attach(lineWriter(writable), handlers);
    readLines(readable, take);
    return link;
  },
  (socket, handlers) => {
    const { link, take } = attach((message) => socket.send(JSON.stringify(message)), handlers);
    socket.onText((text) => take(JSON.parse(text)));
    return link;
  },
);

/** No protocol at all: split on newlines, `JSON.parse`, one function call. A lower bound that is hard to beat. */
export const contender: Contender = {
  ...plain,
  async dial(address, handlers) {
    if (!address.startsWith("http:")) return (plain.dial as NonNullable<Contender["dial"]>)(address, handlers);
    const events = await dialEvents(address);
    const { link, take } = attach(events.send, handlers);
    events.onText((text) => take(JSON.parse(text)));
    return link;
  },
  async listen(address, handlers) {
    if (!address.startsWith("http:")) return (plain.listen as NonNullable<Contender["listen"]>)(address, handlers);
    return listenEvents((events) => {
      const { take } = attach(events.send, handlers);
      events.onText((text) => take(JSON.parse(text)));
    });
  },
};

/** The two halves of a connection without a protocol. `take` gives what the handler of an update gave. */
export function attach(
  send: (message: object) => void | Promise<void>,
  handlers: Handlers,
): { link: Link; take(message: unknown): void | Promise<void> } {
  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  const link: Link = {
    call: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++lastId, resolve);
        void send({ jsonrpc: "2.0", id: lastId, method, params });
      }),
    update: (params) => send({ jsonrpc: "2.0", method: "session/update", params }),
    close: () => {},
  };
  const answer = (id: number, result: unknown): unknown => send({ jsonrpc: "2.0", id, result });
  return {
    link,
    take(value) {
      const { id, method, params, result } = value as Message;
      if (id === undefined) return handlers.update(params as Update);
      if (method === undefined) {
        waiting.get(id)?.(result);
        waiting.delete(id);
        return undefined;
      }
      const given = handlers.call(method, params, link);
      if (given instanceof Promise) void given.then((settled) => answer(id, settled));
      else answer(id, given);
      return undefined;
    },
  };
}
