import { randomUUID } from "node:crypto";
import type { Case } from "../../../../core/run/case.js";
import { where } from "../../../../trace/pattern.js";
import type { HostTurn } from "../../as-agent.js";
import { defineCases, type HostContext } from "../../host-role.js";
import { isSettled, stillTells, tells } from "./reported.js";

const isolation = "connection";
const error = "The model cannot be reached.";

async function interrupted(t: HostContext, turn: HostTurn): Promise<void> {
  t.event("turn_cancelled", { session_id: turn.session, request_id: turn.requestId, status: "cancelled" });
  turn.completed();
  await t.require("HELIX-CANCEL-020", turn.done);
  await tells(t, "HELIX-CANCEL-020", turn, { state: "interrupted" });
  await stillTells(t, "HELIX-CANCEL-020", turn, { state: "interrupted" });
}

/** Has the host wait for the agent to be ready, on a new connection. */
async function waitsFor(t: HostContext, ms: number): Promise<void> {
  await t.act("readiness", { agent: t.socket.id, ms }, { optional: true });
  await t.reconnect("drop", "silent");
}

/** Cases about additions of hosts and agents until 2026. */
export const v2026Cases: readonly Case[] = defineCases({
  "v2026.cancel": {
    title: "a turn that the user cancels is interrupted",
    emits: ["HELIX-CANCEL-020"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Half");
      await t.allRead();
      await t.act("cancel", { session: turn.session }, { optional: true });
      await t.require("HELIX-CANCEL-020", t.expect.notify("cancel_current_turn", { request_id: turn.requestId }));
      await interrupted(t, turn);
      await t.require("HELIX-CANCEL-020", t.works());
    },
  },
  "v2026.cancelled": {
    title: "a turn that the agent cancels is interrupted",
    emits: ["HELIX-CANCEL-020"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      await interrupted(t, turn);
      await t.require("HELIX-CANCEL-020", t.works());
    },
  },
  "v2026.not-cancelled": {
    title: "a cancel without effect interrupts nothing",
    emits: ["HELIX-CANCEL-020"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      t.event("turn_cancelled", { session_id: turn.session, request_id: turn.requestId, status: "noop" });
      await stillTells(t, "HELIX-CANCEL-020", turn, { state: "waiting" });
      t.check("HELIX-CANCEL-020", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      turn.answer("Here I am.");
      await t.require("HELIX-CANCEL-020", turn.done);
      await tells(t, "HELIX-CANCEL-020", turn, { state: "complete", response: "Here I am." });
    },
  },
  ...defineCases.each(["chat_response_error", "thread_load_error"], (name) => ({
    [`v2026.${name.replaceAll("_", "-")}`]: {
      title: `${name} ends the interaction with its text`,
      emits: ["HELIX-ERROR-020"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        const thread = name === "thread_load_error" ? { acp_thread_id: turn.thread } : {};
        t.event(name, { session_id: turn.session, ...thread, request_id: turn.requestId, error });
        await t.require("HELIX-ERROR-020", turn.done);
        await tells(t, "HELIX-ERROR-020", turn, {
          state: "error",
          error: where(`a text with "${error}"`, (told: unknown) => String(told).includes(error)),
        });
        await t.require("HELIX-ERROR-020", t.works());
        // A thread that did not load may be given up.
        if (name === "thread_load_error") return;
        const again = await t.require("HELIX-ERROR-020", t.chat(turn.session));
        again.answer("Now I can.");
        await t.require("HELIX-ERROR-020", again.done);
      },
    },
  })),
  "v2026.news": {
    title: "what an agent tells of its user's threads, and pings, change no turn",
    emits: ["HELIX-NEWS-020"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Half");
      // As agents of 2026 write them: without a session.
      for (const [event_type, data] of [
        ["user_created_thread", { acp_thread_id: randomUUID(), title: "Mine" }],
        ["thread_title_changed", { acp_thread_id: turn.thread, title: "Greeting" }],
        ["ping", { timestamp: Math.floor(Date.now() / 1_000) }],
      ])
        t.send.invalid({ event_type, data });
      await stillTells(t, "HELIX-NEWS-020", turn, { state: "waiting", response: "Half" });
      turn.answer("Whole.");
      await t.require("HELIX-NEWS-020", turn.done);
      await tells(t, "HELIX-NEWS-020", turn, { state: "complete", response: "Whole." });
      await t.require("HELIX-NEWS-020", t.works());
    },
  },
  "v2026.ready": {
    isolation,
    title: "an agent is sent nothing before it is ready",
    emits: ["HELIX-READY-020"],
    async run(t) {
      await waitsFor(t, 60_000);
      const session = t.session();
      const sent = t.queue(session, "Are you ready?");
      await t.allRead();
      await t.pace(100);
      t.check("HELIX-READY-020", t.rest("chat_message").length === 0, {
        expected: "nothing yet",
        actual: t.rest("chat_message"),
      });
      t.event("agent_ready", { session_id: session, agent_name: "conformance", thread_id: null });
      const turn = await t.require("HELIX-READY-020", t.next(session));
      turn.answer("Yes.");
      await t.require("HELIX-READY-020", sent);
    },
  },
  "v2026.never-ready": {
    isolation,
    title: "an agent that never reports that it is ready receives messages after a while",
    emits: ["HELIX-READY-020"],
    async run(t) {
      await waitsFor(t, 50);
      await t.require("HELIX-READY-020", t.works());
    },
  },
});
