import type { PartName } from "../messages.js";
import { tell } from "../messages.js";
import type { Short } from "./short.js";

/** Tells the demo of every message that this process exchanges with another one: the listener `onWire` of bindings. */
export function reportWire(
  self: PartName,
  other: PartName,
  protocol: string,
  short: (message: unknown) => Short | undefined,
): (direction: "in" | "out", message: unknown) => void {
  return (direction, message) => {
    const said = short(message);
    if (said === undefined) return;
    const [from, to] = direction === "out" ? [self, other] : [other, self];
    tell({ type: "entry", entry: { from, to, protocol, ...said } });
  };
}
