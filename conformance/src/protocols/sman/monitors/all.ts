import type { Monitor } from "../../../core/talk/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";
import { objectFrameMonitor } from "../../../monitors/object-frames.js";
import { schemaMonitor } from "../../../monitors/schema.js";
import { callMonitor } from "./calls.js";
import { resultMonitor } from "./results.js";
import { v2Monitors } from "./v2.js";

/** Names the requirement that says how the fields of a message look. */
export const schemaRequirement = (method: string, part: "params" | "result"): string => `SMAN-SCHEMA-${method}:${part}`;

/** Every monitor. */
export function smanMonitors(protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): Monitor[] {
  return [
    objectFrameMonitor("SMAN-FRAME-001", "sman"),
    schemaMonitor(protocol, schemaRequirement),
    callMonitor,
    resultMonitor,
    ...v2Monitors,
  ];
}
