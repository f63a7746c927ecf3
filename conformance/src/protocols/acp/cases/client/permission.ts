import { isObject } from "@editwire/core";
import { defineCases } from "../../client-role.js";

/** Ids that say nothing, in an order that says nothing. */
const options = [
  { optionId: "b7", name: "Never", kind: "reject_always" },
  { optionId: "allow_not", name: "No", kind: "reject_once" },
  { optionId: "c1", name: "Yes", kind: "allow_once" },
  { optionId: "reject_not", name: "Always", kind: "allow_always" },
];
const kinds: Readonly<Record<string, string>> = Object.fromEntries(
  options.map(({ optionId, kind }) => [optionId, kind]),
);

/** Section 6.1: asking the user. */
export const permissionCases = defineCases({
  "permission.answer": {
    title: "the user allows one tool and rejects another",
    emits: ["ACP-PERM-005"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      for (const policy of ["allow", "reject"] as const) {
        if (t.steered) await t.permission(policy);
        await t.require("ACP-PERM-005", t.ask(session).result());
      }
      if (t.steered) {
        await t.permission("cancel");
        const closed = { outcome: { outcome: "cancelled" } };
        await t.require("ACP-PERM-005", t.ask(session).result(closed));
      }
      turn.end();
      await turn.done;
    },
  },
  "permission.kinds": {
    title: "the options have misleading ids and a misleading order",
    emits: ["ACP-PERM-006"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      for (const policy of ["allow", "reject"] as const) {
        await t.permission(policy);
        const { outcome } = await t.require(
          "ACP-PERM-006",
          t.ask(session, { options }).result({ outcome: { outcome: "selected" } }),
        );
        const chosen = kinds[(outcome as { optionId: string }).optionId];
        t.check("ACP-PERM-006", chosen?.startsWith(policy) === true, {
          expected: `an option of the kind ${policy}_once or ${policy}_always`,
          actual: outcome,
        });
      }
      turn.end();
      await turn.done;
    },
  },
  "permission.two": {
    title: "two tools ask at once, with options of their own",
    emits: ["ACP-PERM-005"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      if (t.steered) await t.permission("allow");
      const asked = ["first", "second"].map((name) => {
        const own = options.map((option) => ({ ...option, optionId: `${name}-${option.optionId.toUpperCase()}` }));
        return { name, answer: t.ask(session, { options: own }).result() };
      });
      for (const { name, answer } of asked) {
        const { outcome } = await t.require("ACP-PERM-005", answer);
        const isOwn = isObject(outcome) && String(outcome["optionId"] ?? name).startsWith(name);
        t.check("ACP-PERM-005", isOwn, { expected: `an option of the ${name} tool, or cancelled`, actual: outcome });
      }
      turn.end();
      await turn.done;
    },
  },
  "permission.nothing-fits": {
    title: "the user rejects although only options to allow are offered, or none",
    emits: ["ACP-PERM-005", "ACP-PERM-006"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      await t.permission("reject");
      for (const offered of [options.slice(2), []]) {
        // An error is an answer, too.
        const answer = await t.require("ACP-PERM-005", t.ask(session, { options: offered }).response());
        const { outcome } = "result" in answer && isObject(answer.result) ? answer.result : {};
        const chosen = isObject(outcome) ? kinds[String(outcome["optionId"])] : undefined;
        t.check("ACP-PERM-006", chosen?.startsWith("allow") !== true, {
          expected: "no option to allow",
          actual: outcome,
        });
      }
      turn.end();
      await turn.done;
    },
  },
  "permission.unknown-session": {
    title: "the agent asks for permission in a session that the client does not know",
    emits: ["ACP-PERM-007"],
    async run(t) {
      const session = await t.session();
      if (t.steered) await t.permission("allow");
      await t.require("ACP-PERM-007", t.ask({ ...session, id: "no-such-session" }).response());
    },
  },
});
