import type { Monitor } from "../../../core/talk/monitor.js";
import type { ConformanceProtocol } from "../../../core/protocol.js";
import { framingMonitor } from "../../../monitors/framing.js";
import { headerMonitor } from "../../../monitors/header.js";
import { jsonRpcMonitors } from "../../../monitors/jsonrpc.js";
import { schemaMonitor } from "../../../monitors/schema.js";
import { schemaRequirement } from "../client-facts.js";
import { base64Monitor } from "./base64.js";
import {
  beginningMonitor,
  senderMonitor,
  cancelledPermissionMonitor,
  cancelNotificationMonitor,
  offeredModeMonitor,
  promptContentMonitor,
} from "./client.js";
import { httpMonitor, remoteMonitor } from "./remote.js";
import {
  permissionOptionsMonitor,
  permissionOutcomeMonitor,
  rawInputMonitor,
  toolCallMonitor,
  updateKindMonitor,
} from "./update.js";
import { knownSessionMonitor, mcpServersMonitor, modesMonitor, openedSessionMonitor } from "./session.js";
import { busyMonitor, lateUpdateMonitor } from "./turn.js";
import {
  cancelledTurnMonitor,
  configValuesMonitor,
  filesMonitor,
  infoMonitor,
  offeredMonitor,
  pathsMonitor,
  closedFormsMonitor,
  contentFormsMonitor,
  rootFieldsMonitor,
  terminalMonitor,
} from "./v1.js";

/** Every monitor of ACP. */
export function acpMonitors(protocol: Pick<ConformanceProtocol, "table" | "accept" | "name">): readonly Monitor[] {
  return [
    framingMonitor({ onlyMessages: "ACP-FRAME-001" }, "acp"),
    headerMonitor({ ended: "ACP-FRAME-001", alone: "ACP-FRAME-001" }, "acp"),
    ...jsonRpcMonitors(
      {
        envelope: "ACP-RPC-001",
        error: "ACP-RPC-002",
        id: "ACP-RPC-003",
        once: "ACP-RPC-004",
        unique: "ACP-RPC-005",
        whole: "ACP-RPC-031",
      },
      "acp",
    ),
    schemaMonitor(protocol, schemaRequirement),
    lateUpdateMonitor,
    busyMonitor,
    knownSessionMonitor,
    openedSessionMonitor,
    modesMonitor,
    mcpServersMonitor,
    updateKindMonitor,
    toolCallMonitor,
    rawInputMonitor,
    permissionOptionsMonitor,
    permissionOutcomeMonitor,
    beginningMonitor,
    senderMonitor,
    cancelNotificationMonitor,
    offeredModeMonitor,
    cancelledPermissionMonitor,
    promptContentMonitor,
    base64Monitor,
    infoMonitor,
    offeredMonitor,
    rootFieldsMonitor,
    pathsMonitor,
    closedFormsMonitor,
    contentFormsMonitor,
    filesMonitor,
    configValuesMonitor,
    cancelledTurnMonitor,
    terminalMonitor,
    httpMonitor,
    remoteMonitor,
  ];
}
