import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, type TestTurn } from "../../agent-role.js";

const kindOf = (update: unknown): unknown => (isObject(update) ? update["sessionUpdate"] : undefined);

/** The last status of every tool call of a turn. */
function statusesOf(turn: TestTurn): unknown[] {
  const statuses = new Map<unknown, unknown>();
  for (const { params } of turn.updates()) {
    const { update } = params;
    if (!isObject(update) || (kindOf(update) !== "tool_call" && kindOf(update) !== "tool_call_update")) continue;
    const { toolCallId, status = statuses.get(toolCallId) } = update;
    statuses.set(toolCallId, status);
  }
  return [...statuses.values()];
}

/** Sections 8.3 to 8.5: what is reported of tools and plans. The monitors judge the form. */
export const updateCases: readonly Case[] = defineCases({
  ...defineCases.each(["tool-ok", "tool-fail"], (behavior) => ({
    [`update.${behavior}`]: {
      title: `a turn with a tool is reported to its end (${behavior})`,
      emits: ["ACP-UPDATE-005"],
      needs: [behavior],
      async run(t) {
        const session = await t.session();
        t.permit("allow_once");
        let turn = t.prompt(session, t.say(behavior));
        await turn.result();
        if (behavior === "tool-ok") {
          turn = t.prompt(session, t.say(behavior));
          await turn.result();
        }
        const statuses = statusesOf(turn);
        t.needs(statuses.length > 0, "the agent reports no tools");
        const ended = statuses.every((status) => status === "completed" || status === "failed");
        t.check("ACP-UPDATE-005", ended, { expected: "tool calls that are completed or failed", actual: statuses });
      },
    },
  })),
  "update.plan": {
    title: "a plan is reported as an update",
    emits: ["ACP-SCHEMA-session/update:params"],
    needs: ["plan"],
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("plan"));
      await turn.response();
      const told = turn.updates().some(({ params }) => kindOf(params["update"]) === "plan");
      t.needs(told, "the agent reports no plans");
      t.pass("ACP-SCHEMA-session/update:params");
    },
  },
});
