import type { Case } from "../../../../core/run/case.js";
import { incident } from "../../samples.js";
import { defineCases } from "../../server-role.js";

const soon = { deadline: 2_000 };

/** The texts that a run said. */
const said = (notes: readonly Record<string, unknown>[]): string => notes.map(({ text }) => String(text)).join("");

/** How runs can end. */
const endings: Readonly<Record<string, string>> = { text: "completed", error: "completed", fail: "failed" };

/** Runs and what they send. */
export const fixCases: readonly Case[] = defineCases({
  "fix.new-session": {
    title: "a run of an unknown session creates the session",
    emits: ["KAIAK-FIX-001", "KAIAK-FIX-003"],
    needs: ["text"],
    smoke: true,
    async run(t) {
      await t.configured();
      const text = `new-${t.now()}`;
      const run = t.run(t.say("text", { text }));
      const result = await t.require("KAIAK-FIX-001", run.ended({ status: "completed" }));
      const right = result["session_id"] === run.session && result["incident_count"] === 1;
      t.check("KAIAK-FIX-001", right, { expected: `session ${run.session}, one incident`, actual: result });
      t.check("KAIAK-FIX-003", said(run.notes("ai_response")).includes(text), {
        expected: `an ai_response ${text}`,
        actual: run.notes(),
      });
      t.check("KAIAK-FIX-003", run.notes("progress").length > 0, { expected: "progress", actual: run.notes() });
    },
  },
  "fix.again": {
    title: "a session is used for two runs",
    emits: ["KAIAK-FIX-002", "KAIAK-SESSION-003"],
    needs: ["text"],
    async run(t) {
      await t.configured();
      const first = t.run(t.say("text"));
      await first.ended();
      const second = t.run(t.say("text"), { session: first.session });
      await t.require("KAIAK-SESSION-003", second.ended());
      await t.require("KAIAK-FIX-002", second.result({ status: "completed", session_id: first.session }));
    },
  },
  "fix.incidents": {
    title: "all incidents are counted, whatever their severity, and whatever the options",
    emits: ["KAIAK-FIX-016"],
    async run(t) {
      await t.configured();
      const incidents = ["info", "warning", "error"].map((severity) => ({ ...incident, id: severity, severity }));
      const options = { auto_apply_safe_fixes: true, parallel_processing: true, include_explanations: false };
      const run = t.run("", { params: { incidents, options } });
      await t.require("KAIAK-FIX-016", run.ended({ incident_count: 3 }));
    },
  },
  ...defineCases.each(Object.entries(endings), ([name, status]) => ({
    [`fix.ends-${name}`]: {
      title: `a run ends as ${status}: ${name}, and leaves its session free`,
      emits: [status === "failed" ? "KAIAK-FIX-011" : "KAIAK-FIX-017", "KAIAK-SESSION-003"],
      needs: [name],
      plain: name === "text",
      async run(t) {
        await t.configured();
        const run = t.run(t.say(name));
        await t.require(status === "failed" ? "KAIAK-FIX-011" : "KAIAK-FIX-017", run.ended(t.plain ? {} : { status }));
        if (name === "error")
          t.check("KAIAK-FIX-017", run.notes("error").length > 0, { expected: "an error", actual: run.notes() });
        await t.require("KAIAK-SESSION-003", t.run("Say ok.", { session: run.session }).ended());
      },
    },
  })),
  "fix.tool": {
    title: "a tool call is reported to its end",
    emits: ["KAIAK-FIX-018"],
    needs: ["tool-ok"],
    smoke: true,
    async run(t) {
      await t.configured();
      const run = t.run(t.say("tool-ok"));
      await run.ended();
      const last = run.notes("tool_call").at(-1) ?? {};
      const { status, result } = last;
      t.check("KAIAK-FIX-018", status === "completed" && (result as { success?: unknown } | null)?.success === true, {
        expected: "a tool_call that is completed, with a result",
        actual: last,
      });
    },
  },
  "fix.modification": {
    title: "a modification that needs approval causes a question",
    emits: ["KAIAK-FIX-009"],
    needs: ["modify"],
    async run(t) {
      await t.configured();
      const run = t.run(t.say("modify"));
      const { at, params } = await t.require("KAIAK-FIX-009", run.stream("file_modification", {}));
      const { requires_approval: isAsked } = params["content"] as Record<string, unknown>;
      t.check("KAIAK-FIX-009", isAsked === true, { expected: "requires_approval true", actual: isAsked });
      const asked = await t.require(
        "KAIAK-FIX-009",
        run.stream("user_interaction", { interaction_type: "file_approval" }),
      );
      t.check("KAIAK-FIX-009", asked.at > at, { expected: "the question after the modification", actual: asked });
      const { interaction_id } = asked.params["content"] as Record<string, unknown>;
      await t.respond(interaction_id, "approve").response();
      await run.ended();
    },
  },
  "fix.order": {
    title: "the texts of a run keep their order beside another run's",
    emits: ["KAIAK-FIX-012"],
    needs: ["chunks"],
    async run(t) {
      await t.configured();
      const runs = [t.run(t.say("chunks", { count: 10 })), t.run(t.say("chunks", { count: 10 }))];
      for (const run of runs) {
        await run.ended();
        const texts = said(run.notes("ai_response"));
        t.check("KAIAK-FIX-012", texts === "1 2 3 4 5 6 7 8 9 10 ", { expected: "1 to 10", actual: texts });
      }
    },
  },
  "fix.beside": {
    isolation: "rough",
    title: "requests are answered and other sessions continue during a run",
    emits: ["KAIAK-FIX-003", "KAIAK-FIX-014", "KAIAK-FIX-015"],
    needs: ["slow", "text"],
    plain: true,
    async run(t) {
      await t.configured();
      if (t.plain) {
        const runs = [t.run(t.say("text")), t.run(t.say("text"))];
        await t.require("KAIAK-FIX-015", Promise.all(runs.map((run) => run.ended())));
        return t.notApplicable("only a run that lasts shows what else is answered");
      }
      const slow = t.run(t.say("slow"));
      await t.require("KAIAK-FIX-003", slow.stream("ai_response", { text: /working/ }));
      const configured = t.send.request("kaiak/configure", await t.configureParams());
      await t.require("KAIAK-FIX-014", configured.result(undefined, soon));
      await t.require("KAIAK-FIX-015", t.run(t.say("text")).result({ status: "completed" }, soon));
      t.send.request("kaiak/delete_session", { session_id: slow.session, force: true });
      await slow.response();
    },
  },
});
