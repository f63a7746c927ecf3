import { defineCase } from "../../../../core/case.js";
import type { AgentContext } from "../../agent-role.js";

/** Section 5.6: ending a turn early. */
export const cancelCases = [
  defineCase<AgentContext>(
    {
      id: "acp.agent.cancel.permission-open",
      role: "agent",
      title: "cancel while a permission request is open",
      emits: ["ACP-CANCEL-002"],
      needs: ["ask-permission"],
      smoke: true,
    },
    async (t) => {
      const session = await t.session();
      const turn = t.prompt(session, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
      t.send.notify("session/cancel", { sessionId: session.id });
      t.reply(ask, { outcome: { outcome: "cancelled" } });
      const end = await t.require("ACP-CANCEL-002", turn.result());
      t.check("ACP-CANCEL-002", end["stopReason"] === "cancelled", { expected: "stopReason cancelled", actual: end });
    },
  ),
];
