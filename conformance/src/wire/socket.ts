import { connect, type Socket } from "node:net";
import { byteLink } from "./byte-link.js";
import { type Ended, type OpenOptions, type Link, type Target, TargetError } from "./link.js";
import type { PipeEnd } from "./pipe.js";

/** A target that listens on a Unix socket (or a named pipe). Every `open` is a connection of its own. */
export function unixTarget(path: string): Target {
  return {
    transport: "unix",
    description: path,
    async open(options) {
      const socket = await connected(path);
      options.trace.add({ kind: "event", from: "suite", name: "open", data: { path } });
      return socketLink(socket, "unix", options);
    },
  };
}

/** A link over a socket that is connected. */
export function socketLink(socket: Socket, transport: string, options: OpenOptions): Link {
  const gone = new Promise<Ended>((resolve) => {
    socket.once("close", (failed) =>
      resolve({ reason: failed ? "the connection broke" : "the target closed the connection" }),
    );
  });
  const close = async (): Promise<void> => {
    socket.end();
    const killer = setTimeout(() => socket.destroy(), options.graceMs);
    await gone;
    clearTimeout(killer);
  };
  return byteLink(pipeOf(socket), { transport, gone, close }, options);
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error) =>
      reject(new TargetError(`cannot connect to ${path}: ${error.message}`, { cause: error })),
    );
  });
}

/** A socket as one end of a pipe. */
export function pipeOf(socket: Socket): PipeEnd {
  // A broken connection is reported by its close event.
  socket.on("error", () => {});
  return {
    listen({ data, end }) {
      socket.on("data", data);
      socket.once("end", end);
    },
    write: (chunk) => void (socket.writable && socket.write(chunk)),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
}
