import type { AgentAddress } from "./control.js";
import type { Control, Target } from "./link.js";
import type { Seat } from "./seat.js";

/** A client in this process, which connects to the suite's agent wherever the seat puts it. */
export function seatTarget(
  seat: Seat,
  connect: (agent: AgentAddress, framing: "line" | "header") => Control,
  description = "in this process",
): Target {
  return {
    transport: seat.transport,
    description,
    async open(options) {
      const place = await seat.prepare(options);
      const control = connect(place.agent, options.framing);
      const link = await place.taken;
      const close = async (): Promise<void> => {
        await link.close();
        await place.close();
      };
      return { ...link, control, close };
    },
  };
}

/** A client that somebody else starts. `announce` gets told where it finds the suite's agent, for each connection. */
export function awaitedTarget(seat: Seat, announce: (how: string) => void): Target {
  return {
    transport: seat.transport,
    description: "a client that was started by hand",
    async open(options) {
      const place = await seat.prepare(options);
      announce(
        "command" in place.agent
          ? `the agent to start: ${place.agent.command.join(" ")}`
          : `the agent to connect to: ${place.agent.url}`,
      );
      const link = await place.taken;
      const close = async (): Promise<void> => {
        await link.close();
        await place.close();
      };
      return { ...link, close };
    },
  };
}
