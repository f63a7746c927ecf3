import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../host-role.js";

const text = ' Grüße, <b>"世界"</b> & 😀\n\\ ';
const large = `${text.repeat(8)}${"0123456789abcdef".repeat(16_384)}`;

/** Cases about the host's messages. */
export const sendCases: readonly Case[] = defineCases({
  "send.first": {
    title: "the first message of a session names no thread",
    emits: ["HELIX-SEND-001", "HELIX-SEND-006"],
    smoke: true,
    async run(t) {
      const session = t.session();
      const turn = await t.require("HELIX-SEND-006", t.chat(session, text));
      const { acp_thread_id: thread, message } = turn.ask.params;
      // Real hosts leave it out or empty; a monitor judges the form.
      t.check("HELIX-SEND-001", thread === undefined || thread === null || thread === "", {
        expected: null,
        actual: thread,
      });
      t.check("HELIX-SEND-006", message === text, { expected: text, actual: message });
      turn.answer("Hello.");
      await turn.done;
    },
  },
  "send.large": {
    title: "a message of 256 KiB is sent unchanged",
    emits: ["HELIX-SEND-006"],
    async run(t) {
      const turn = await t.require("HELIX-SEND-006", t.chat(t.session(), large));
      const sent = turn.ask.params["message"];
      t.check("HELIX-SEND-006", sent === large, {
        expected: `${large.length} characters, the user's`,
        actual: typeof sent === "string" ? `${sent.length} characters` : sent,
      });
      turn.answer("That is a lot.");
      await turn.done;
    },
  },
  "send.follow-up": {
    title: "a message after context_created names the thread",
    emits: ["HELIX-SEND-003", "HELIX-STATE-003"],
    smoke: true,
    async run(t) {
      const session = t.session();
      const first = await t.chat(session);
      first.answer("Hello!");
      await first.done;
      for (const message of ["Can you explain more?", "And more?"]) {
        const turn = await t.require("HELIX-SEND-003", t.chat(session, message));
        t.check("HELIX-SEND-003", turn.ask.params["acp_thread_id"] === first.thread, {
          expected: first.thread,
          actual: turn.ask.params["acp_thread_id"],
        });
        turn.answer("Sure!");
        await t.require("HELIX-STATE-003", turn.done);
      }
    },
  },
  "send.own-threads": {
    title: "each session is sent with its own thread",
    emits: ["HELIX-SEND-003"],
    async run(t) {
      const begun = await Promise.all([t.session(), t.session()].map((session) => t.chat(session)));
      for (const turn of begun) turn.created();
      for (const turn of begun.toReversed()) turn.answer("Hello!");
      await Promise.all(begun.map(({ done }) => done));
      for (const { session, thread } of begun) {
        const turn = await t.require("HELIX-SEND-003", t.chat(session, "And now?"));
        t.check("HELIX-SEND-003", turn.ask.params["acp_thread_id"] === thread, {
          expected: thread,
          actual: turn.ask.params["acp_thread_id"],
        });
        turn.answer("Now what?");
        await turn.done;
      }
    },
  },
  "send.queue": {
    title: "messages of a busy session are sent one by one, in order",
    emits: ["HELIX-SEND-004", "HELIX-SEND-007"],
    async run(t) {
      const session = t.session();
      const first = await t.chat(session, "one");
      const more = ["two", "three"].map((message) => t.queue(session, message));
      await t.require("HELIX-SEND-004", t.quiet(100, { method: "chat_message" }));
      // Neither the thread nor the text of an answer is its end.
      first.created();
      first.added("Wait.");
      await t.allRead();
      t.check("HELIX-SEND-004", t.rest("chat_message").length === 0, {
        expected: "no message while one waits",
        actual: t.rest("chat_message"),
      });
      first.completed();
      for (const message of ["two", "three"]) {
        const turn = await t.require("HELIX-SEND-007", t.next(session));
        t.check("HELIX-SEND-007", turn.ask.params["message"] === message, {
          expected: message,
          actual: turn.ask.params["message"],
        });
        await t.allRead();
        t.check("HELIX-SEND-004", t.rest("chat_message").length === 0, {
          expected: "no message while one waits",
          actual: t.rest("chat_message"),
        });
        turn.answer("Done.");
      }
      await t.require("HELIX-SEND-007", Promise.all([first.done, ...more]));
    },
  },
  "send.side-by-side": {
    title: "sessions do not wait for each other",
    emits: ["HELIX-SEND-007"],
    async run(t) {
      const [slow, quick] = [
        await t.chat(t.session(), "Take your time."),
        await t.require("HELIX-SEND-007", t.chat(t.session(), "Quick!")),
      ];
      quick.answer("Done.");
      await t.require("HELIX-SEND-007", quick.done);
      slow.answer("Done as well.");
      await t.require("HELIX-SEND-007", slow.done);
    },
  },
  "send.request-ids": {
    title: "no two messages have the same request_id",
    emits: ["HELIX-SEND-002"],
    async run(t) {
      const ids: string[] = [];
      const sessions = [t.session(), t.session()];
      for (const session of [...sessions, ...sessions]) {
        const turn = await t.chat(session, "The same as before.");
        ids.push(turn.requestId);
        turn.answer("Yes.");
        await turn.done;
      }
      t.check("HELIX-SEND-002", new Set(ids).size === ids.length, { expected: "four different ids", actual: ids });
    },
  },
});
