import type { Transport } from "@editwire/transport";

/** Sees every message as a value, before it is handled or after it was sent. */
export type Tap = (direction: "in" | "out", message: unknown) => void;

/** The same transport, with every message shown to the tap. */
export function tapped(transport: Transport, tap: Tap): Transport {
  const show: Tap = (direction, message) => {
    try {
      tap(direction, message);
    } catch {
      // A tap looks on; it may not break what it looks at.
    }
  };
  return {
    start: (events) =>
      transport.start({
        ...events,
        message(value) {
          show("in", value);
          return events.message(value);
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
