import { defineCase } from "../../../../core/case.js";
import type { ClientContext } from "../../client-role.js";

/** Section 6.1: what a cancel means for open permission requests. */
export const cancelCases = [
  defineCase<ClientContext>(
    {
      id: "acp.client.cancel.permission-open",
      role: "client",
      title: "an open permission request is answered with cancelled after session/cancel",
      emits: ["ACP-CANCEL-005"],
      smoke: true,
    },
    async (t) => {
      const sessionId = await t.session();
      await t.act("permission", { answer: "hold" });
      const turn = await t.prompt(sessionId, "ask me");
      const ask = t.send.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId: "call-1", title: "A tool", status: "pending" },
        options: [
          { optionId: "allow_once", name: "Allow", kind: "allow_once" },
          { optionId: "reject_once", name: "Reject", kind: "reject_once" },
        ],
      });
      await t.act("cancel", { sessionId });
      await t.expect.notify("session/cancel", { sessionId });
      await t.require("ACP-CANCEL-005", ask.result({ outcome: { outcome: "cancelled" } }));
      turn.end("cancelled");
      await turn.done;
      await t.act("permission", { answer: "allow_once" });
    },
  ),
];
