import { ended } from "./turn.js";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../agent-role.js";

const own = { isolation: "connection" } as const;

/** Events that report a new thread, in the specification and in the 2026 dialect. */
const names = ["context_created", "thread_created"];

/** How a host says that it knows no thread. */
const unnamed: Readonly<Record<string, object>> = { absent: {}, empty: { acp_thread_id: "" } };

const unnamedCases = Object.entries(unnamed).flatMap(([name, thread]) =>
  defineCases({
    [`thread.${name}`]: {
      title: `an acp_thread_id that is ${name} asks for a new thread`,
      emits: ["HELIX-THREAD-003"],
      needs: ["text"],
      async run(t) {
        const turn = t.odd({
          helix_session_id: t.session(),
          message: t.say("text"),
          request_id: t.request(),
          ...thread,
        });
        await t.require("HELIX-THREAD-003", turn.thread());
        await t.require("HELIX-THREAD-003", turn.completed());
      },
    },
  }),
);

/** Threads. */
export const threadCases: readonly Case[] = [
  ...defineCases({
    "thread.created": {
      title: "the first message of a session creates a thread",
      emits: ["HELIX-THREAD-001", "HELIX-THREAD-002", "HELIX-THREAD-004"],
      needs: ["text"],
      plain: true,
      async run(t) {
        const session = t.session();
        const turn = t.chat(session, t.say("text"));
        const thread = await t.require("HELIX-THREAD-001", turn.thread());
        await turn.completed();
        const said = t
          .history()
          .flatMap(({ is }) =>
            is.kind === "notification" && isObject(is.params) && is.params["acp_thread_id"] === thread
              ? [is.method]
              : [],
          );
        t.check("HELIX-THREAD-002", names.includes(said[0] ?? ""), { expected: "context_created first", actual: said });
        await t.works();
        const created = t
          .history()
          .filter(
            ({ is }) =>
              is.kind === "notification" &&
              is.method === "context_created" &&
              isObject(is.params) &&
              is.params["session_id"] === session,
          );
        t.check("HELIX-THREAD-001", created.length < 2, {
          expected: "one context_created",
          actual: created.map(({ entry }) => entry.message),
        });
        t.pass("HELIX-THREAD-004"); // which the monitor judges
      },
    },
  }),
  ...unnamedCases,
  ...defineCases({
    "thread.new-ids": {
      title: "every first message creates its own thread",
      emits: ["HELIX-THREAD-005"],
      needs: ["text"],
      plain: true,
      async run(t) {
        const turns = [0, 1, 2].map(() => t.chat(t.session(), t.say("text")));
        const ids = await t.require("HELIX-THREAD-005", Promise.all(turns.map((turn) => turn.thread())));
        t.check("HELIX-THREAD-005", new Set(ids).size === ids.length && !ids.includes(""), {
          expected: "three ids",
          actual: ids,
        });
        await Promise.all(turns.map((turn) => turn.completed()));
      },
    },
    "thread.same-session": {
      title: "a message decides its thread, whatever thread its session had before",
      emits: ["HELIX-THREAD-005", "HELIX-THREAD-007"],
      needs: ["text"],
      plain: true,
      async run(t) {
        const session = t.session();
        const first = t.chat(session, t.say("text"));
        const thread = await first.thread();
        await first.completed();
        const second = t.chat(session, t.say("text"));
        const other = await t.require("HELIX-THREAD-005", second.thread());
        await second.completed();
        t.check("HELIX-THREAD-005", other !== thread, { expected: "another thread", actual: other });
        const { params } = await t.chat(session, t.say("text"), { acp_thread_id: thread }).completed();
        t.check("HELIX-THREAD-007", params["acp_thread_id"] === thread, {
          expected: thread,
          actual: params["acp_thread_id"],
        });
      },
    },
    "thread.follow-up": {
      title: "a message to a thread is answered in this thread, and creates none",
      emits: ["HELIX-THREAD-006", "HELIX-THREAD-007"],
      needs: ["text", "chunks"],
      plain: true,
      smoke: true,
      async run(t) {
        const session = t.session();
        const first = t.chat(session, t.say("text"));
        const thread = await first.thread();
        await first.completed();
        const second = t.chat(session, t.say("chunks", { count: 3 }), { acp_thread_id: thread });
        await t.require("HELIX-THREAD-007", second.added());
        const { params } = await t.require("HELIX-THREAD-007", second.completed());
        t.check("HELIX-THREAD-007", params["acp_thread_id"] === thread, {
          expected: thread,
          actual: params["acp_thread_id"],
        });
        const created = t.rest("context_created", { session_id: session });
        t.check("HELIX-THREAD-006", created.length === 0, { expected: "no context_created", actual: created });
      },
    },
    "thread.recall": {
      title: "a turn knows everything that the user said in its thread before, and nothing of other threads",
      emits: ["HELIX-THREAD-005", "HELIX-THREAD-007"],
      needs: ["text", "error", "recall"],
      async run(t) {
        const session = t.session();
        const texts = ["first", "second"].map((name) => `${name}-${t.now()}`);
        const first = t.chat(session, t.say("text", { text: texts[0] }));
        const acp_thread_id = await first.thread();
        await first.completed();
        await t.chat(session, t.say("text", { text: texts[1] }), { acp_thread_id }).completed();
        const elsewhere = await t.chat(t.session(), t.say("recall")).answer();
        await ended(t, t.chat(session, t.say("error"), { acp_thread_id }).requestId);
        const said = await t.chat(session, t.say("recall"), { acp_thread_id }).answer();
        const isRight = texts.every((text) => said.at(-1)?.includes(text) === true);
        t.check("HELIX-THREAD-007", isRight, { expected: texts, actual: said });
        const isOwn = texts.every((text) => elsewhere.every((one) => !one.includes(text)));
        t.check("HELIX-THREAD-005", isOwn, { expected: "nothing of the other thread", actual: elsewhere });
      },
    },
    "thread.other-session": {
      title: "a turn is of the session of its message, also in the thread of another one",
      emits: ["HELIX-THREAD-011"],
      needs: ["text"],
      async run(t) {
        const first = t.chat(t.session(), t.say("text"));
        const acp_thread_id = await first.thread();
        await first.completed();
        const session = t.session();
        const { params } = await t.chat(session, t.say("text"), { acp_thread_id }).completed();
        const named = params["session_id"] ?? "";
        t.check("HELIX-THREAD-011", named === "" || named === session, { expected: session, actual: named });
      },
    },
    "thread.two-sessions": {
      title: "messages of two concurrent sessions do not mix",
      emits: ["HELIX-THREAD-009"],
      needs: ["chunks"],
      async run(t) {
        const counts = [7, 4];
        const turns = counts.map((count) => t.chat(t.session(), t.say("chunks", { count })));
        for (const [index, turn] of turns.entries()) {
          const expected = Array.from({ length: counts[index] ?? 0 }, (_, n) => n + 1).join(" ");
          const said = await t.require("HELIX-THREAD-009", turn.answer());
          // How it takes updates to get there is judged elsewhere; nothing of the other session may stand here.
          const isRight =
            said.at(-1)?.endsWith(String(counts[index])) === true && said.every((one) => expected.includes(one));
          t.check("HELIX-THREAD-009", isRight, { expected, actual: said });
        }
      },
    },
  }),
  ...defineCases(
    {
      "thread.side-by-side": {
        title: "a turn does not wait for a turn of another thread",
        emits: ["HELIX-THREAD-010"],
        needs: ["slow", "text"],
        async run(t) {
          await t.chat(t.session(), t.say("slow")).added({ content: /working/ });
          await t.require("HELIX-THREAD-010", t.chat(t.session(), t.say("text")).completed());
        },
      },
    },
    own,
  ),
];
