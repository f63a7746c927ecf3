import { byteLink } from "./byte-link.js";
import type { Target } from "./link.js";
import { memoryPipe, type PipeEnd } from "./pipe.js";

/** A peer that lives in this process and speaks bytes: it is given its end of a pipe. */
export type Serve = (pipe: PipeEnd) => void;

/** A target in this process, over a pipe of raw bytes: every `open` is a peer of its own. */
export function memoryTarget(serve: Serve, description = "in memory"): Target {
  return {
    transport: "memory",
    description,
    open(options) {
      const [near, far] = memoryPipe();
      serve(far);
      const link = byteLink(near, { transport: "memory", close: async () => near.destroy() }, options);
      return Promise.resolve(link);
    },
  };
}
