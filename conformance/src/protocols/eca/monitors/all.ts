import type { Monitor } from "../../../core/talk/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";
import { framingMonitor } from "../../../monitors/framing.js";
import { headerMonitor } from "../../../monitors/header.js";
import { jsonRpcMonitors } from "../../../monitors/jsonrpc.js";
import { schemaMonitor } from "../../../monitors/schema.js";
import { beginningMonitor, decisionMonitor, endingMonitor } from "./client.js";
import { fileChangeMonitor, idMonitor } from "./contents.js";
import { formMonitors, nullParamsMonitor } from "./form.js";
import { v2026Monitors } from "./v2026.js";
import {
  earlyMonitor,
  finishedMonitor,
  messageMonitor,
  reasonMonitor,
  requestIdMonitor,
  roleMonitor,
  usageMonitor,
} from "./turn.js";
import { promptIdMonitor } from "./client.js";
import { wordMonitors } from "./words.js";
import { toolCallMonitor } from "./tool-calls.js";

/** Names the requirement that says how one part of a method looks. */
export const schemaRequirement = (method: string, part: "params" | "result"): string =>
  `ECA-SCHEMA-${method.replace("$", "")}:${part}`;

/** Every monitor of ECA. */
export function ecaMonitors(protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): readonly Monitor[] {
  return [
    framingMonitor({ onlyMessages: "ECA-FRAME-001" }, "eca"),
    headerMonitor(
      {
        present: "ECA-FRAME-002",
        alone: "ECA-FRAME-001",
        ended: "ECA-FRAME-002",
        separated: "ECA-FRAME-002",
        charset: "ECA-FRAME-002",
        listed: "ECA-FRAME-003",
      },
      "eca",
    ),
    ...jsonRpcMonitors(
      { envelope: "ECA-RPC-001", error: "ECA-RPC-002", id: "ECA-RPC-003", once: "ECA-RPC-004", unique: "ECA-RPC-005" },
      "eca",
    ),
    nullParamsMonitor,
    schemaMonitor(protocol, schemaRequirement),
    ...formMonitors,
    ...wordMonitors,
    ...v2026Monitors,
    finishedMonitor,
    roleMonitor,
    toolCallMonitor,
    messageMonitor,
    reasonMonitor,
    requestIdMonitor,
    earlyMonitor,
    usageMonitor,
    idMonitor,
    fileChangeMonitor,
    promptIdMonitor,
    beginningMonitor,
    decisionMonitor,
    endingMonitor,
  ];
}
