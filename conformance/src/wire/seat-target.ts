import type { AgentAddress } from "./control.js";
import type { Control, Target } from "./link.js";
import type { Seat } from "./seat.js";

/** A client in this process, which connects to the suite's agent wherever the seat puts it. */
export function seatTarget(seat: Seat, connect: (agent: AgentAddress, framing: "line" | "header") => Control, description = "in this process"): Target {
  return {
    transport: seat.transport,
    description,
    async open(options) {
      const place = await seat.prepare(options);
      const control = connect(place.agent, options.framing);
      return { ...(await place.taken), control };
    },
  };
}
