import { byteLink } from "./byte-link.js";
import type { Control, Target } from "./link.js";
import { memoryPipe, type PipeEnd } from "./pipe.js";

/**
 * A peer that lives in this process and speaks bytes: it receives its end of a pipe. A client peer also
 * receives the framing that it should write, and returns how it is steered.
 */
export type Serve = (pipe: PipeEnd, framing?: "line" | "header") => Control | undefined | void;

/** A target in this process, over a pipe of raw bytes: every `open` is a peer of its own. */
export function memoryTarget(serve: Serve, description = "in memory"): Target {
  return {
    transport: "memory",
    description,
    open(options) {
      const [near, far] = memoryPipe();
      const link = byteLink(near, { transport: "memory", close: async () => near.destroy() }, options);
      const control = serve(far, options.framing);
      return Promise.resolve(control === undefined ? link : { ...link, control });
    },
  };
}
