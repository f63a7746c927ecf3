import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../agent-role.js";

/** An agent may wait for five seconds before it says that it is ready. */
const READY_MS = 7_000;

/** Cases about agents of 2026; none of them applies to those of the specification. */
export const v2026Cases: readonly Case[] = defineCases({
  "v2026.ready": {
    title: "the agent reports that it is ready",
    emits: ["HELIX-READY-001"],
    async run(t) {
      await t.needsV2026();
      const isReady = t.conversation.received.some(
        ({ is }) => is.kind === "notification" && is.method === "agent_ready",
      );
      if (isReady) t.pass("HELIX-READY-001");
      else await t.require("HELIX-READY-001", t.expect.notify("agent_ready", undefined, { deadline: READY_MS }));
    },
  },
  "v2026.unknown-thread": {
    title: "a thread that is unknown is refused",
    emits: ["HELIX-LOAD-001"],
    needs: ["text"],
    async run(t) {
      await t.needsV2026();
      const acp_thread_id = crypto.randomUUID();
      const { requestId: request_id } = t.chat(t.session(), t.say("text"), { acp_thread_id });
      await t.require("HELIX-LOAD-001", t.expect.notify("thread_load_error", { request_id, acp_thread_id }));
    },
  },
  "v2026.cancel": {
    title: "a turn is cancelled",
    emits: ["HELIX-CANCEL-001"],
    needs: ["slow"],
    async run(t) {
      await t.needsV2026();
      const turn = t.chat(t.session(), t.say("slow"));
      const request_id = turn.requestId;
      await turn.added();
      t.send.notify("cancel_current_turn", { request_id });
      const said = await t.require("HELIX-CANCEL-001", t.expect.notify("turn_cancelled", { request_id }));
      const end = await t.require("HELIX-CANCEL-001", turn.completed());
      t.check("HELIX-CANCEL-001", said.at < end.at && said.params["status"] === "cancelled", {
        expected: "cancelled, before the end",
        actual: said.params,
      });
      await t.works();
      const more = t.rest("turn_cancelled", { request_id });
      t.check("HELIX-CANCEL-001", more.length === 0, { expected: "one turn_cancelled", actual: more });
    },
  },
  "v2026.cancel-nothing": {
    title: "a cancel without a running turn is answered",
    emits: ["HELIX-CANCEL-002"],
    async run(t) {
      await t.needsV2026();
      const request_id = t.request();
      t.send.notify("cancel_current_turn", { request_id });
      const { params } = await t.require("HELIX-CANCEL-002", t.expect.notify("turn_cancelled", { request_id }));
      t.check("HELIX-CANCEL-002", params["status"] === "noop", { expected: "noop", actual: params["status"] });
      await t.works();
      const more = t.rest("turn_cancelled", { request_id });
      t.check("HELIX-CANCEL-002", more.length === 0, { expected: "one turn_cancelled", actual: more });
    },
  },
  "v2026.error": {
    title: "a failed turn is reported as failed, not as complete",
    emits: ["HELIX-ERROR-001"],
    needs: ["error"],
    async run(t) {
      await t.needsV2026();
      const { requestId: request_id } = t.chat(t.session(), t.say("error"));
      await t.require("HELIX-ERROR-001", t.expect.notify("chat_response_error", { request_id }));
      await t.works();
      const completed = t.rest("message_completed", { request_id });
      t.check("HELIX-ERROR-001", completed.length === 0, { expected: "no message_completed", actual: completed });
    },
  },
  "v2026.interrupt": {
    title: "a message with interrupt ends the running turn first",
    emits: ["HELIX-INTERRUPT-001"],
    needs: ["slow", "text"],
    async run(t) {
      await t.needsV2026();
      const session = t.session();
      const slow = t.chat(session, t.say("slow"));
      const acp_thread_id = await slow.thread();
      await slow.added();
      const next = t.chat(session, t.say("text"), { acp_thread_id, interrupt: true });
      const end = await t.require("HELIX-INTERRUPT-001", next.completed());
      const ends = (event_type: unknown): boolean =>
        event_type === "message_completed" || event_type === "turn_cancelled";
      const before = t.history().filter(({ entry }) => {
        const { event_type, data } = entry.message as { event_type: unknown; data: { request_id?: unknown } };
        return entry.seq < end.at && ends(event_type) && data.request_id === slow.requestId;
      });
      t.check("HELIX-INTERRUPT-001", before.length > 0, {
        expected: `the end of ${slow.requestId} first`,
        actual: end.params,
      });
    },
  },
});
