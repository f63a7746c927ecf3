import type { Transport } from "@editwire/transport";

/**
 * Called with every message as a value: with a received one before it is handled, with a sent one after it was sent.
 */
export type OnWire = (direction: "in" | "out", message: unknown) => void;

/**
 * The same transport, which calls `onWire` with every message. Errors of `onWire` are ignored: a listener must not
 * break a connection.
 */
export function watched(transport: Transport, onWire: OnWire): Transport {
  const show: OnWire = (direction, message) => {
    try {
      const returned: unknown = onWire(direction, message);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // The messages matter more than who looks at them.
    }
  };
  return {
    start: (events) =>
      transport.start({
        ...events,
        message(value, length) {
          show("in", value);
          return events.message(value, length);
        },
      }),
    send(json) {
      const room = transport.send(json);
      show("out", JSON.parse(json));
      return room;
    },
    close: () => transport.close(),
  };
}
