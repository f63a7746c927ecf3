import type { Monitor } from "../../../core/talk/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";
import { framingMonitor } from "../../../monitors/framing.js";
import { headerMonitor } from "../../../monitors/header.js";
import { jsonRpcMonitors } from "../../../monitors/jsonrpc.js";
import { schemaMonitor } from "../../../monitors/schema.js";
import { questionMonitor, runMonitor } from "./run.js";
import { timeMonitor } from "./time.js";
import { answerMonitor, callMonitor } from "./wire.js";

/** Names the requirement that says how one part of a method looks. */
export const schemaRequirement = (method: string, part: "params" | "result"): string =>
  `KAIAK-SCHEMA-${method}:${part}`;

/** Every monitor of Kaiak. */
export function kaiakMonitors(protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): readonly Monitor[] {
  return [
    framingMonitor({ onlyMessages: "KAIAK-FRAME-001" }, "kaiak"),
    headerMonitor(
      { present: "KAIAK-FRAME-002", alone: "KAIAK-FRAME-001", ended: "KAIAK-FRAME-002", listed: "KAIAK-FRAME-003" },
      "kaiak",
    ),
    ...jsonRpcMonitors(
      {
        envelope: "KAIAK-RPC-001",
        error: "KAIAK-RPC-002",
        id: "KAIAK-RPC-003",
        once: "KAIAK-RPC-004",
        unique: "KAIAK-RPC-005",
        whole: "KAIAK-RPC-028",
      },
      "kaiak",
    ),
    schemaMonitor(protocol, schemaRequirement),
    runMonitor,
    questionMonitor,
    timeMonitor,
    callMonitor,
    answerMonitor,
  ];
}
