import { randomUUID } from "node:crypto";
import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../host-role.js";
import { isSettled, stillTells, tells } from "./reported.js";
import { where } from "../../../../trace/pattern.js";

/** Milliseconds in which an agent that thinks says nothing. */
const PAUSE_MS = 1_500;

/** A text that no display may escape or shorten. */
const special = '<b>Grüße</b>, "世界" & 😀';

/** Cases about the effects of messages: sessions, interactions and their states. */
export const stateCases: readonly Case[] = defineCases({
  "state.created": {
    title: "context_created maps the session, and does nothing else",
    emits: ["HELIX-STATE-001"],
    smoke: true,
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      await t.allRead();
      t.check("HELIX-STATE-001", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      await tells(t, "HELIX-STATE-001", turn, { state: "waiting", response: "" });
      const { thread, interactions = [] } = await t.eventually(
        turn.session,
        (report) => report.thread === turn.thread || report.thread === undefined,
      );
      t.check("HELIX-STATE-001", interactions.length === 1, { expected: "one interaction", actual: interactions });
      t.check("HELIX-STATE-001", thread === turn.thread || thread === undefined, {
        expected: turn.thread,
        actual: thread,
      });
      turn.answer("Hello!");
      await turn.done;
    },
  },
  "state.overwritten": {
    title: "the response is the latest content, longer or shorter",
    emits: ["HELIX-STATE-002"],
    smoke: true,
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      for (const content of ["Hello! How can I", "Hello! How can I help you today?", special]) {
        turn.added(content);
        await tells(t, "HELIX-STATE-002", turn, { state: "waiting", response: content });
      }
      t.check("HELIX-STATE-002", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      turn.completed();
      await turn.done;
      await tells(t, "HELIX-STATE-002", turn, { response: special });
    },
  },
  "state.completed": {
    title: "message_completed completes an interaction, and nothing else does",
    emits: ["HELIX-STATE-003"],
    smoke: true,
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("All that there is to say.");
      turn.added("All that there is to say.");
      turn.added("Or is it?", `${turn.requestId}-2`);
      await tells(t, "HELIX-STATE-003", turn, { state: "waiting" });
      await t.allRead();
      t.check("HELIX-STATE-003", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      turn.completed();
      await t.require("HELIX-STATE-003", turn.done);
      await tells(t, "HELIX-STATE-003", turn, { state: "complete" });
    },
  },
  "state.unknown-event": {
    title: "an unknown event completes no interaction",
    emits: ["HELIX-STATE-003"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Half");
      const { session: session_id, thread: acp_thread_id, requestId: request_id } = turn;
      const data = { acp_thread_id, message_id: `ai_msg_${request_id}`, request_id };
      t.send.invalid({ session_id, event_type: "message_progress", data });
      const isRead = await t.allRead().then(
        () => true,
        () => false,
      );
      t.needs(isRead, "the host gives up the connection at an unknown event");
      await tells(t, "HELIX-STATE-003", turn, { state: "waiting" });
      t.check("HELIX-STATE-003", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      turn.completed();
      await t.require("HELIX-STATE-003", turn.done);
    },
  },
  "state.quiet": {
    title: "an agent that says nothing for a while has not completed its answer",
    emits: ["HELIX-STATE-003"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Let me think.");
      await t.pace(PAUSE_MS);
      t.check("HELIX-STATE-003", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      await tells(t, "HELIX-STATE-003", turn, { state: "waiting", response: "Let me think." });
      turn.completed();
      await t.require("HELIX-STATE-003", turn.done);
    },
  },
  "state.out-of-order": {
    title: "the request that is named is completed, not the oldest",
    emits: ["HELIX-STATE-004"],
    async run(t) {
      const older = await t.chat(t.session(), "one");
      const newer = await t.chat(t.session(), "two");
      older.created();
      newer.created();
      newer.answer("Two.");
      await t.require("HELIX-STATE-004", newer.done);
      t.check("HELIX-STATE-004", !(await isSettled(older.done)), {
        expected: "the other one waits",
        actual: "it is over",
      });
      await tells(t, "HELIX-STATE-004", newer, { state: "complete", response: "Two." });
      await tells(t, "HELIX-STATE-004", older, { state: "waiting", response: "" });
      older.answer("One.");
      await t.require("HELIX-STATE-004", older.done);
      await tells(t, "HELIX-STATE-004", older, { state: "complete", response: "One." });
    },
  },
  "state.one-before": {
    title: "a second completion of the previous request does not complete the waiting one",
    emits: ["HELIX-STATE-004"],
    async run(t) {
      const session = t.session();
      const before = await t.chat(session);
      before.answer("Hello!");
      await before.done;
      const turn = await t.chat(session, "Once more");
      before.completed();
      await stillTells(t, "HELIX-STATE-004", turn, { state: "waiting" });
      t.check("HELIX-STATE-004", !(await isSettled(turn.done)), {
        expected: "an interaction that waits",
        actual: "it is over",
      });
      turn.answer("Hello again!");
      await t.require("HELIX-STATE-004", turn.done);
    },
  },
  "state.second-completion": {
    title: "a second completion changes nothing",
    emits: ["HELIX-STATE-005"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.answer("Once.");
      await turn.done;
      turn.completed();
      await stillTells(t, "HELIX-STATE-005", turn, { state: "complete", response: "Once." });
      await t.require("HELIX-STATE-005", t.works());
    },
  },
  "state.unknown-request": {
    title: "the completion of an unknown request changes nothing",
    emits: ["HELIX-STATE-005"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Half");
      t.event("message_completed", {
        session_id: turn.session,
        acp_thread_id: turn.thread,
        message_id: "0",
        request_id: "req_of_nobody",
      });
      await stillTells(t, "HELIX-STATE-005", turn, { state: "waiting", response: "Half" });
      turn.answer("All of it.");
      await t.require("HELIX-STATE-005", turn.done);
      await t.require("HELIX-STATE-005", t.works());
    },
  },
  "state.unknown-thread": {
    title: "events of an unknown session and an unknown thread change nothing",
    emits: ["HELIX-STATE-005"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Half");
      const nobody = { session_id: "ses_of_nobody", acp_thread_id: randomUUID(), message_id: "ai_msg_of_nobody" };
      t.event("message_added", {
        ...nobody,
        role: "assistant",
        content: "Not for you.",
        timestamp: Math.floor(Date.now() / 1_000),
      });
      t.event("message_completed", { ...nobody, request_id: "req_of_nobody" });
      await stillTells(t, "HELIX-STATE-005", turn, { state: "waiting", response: "Half" });
      turn.answer("All of it.");
      await t.require("HELIX-STATE-005", turn.done);
      await t.require("HELIX-STATE-005", t.works());
    },
  },
  "state.other-thread": {
    title: "an update that names another thread does not change the thread of the session",
    emits: ["HELIX-SEND-003"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.created();
      turn.added("Here.");
      t.event("message_added", {
        session_id: turn.session,
        acp_thread_id: randomUUID(),
        message_id: "ai_msg_of_nobody",
        role: "assistant",
        content: "And elsewhere.",
        timestamp: Math.floor(Date.now() / 1_000),
      });
      turn.completed();
      await turn.done;
      const next = await t.require("HELIX-SEND-003", t.chat(turn.session, "Where are we?"));
      const named = next.ask.params["acp_thread_id"];
      t.check("HELIX-SEND-003", named === turn.thread, { expected: turn.thread, actual: named });
      next.answer("Here.");
      await next.done;
    },
  },
  "state.late-update": {
    title: "an update after the completion changes nothing",
    emits: ["HELIX-STATE-006"],
    async run(t) {
      const turn = await t.chat(t.session());
      turn.answer("Complete.");
      await turn.done;
      turn.added("Complete. Or not?");
      turn.added("One thing more.", `${turn.requestId}-late`);
      await stillTells(t, "HELIX-STATE-006", turn, { state: "complete", response: "Complete." });
      const next = await t.require("HELIX-STATE-006", t.chat(turn.session, "And now?"));
      // However the host reads this, the previous interaction is complete.
      turn.added("Complete. Still not?");
      await stillTells(t, "HELIX-STATE-006", turn, { state: "complete", response: "Complete." });
      next.answer("Now it is.");
      await t.require("HELIX-STATE-006", next.done);
    },
  },
  "state.messages": {
    title: "messages of one answer keep their order, and each update replaces its own message",
    emits: ["HELIX-STATE-007"],
    async run(t) {
      const turn = await t.chat(t.session());
      const [second, third] = ["z", "y"].map((name) => `${turn.requestId}-${name}`);
      turn.created();
      turn.added("First");
      turn.added("Second", second);
      turn.added("First, at length");
      turn.added("Third", third);
      turn.added("Second, at length", second);
      const texts = ["First, at length", "Second, at length", "Third"];
      const inOrder = where(
        `${texts.join(" / ")}, each on lines of its own`,
        (response: unknown) => String(response).split(/\n+/).join("|") === texts.join("|"),
      );
      await tells(t, "HELIX-STATE-007", turn, { state: "waiting", response: inOrder });
      turn.completed();
      await t.require("HELIX-STATE-007", turn.done);
      await tells(t, "HELIX-STATE-007", turn, { state: "complete", response: inOrder });
    },
  },
  "state.message-id": {
    title: "a completion may name another message, or none",
    emits: ["HELIX-STATE-008"],
    async run(t) {
      for (const message_id of ["0", "", "ai_msg_of_nobody"]) {
        const turn = await t.chat(t.session());
        turn.created();
        turn.added("Hello!");
        t.event("message_completed", {
          session_id: turn.session,
          acp_thread_id: turn.thread,
          message_id,
          request_id: turn.requestId,
        });
        await t.require("HELIX-STATE-008", turn.done);
        await tells(t, "HELIX-STATE-008", turn, { state: "complete", response: "Hello!" });
      }
    },
  },
  "state.remapped": {
    title: "a new thread replaces the previous one",
    emits: ["HELIX-STATE-009"],
    async run(t) {
      const session = t.session();
      const first = await t.chat(session);
      first.answer("Hello!");
      await first.done;
      const before = first.thread;
      const second = await t.chat(session, "That thread is lost.");
      second.created();
      second.answer("Here is another one.");
      await t.require("HELIX-STATE-009", second.done);
      const third = await t.require("HELIX-STATE-009", t.chat(session, "Is it?"));
      const named = third.ask.params["acp_thread_id"];
      t.check("HELIX-STATE-009", named === second.thread && named !== before, {
        expected: second.thread,
        actual: named,
      });
      third.answer("It is.");
      await t.require("HELIX-STATE-009", third.done);
    },
  },
  "state.empty": {
    title: "an answer without any text completes its interaction",
    emits: ["HELIX-STATE-010"],
    async run(t) {
      const turn = await t.chat(t.session(), "Say nothing.");
      turn.created();
      turn.completed();
      await t.require("HELIX-STATE-010", turn.done);
      await tells(t, "HELIX-STATE-010", turn, { state: "complete", response: "" });
    },
  },
  "state.history": {
    title: "a session keeps all its interactions, in order",
    emits: ["HELIX-STATE-011"],
    async run(t) {
      const session = t.session();
      const said = ["one", "two", "three"];
      for (const message of said) {
        const turn = await t.chat(session, message);
        turn.answer(`${message}!`);
        await turn.done;
        await tells(t, "HELIX-STATE-011", turn, { message, state: "complete", response: `${message}!` });
      }
      const { interactions = [] } = await t.eventually(
        session,
        (report) => report.interactions?.length === said.length,
      );
      const messages = interactions.map(({ message, request_id }) => message ?? request_id);
      const isWhole =
        interactions.length === said.length &&
        interactions.every(
          ({ message, response }, index) =>
            (message ?? said[index]) === said[index] && (response ?? `${said[index]}!`) === `${said[index]}!`,
        );
      t.check("HELIX-STATE-011", isWhole, { expected: said, actual: messages });
    },
  },
});
