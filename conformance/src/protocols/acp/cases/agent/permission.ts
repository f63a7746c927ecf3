import { isObject } from "@editwire/core";
import type { Incoming } from "../../../../core/talk/talk.js";
import { permissionResult } from "../../answers.js";
import { defineCases } from "../../agent-role.js";

const completed = { update: { status: "completed" } };
const needs = ["ask-permission"];

const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });

/** Answers that no user gave. */
const unusable = {
  "no-such-option": () => selected("no-such-option"),
  "longer-option": (params: unknown) =>
    selected(`${String(permissionResult(params, "allow_once").outcome["optionId"])}_unoffered`),
  error: () => ({ error: { code: -32603, message: "the user could not be asked" } }),
} as const;

/** Whether updates say that a tool has run. */
export const ran = (updates: readonly Incoming[]): boolean =>
  updates.some(
    ({ params: { update } }) =>
      isObject(update) && update["sessionUpdate"] === "tool_call_update" && update["status"] === "completed",
  );

/** Section 6.1: what a permission request decides. */
export const permissionCases = defineCases({
  "permission.allowed": {
    title: "a tool does not run before it is allowed, and then it does",
    emits: ["ACP-PERM-002", "ACP-PERM-003"],
    needs,
    smoke: true,
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
      await t.require("ACP-PERM-002", t.quiet(200, { method: "session/update", params: completed }));
      t.check("ACP-PERM-002", !ran(turn.updates()), {
        expected: "no completed tool before the answer",
        actual: turn.updates(),
      });
      t.decide(ask, "allow_once");
      await turn.result({ stopReason: "end_turn" });
      t.check("ACP-PERM-003", ran(turn.updates()), { expected: "a completed tool call", actual: turn.updates() });
    },
  },
  "permission.once": {
    title: "what was allowed once is asked again",
    emits: ["ACP-PERM-002"],
    needs,
    async run(t) {
      const session = await t.session();
      t.permit("allow_once");
      await t.prompt(session, t.say("ask-permission")).response();
      const before = t.rest("session/update", { sessionId: session.id }).length;
      t.permit("reject_once");
      const again = t.prompt(session, t.say("ask-permission"));
      await again.response();
      const late = again.updates().slice(before);
      t.check("ACP-PERM-002", !ran(late), { expected: "no completed tool call", actual: late });
    },
  },
  "permission.side-by-side": {
    title: "two sessions have open requests at the same time, and each answer goes to its own request",
    emits: ["ACP-TURN-010", "ACP-PERM-003", "ACP-PERM-004"],
    needs,
    async run(t) {
      const [one, other] = [await t.session(), await t.session()];
      const [first, second] = [t.prompt(one, t.say("ask-permission")), t.prompt(other, t.say("ask-permission"))];
      const asked = t.expect.request("session/request_permission", { sessionId: one.id });
      const askedToo = await t.require(
        "ACP-TURN-010",
        t.expect.request("session/request_permission", { sessionId: other.id }),
      );
      t.decide(askedToo, "reject_once");
      t.decide(await asked, "allow_once");
      await second.response();
      await first.response();
      t.check("ACP-PERM-004", !ran(second.updates()), {
        expected: "no completed tool call in the session that was refused it",
        actual: second.updates(),
      });
      t.check("ACP-PERM-003", ran(first.updates()), {
        expected: "a completed tool call in the session that was allowed it",
        actual: first.updates(),
      });
    },
  },
  ...defineCases.each(["reject_once", "cancelled", "no-such-option", "longer-option", "error"] as const, (answer) => ({
    [`permission.${answer.replace("_", "-")}`]: {
      title: `a tool does not run when the answer is ${answer}`,
      emits: ["ACP-PERM-004"],
      needs,
      async run(t) {
        const session = await t.session();
        if (answer === "reject_once" || answer === "cancelled") t.permit(answer);
        else t.answer("session/request_permission", unusable[answer]);
        const turn = t.prompt(session, t.say("ask-permission"));
        await turn.response();
        t.check("ACP-PERM-004", !ran(turn.updates()), { expected: "no completed tool call", actual: turn.updates() });
      },
    },
  })),
});
