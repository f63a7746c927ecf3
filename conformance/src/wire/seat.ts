import type { AgentAddress } from "./control.js";
import type { Link, OpenOptions } from "./link.js";
import { makeShim } from "./shim.js";
import { socketLink } from "./socket.js";

/** A place that the suite takes as the agent of one client, ready before the client starts. */
export interface Place {
  /** The agent's address, as an adapter receives it. */
  readonly agent: AgentAddress;
  /** Values for `{name}` in the client's command line. */
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when the client has come. */
  readonly taken: Promise<Link>;
  close(): Promise<void>;
}

/** How clients reach the suite. */
export interface Seat {
  readonly transport: string;
  prepare(options: OpenOptions): Promise<Place>;
}

/** The client starts an executable, which relays its stdin and stdout to the suite. */
export function stdioSeat(): Seat {
  return {
    transport: "stdio",
    async prepare(options) {
      const { trace } = options;
      const shim = await makeShim((hello) =>
        trace.add({ kind: "event", from: "target", name: "second-agent", data: { argv: hello.argv } }),
      );
      const taken = shim.connected.then(({ socket, hello }) => {
        trace.add({ kind: "event", from: "target", name: "agent-started", data: { argv: hello.argv, cwd: hello.cwd } });
        // An agent ends when its input does.
        socket.once("end", () => socket.end());
        const link = socketLink(socket, "stdio", options);
        socket.resume();
        return link;
      });
      return {
        agent: { command: [shim.executable] },
        variables: { agent: shim.executable },
        taken,
        close: () => shim.close(),
      };
    },
  };
}
