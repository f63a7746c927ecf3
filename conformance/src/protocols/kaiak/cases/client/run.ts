import { isDeepStrictEqual } from "node:util";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { answerTo, defineCases, type ClientContext, type ClientRun } from "../../client-role.js";
import { incident } from "../../samples.js";

type Json = Record<string, unknown>;

/** A field of the report; the case does not apply to a client that does not show it. */
async function seen(t: ClientContext, session: string, field: string): Promise<unknown> {
  const { [field]: value } = await t.report(session);
  t.needs(value !== undefined, `the client does not show ${field}`);
  return value;
}

const call = { tool_name: "read_file", operation: "read", parameters: { file_path: "a" } };

/** Fields of what the user sees that are not as expected. A field, or a status, that a client omits is not judged. */
async function checkSeen(t: ClientContext, req: string, session: string, expected: Json): Promise<void> {
  const actual = await t.report(session);
  for (const [message, value] of Object.entries(expected)) {
    const shown = actual[message];
    const right = shown === undefined || isDeepStrictEqual(toldOf(shown, value), value);
    t.check(req, right, { message, expected: value, actual: shown });
  }
}

/** The shown tool calls; a status that the client does not report is assumed to be right. */
function toldOf(shown: unknown, expected: unknown): unknown {
  if (!Array.isArray(shown) || !Array.isArray(expected)) return shown;
  return shown.map((one: unknown, index) => {
    const other: unknown = expected[index];
    return isObject(one) && isObject(other) ? { name: one["name"], status: one["status"] ?? other["status"] } : one;
  });
}

const writes = { ...call, tool_name: "write_file", operation: "write" };

/** Notifications that lack what is optional, or have null in its place. */
const sparse: readonly (readonly [kind: string, content: Json])[] = [
  ["progress", { percentage: 10, phase: "analyzing", description: "…", current_step: null, total_steps: null }],
  ["progress", { percentage: 20, phase: "analyzing", description: "…" }],
  ["ai_response", { text: "a", partial: true, confidence: null, tokens: null }],
  ["tool_call", { ...call, status: "completed", result: { success: true, output: null, error: null } }],
  ["tool_call", { ...writes, status: "failed", result: null }],
  [
    "file_modification",
    { proposal_id: "p", file_path: "a", operation: "modify", diff: null, requires_approval: false },
  ],
  ["error", { error_code: "E", message: "m", details: null, recoverable: true, suggested_action: null }],
  ["system", { message: "m", level: "info", component: null }],
];

/** Messages that no client knows and that every client must survive. */
const strange: Readonly<Record<string, (run: ClientRun, t: ClientContext) => void>> = {
  thinking: (run) => run.note("thinking", { text: "hm" }),
  kind: (run) => run.note("hologram", { depth: 3 }),
  later: (run, t) => t.send.notify("kaiak/generate_fix/data", { session_id: run.id, kind: "thinking", payload: {} }),
  progress: (_run, t) => t.send.notify("$/progress", { token: 1, value: {} }),
  message: (_run, t) => t.send.notify("window/showMessage", { type: 3, message: "Stream: {}" }),
  status: (run) => run.note("tool_call", { ...call, status: "dreaming" }),
  operation: (run) =>
    run.note("file_modification", { proposal_id: "p", file_path: "a", operation: "paint", requires_approval: false }),
  fields: (run) => run.note("ai_response", { text: "x", partial: false, mood: "good" }, { "x-vendor": [1] }),
};

/** Times as other libraries write them. */
const times = ["2025-12-24T10:35:05.123456789Z", "2025-12-24T12:35:05+02:00", "2025-12-24T10:35:05.5+00:00"];

const statuses = ["completed", "failed", "cancelled"];

/** Errors, known and unknown. */
const refusals: readonly { readonly code: number; readonly message: string; readonly data?: unknown }[] = [
  { code: -32003, message: "Session not found", data: { session_id: "a" } },
  {
    code: -32016,
    message: "Session is currently in use",
    data: { session_id: "a", in_use_since: "2025-12-24T10:30:00Z" },
  },
  { code: -32011, message: "Invalid params" },
  { code: -31999, message: "Nobody knows this one", data: ["any"] },
];

/** Runs, as a client sees them. */
export const runCases: readonly Case[] = defineCases({
  "run.incidents": {
    title: "incidents reach the server unchanged",
    emits: ["KAIAK-CALL-028"],
    smoke: true,
    async run(t) {
      const message = ' Grüße, "世界" 😀\n ';
      const incidents = [
        { ...incident, message, description: "", effort: "trivial", severity: "warning" },
        { ...incident, id: "incident-2" },
      ];
      const run = await t.require("KAIAK-CALL-028", t.run(t.session(), incidents));
      const found = run.ask.params["incidents"];
      const right = incidents.every((one, index) => {
        const other: unknown = Array.isArray(found) ? found[index] : undefined;
        return isObject(other) && Object.entries(one).every(([name, value]) => other[name] === value);
      });
      t.check("KAIAK-CALL-028", right && (found as unknown[]).length === 2, { expected: incidents, actual: found });
      run.end();
      await run.done;
    },
  },
  "run.order": {
    title: "everything that a run sent has arrived when the run ends",
    emits: ["KAIAK-CALL-021"],
    async run(t) {
      const session = t.session();
      const run = await t.run(session);
      run.note("progress", { percentage: 10, phase: "analyzing", description: "…" });
      const texts = Array.from({ length: 50 }, (_, n) => `${n} `).concat("ä", "ä", " 😀\n");
      run.note("progress", { percentage: 100, phase: "fixed", description: "…" });
      for (const text of texts) run.note("ai_response", { text, partial: true });
      run.note("tool_call", { ...call, status: "pending" });
      run.note("tool_call", { ...call, status: "completed", result: { success: true } });
      run.note("tool_call", { ...writes, status: "failed", result: { success: false, error: "no space" } });
      const files = ["src/A.java", "src/B.java"];
      for (const file_path of files) {
        const proposal_id = `proposal-of-${file_path}`;
        run.note("file_modification", { proposal_id, file_path, operation: "modify", requires_approval: false });
      }
      run.note("error", { error_code: "E_ONE", message: "m", recoverable: true });
      run.note("progress", { percentage: 100, phase: "done", description: "…" });
      run.end();
      await t.require("KAIAK-CALL-021", run.done);
      await checkSeen(t, "KAIAK-CALL-021", session, {
        text: texts.join(""),
        percentage: 100,
        toolCalls: [
          { name: "read_file", status: "completed" },
          { name: "write_file", status: "failed" },
        ],
        modifications: files,
        errors: ["E_ONE"],
      });
    },
  },
  "run.hundred": {
    title: "a run with complete progress does not end before its answer",
    emits: ["KAIAK-CALL-035"],
    async run(t) {
      const run = await t.run(t.session());
      let isOver = false;
      const over = (): void => void (isOver = true);
      run.done.then(over, over);
      run.note("progress", { percentage: 100, phase: "completed", description: "Done" });
      run.note("system", { message: "Agent processing completed successfully", level: "info" });
      await t.works(); // by then, the client has read it, and has reported an end
      t.check("KAIAK-CALL-035", !isOver, { expected: "the run continues", actual: "it is over" });
      run.end();
      await t.require("KAIAK-CALL-035", run.done);
    },
  },
  ...defineCases.each(statuses, (status) => ({
    [`run.${status}`]: {
      title: `a run ends as ${status}`,
      emits: ["KAIAK-CALL-032", "KAIAK-CALL-033"],
      async run(t) {
        const session = t.session();
        const run = await t.run(session);
        run.end(status);
        const result = await t.require("KAIAK-CALL-032", run.done);
        const told = isObject(result) ? result["status"] : undefined;
        t.check("KAIAK-CALL-032", told === undefined || told === status, { expected: status, actual: told });
        const again = await t.require("KAIAK-CALL-033", t.run(session));
        t.check("KAIAK-CALL-033", again.id === run.id, { expected: run.id, actual: again.id });
        again.end();
        await t.require("KAIAK-CALL-033", again.done);
      },
    },
  })),
  ...defineCases.each(refusals, (error) => ({
    [`run.refused${error.code}`]: {
      title: `a refusal with ${error.code} reaches the caller`,
      emits: ["KAIAK-CALL-022", "KAIAK-CALL-033"],
      async run(t) {
        const session = t.session();
        const run = await t.run(session);
        run.refuse(error);
        const failed = await run.done.then(
          () => false,
          () => true,
        );
        t.check("KAIAK-CALL-022", failed, { expected: "the run fails", actual: "it did not" });
        const again = await t.require("KAIAK-CALL-033", t.run(session));
        again.refuse(error);
        await again.done.catch(() => {});
        const { code, data } = (await seen(t, session, "failure")) as Json;
        t.check("KAIAK-CALL-022", code === error.code, { expected: error.code, actual: code });
        const same = error.data === undefined || isDeepStrictEqual(data, error.data);
        t.check("KAIAK-CALL-022", same, { expected: error.data, actual: data });
      },
    },
  })),
  "unknown.session": {
    title: "what a client does not know: session",
    emits: ["KAIAK-RPC-022", "KAIAK-CALL-036"],
    async run(t) {
      const session = t.session();
      const run = await t.run(session);
      run.note("ai_response", { text: "not yours", partial: false }, { session_id: "no-such-session" });
      run.note("ai_response", { text: "yours", partial: false });
      run.end();
      await t.require("KAIAK-RPC-022", run.done);
      await t.require("KAIAK-RPC-022", t.works());
      await checkSeen(t, "KAIAK-CALL-036", session, { text: "yours" });
    },
  },
  ...defineCases.each(Object.entries(strange), ([name, send]) => ({
    [`unknown.${name}`]: {
      title: `what a client does not know: ${name}`,
      emits: ["KAIAK-RPC-022"],
      async run(t) {
        const run = await t.run(t.session());
        send(run, t);
        run.end("completed", { "x-vendor": 1 });
        await t.require("KAIAK-RPC-022", run.done);
        await t.require("KAIAK-RPC-022", t.works());
      },
    },
  })),
  "run.sparse": {
    title: "optional fields may be null or missing",
    emits: ["KAIAK-CALL-024"],
    async run(t) {
      const session = t.session();
      const run = await t.run(session);
      for (const [kind, content] of sparse) run.note(kind, content);
      run.end();
      await t.require("KAIAK-CALL-024", run.done);
      await checkSeen(t, "KAIAK-CALL-024", session, {
        text: "a",
        percentage: 20,
        toolCalls: [
          { name: "read_file", status: "completed" },
          { name: "write_file", status: "failed" },
        ],
        modifications: ["a"],
        errors: ["E"],
      });
    },
  },
  ...defineCases.each(times, (timestamp, index) => ({
    [`run.time-${index + 1}`]: {
      title: `a time is read: ${timestamp}`,
      emits: ["KAIAK-CALL-025"],
      async run(t) {
        const session = t.session();
        const run = await t.run(session);
        run.note("ai_response", { text: "in time", partial: false }, { timestamp });
        run.end("completed", { completed_at: timestamp });
        await t.require("KAIAK-CALL-025", run.done);
        const text = await seen(t, session, "text");
        t.check("KAIAK-CALL-025", text === "in time", { expected: "in time", actual: text });
      },
    },
  })),
  ...defineCases.each(["approve", "deny"], (response) => ({
    [`ask.${response}`]: {
      title: `a question is answered: ${response}`,
      emits: ["KAIAK-ASK-020"],
      async run(t) {
        await t.answers(response);
        const run = await t.run(t.session());
        const answer = await t.require("KAIAK-ASK-020", answerTo(t, run.question()));
        t.check("KAIAK-ASK-020", answer === response, { expected: response, actual: answer });
        run.end();
        await run.done;
        await t.answers(null);
      },
    },
  })),
  "run.cancel": {
    title: "the server is asked to cancel a run",
    emits: ["KAIAK-CALL-031"],
    async run(t) {
      const session = t.session();
      const run = await t.run(session);
      const acted = t.act("cancel", { session }, { optional: true });
      const told = t.expect.notify("$/cancelRequest", { id: run.ask.id });
      await t.require("KAIAK-CALL-031", Promise.race([told, acted.then(() => told)]));
      let over = false;
      run.done.then(
        () => (over = true),
        () => (over = true),
      );
      await t.pace(100);
      t.check("KAIAK-CALL-031", !over, { expected: "the client waits for the answer", actual: "the run is over" });
      run.end("cancelled");
      await run.done.catch(() => {});
      await acted;
    },
  },
});
