import type { Monitor } from "../../../core/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";

/** Every monitor. */
export function helixMonitors(_protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): Monitor[] {
  return [];
}
