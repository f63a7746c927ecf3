import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { isSpelling, typeProblem } from "../envelope.js";
import { toolNames } from "../samples.js";

const fields = ["toolCallId", "toolName", "params", "webSocketSessionId"];

/** How a backend calls. */
export const callMonitor = defineMonitor(
  {
    id: "sman.backend.calls",
    title: "calls have their fields at the root, ids of their own and the session of their connection",
    req: [
      "SMAN-FRAME-002",
      "SMAN-FRAME-005",
      "SMAN-CALL-001",
      "SMAN-CALL-002",
      "SMAN-CALL-003",
      "SMAN-CALL-004",
      "SMAN-CALL-005",
      "SMAN-CALL-010",
    ],
    role: "backend",
  },
  (api) => {
    const ids = new Set<unknown>();
    let session: unknown;
    return {
      message({ from, is, entry }) {
        if (from !== "target" || !isObject(entry.message)) return;
        const { type, data, toolCallId, toolName, params, webSocketSessionId } = entry.message;
        const judge = (req: string, isRight: boolean, message: string, expected: string): void =>
          void api.require(req, isRight, entry, { message, expected, actual: entry.message });
        const problem = typeProblem(entry.message);
        judge("SMAN-FRAME-005", type !== "TOOL_RESULT", "a TOOL_RESULT of a backend", "a TOOL_CALL");
        judge("SMAN-FRAME-002", problem === undefined, problem ?? "", "type: TOOL_CALL");
        if (type === "TOOL_CALL") {
          const inData = fields.filter((name) => isObject(data) && name in data);
          const isFlat = inData.length === 0 && toolCallId !== undefined;
          judge("SMAN-CALL-001", isFlat, `${inData.join(", ") || "toolCallId"} is not at the root`, fields.join(", "));
          judge("SMAN-CALL-002", !("data" in entry.message) || inData.length > 0, "a call with data", "no data");
          if (isFlat) {
            const isId = typeof toolCallId === "string" && toolCallId !== "";
            judge("SMAN-CALL-003", isId, "an id that is not a string", "toolCallId: a text");
            if (isId)
              judge("SMAN-CALL-004", !ids.has(toolCallId), "an id that an earlier call has", "an id of its own");
            ids.add(toolCallId);
          }
          const inside = isObject(params) ? params["webSocketSessionId"] : undefined;
          session ??= webSocketSessionId;
          if (webSocketSessionId !== undefined && inside !== undefined)
            judge(
              "SMAN-CALL-005",
              inside === webSocketSessionId && session === webSocketSessionId,
              "another session than at the root, or than in the call before",
              String(session),
            );
        }
        if (type === "TOOL_CALL" && typeof toolName === "string") {
          const meant = toolNames.find((name) => isSpelling(toolName, name) && name !== toolName);
          const message = `toolName: another spelling of ${meant}`;
          judge("SMAN-CALL-010", meant === undefined, message, meant ?? "");
          if (meant !== undefined) api.fatal(entry, message);
        }
        if (is.kind === "invalid") api.fatal(entry, is.problem);
      },
    };
  },
);
