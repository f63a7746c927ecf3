import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../../core/errors.js";
import { matches, where } from "../../../../trace/pattern.js";
import { type AgentContext, defineCases, type TestSession } from "../../agent-role.js";
import { ran } from "./permission.js";
import { needsLoad } from "./session.js";
import { loaded } from "./v1-facts.js";

const chunk = { sessionUpdate: "agent_message_chunk" };
const ofTurn = { method: "session/update", params: { update: { sessionUpdate: /_chunk$|^tool_call|^plan$/ } } };

/**
 * An answer, or an update of a turn. Reports of a session about other things, such as its commands, may arrive late.
 */
const isOfTurn = where(
  "answer or update of a turn",
  (message: unknown) => isObject(message) && (message["method"] === undefined || matches(message, ofTurn)),
);

/** An agent has seen a cancel after this time: what it ends then, it ends in spite of it. */
const SEEN_MS = 2_000;

/** Cancels a turn that the agent may have ended by then. */
async function cancelPlain(t: AgentContext, session: TestSession): Promise<void> {
  const turn = t.prompt(session, t.say("slow"));
  const over = turn.result();
  await Promise.race([over, t.expect.notify("session/update", { sessionId: session.id, update: chunk })]);
  t.send.notify("session/cancel", { sessionId: session.id });
  const began = performance.now();
  const end = await over.catch((error: unknown) => {
    if (!(error instanceof ExpectationError) || error.miss === "invalid") throw error;
  });
  const isEarly = end !== undefined && performance.now() - began < t.time.quiet(SEEN_MS);
  const isCancelled = end?.["stopReason"] === "cancelled";
  t.needs(isCancelled || !isEarly, "the agent ended its turn before the cancel could reach it");
  t.check("ACP-CANCEL-001", isCancelled, { expected: "stopReason cancelled", actual: end ?? "no result" });
}

/** Sections 5.6 and 6.1: ending a turn early. */
export const cancelCases = defineCases({
  "cancel.running": {
    title: "cancel during a turn ends it",
    emits: ["ACP-CANCEL-001"],
    needs: ["slow"],
    plain: true,
    smoke: true,
    async run(t) {
      const session = await t.session();
      if (t.plain) return cancelPlain(t, session);
      const turn = t.prompt(session, t.say("slow"));
      await t.expect.notify("session/update", { sessionId: session.id, update: chunk });
      t.send.notify("session/cancel", { sessionId: session.id });
      await t.require("ACP-CANCEL-001", turn.result({ stopReason: "cancelled" }));
      await t.require("ACP-CANCEL-001", t.quiet(100, { message: { error: {} } }));
      const answered = t.history().find(({ is }) => is.kind === "error" && is.id === null);
      t.check("ACP-CANCEL-001", answered === undefined, {
        message: "the notification was answered",
        expected: "no answer",
        actual: answered?.entry.message,
      });
    },
  },
  "cancel.permission-open": {
    title: "cancel while a permission request is open",
    emits: ["ACP-CANCEL-002"],
    needs: ["ask-permission"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
      t.send.notify("session/cancel", { sessionId: session.id });
      t.reply(ask, { outcome: { outcome: "cancelled" } });
      await t.require("ACP-CANCEL-002", turn.result({ stopReason: "cancelled" }));
    },
  },
  "cancel.permission-late": {
    title: "an answer to a permission request after the turn was cancelled does no harm",
    emits: ["ACP-CANCEL-002", "ACP-PERM-004"],
    needs: ["ask-permission", "text"],
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
      t.send.notify("session/cancel", { sessionId: session.id });
      // An agent may wait for the answer: then it comes before the turn's end.
      await Promise.race([turn.response(), t.pace(500)]);
      t.reply(ask, { outcome: { outcome: "cancelled" } });
      await t.require("ACP-CANCEL-002", turn.result({ stopReason: "cancelled" }));
      t.check("ACP-PERM-004", !ran(turn.updates()), { expected: "no completed tool call", actual: turn.updates() });
      await t.require("ACP-CANCEL-002", t.prompt(session, t.say("text")).result({ stopReason: "end_turn" }));
    },
  },
  "cancel.idle": {
    title: "cancel without a turn, and for an unknown session, has no effect",
    emits: ["ACP-CANCEL-003"],
    needs: ["text"],
    async run(t) {
      const session = await t.session();
      t.send.notify("session/cancel", { sessionId: session.id });
      t.send.notify("session/cancel", { sessionId: "no-such-session" });
      await t.require("ACP-CANCEL-003", t.quiet(100, { message: isOfTurn }));
      await t.require("ACP-CANCEL-003", t.prompt(session, t.say("text")).result({ stopReason: "end_turn" }));
    },
  },
  "cancel.loaded": {
    title: "cancel during a turn of a session that was loaded",
    emits: ["ACP-CANCEL-001"],
    needs: ["slow", "text"],
    async run(t) {
      await needsLoad(t);
      const session = await t.session();
      await t.prompt(session, t.say("text")).result();
      await loaded(t, session.id);
      // Replayed messages do not belong to the next turn.
      const about = { sessionId: session.id };
      for (const _said of t.rest("session/update", about)) await t.expect.notify("session/update", about);
      const turn = t.prompt(session, t.say("slow"));
      await t.expect.notify("session/update", { sessionId: session.id, update: chunk });
      t.send.notify("session/cancel", { sessionId: session.id });
      await t.require("ACP-CANCEL-001", turn.result({ stopReason: "cancelled" }));
    },
  },
  "cancel.other-session": {
    title: "cancel for an unknown session, while a turn of another one runs",
    emits: ["ACP-CANCEL-003"],
    needs: ["slow"],
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("slow", { ms: 300 }));
      await t.expect.notify("session/update", { sessionId: session.id, update: chunk });
      t.send.notify("session/cancel", { sessionId: "no-such-session" });
      await t.require("ACP-CANCEL-003", turn.result({ stopReason: "end_turn" }));
    },
  },
  "cancel.at-once": {
    title: "cancel right after the prompt ends the turn",
    emits: ["ACP-CANCEL-004"],
    needs: ["slow"],
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("slow", { ms: 2_000 }));
      t.send.notify("session/cancel", { sessionId: session.id });
      await t.require("ACP-CANCEL-004", turn.result({ stopReason: "cancelled" }));
    },
  },
});
