import type { Transport } from "@editwire/transport";
import type { JsonRpcOptions } from "./options.js";

/** The same transport, with every message shown to the tap. */
export function tapped(transport: Transport, tap: NonNullable<JsonRpcOptions["tap"]>): Transport {
  const show: typeof tap = (direction, message) => {
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
