import type { Monitor } from "../../../core/talk/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";
import { objectFrameMonitor } from "../../../monitors/object-frames.js";
import { schemaMonitor } from "../../../monitors/schema.js";
import { threadMonitor } from "./agent-thread.js";
import { turnMonitor } from "./agent-turn.js";
import { additionMonitor, formMonitors, typeMonitor, uuidMonitor } from "./form.js";
import { envelopeMonitor, rootTimestampMonitor } from "./frame.js";
import { hostMonitors } from "./host-send.js";

/** Names the requirement that says how the data of a message looks. */
export const schemaRequirement = (method: string, part: "params" | "result"): string =>
  `HELIX-SCHEMA-${method}:${part}`;

/** Every monitor. */
export function helixMonitors(protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): Monitor[] {
  return [
    objectFrameMonitor("HELIX-FRAME-001", "helix-zed"),
    envelopeMonitor,
    schemaMonitor(protocol, schemaRequirement),
    ...formMonitors,
    additionMonitor,
    typeMonitor,
    uuidMonitor,
    rootTimestampMonitor,
    threadMonitor,
    turnMonitor,
    ...hostMonitors,
  ];
}
