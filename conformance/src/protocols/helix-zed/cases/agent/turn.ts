import type { Case } from "../../../../core/run/case.js";
import { where } from "../../../../trace/pattern.js";
import { defineCases, type AgentContext } from "../../agent-role.js";

const own = { isolation: "connection" } as const;

/** Ids as hosts may make them. */
const ids: Readonly<Record<string, string>> = {
  // The u has its dots in a character of their own.
  unicode: "-gru\u0308n-漢字-😀",
  long: `-${"x".repeat(2_000)}`,
  quotes: `-"'\\ /?&\n`,
  digits: "007",
  "upper-case": "-ABC-Def",
};

const idCases = Object.entries(ids).flatMap(([name, more]) =>
  defineCases({
    [`turn.ids-${name}`]: {
      title: `ids come back byte for byte: ${name}`,
      emits: ["HELIX-TURN-008", "HELIX-THREAD-008"],
      needs: ["text"],
      async run(t) {
        // No id has to begin as those of the specification's examples.
        const session = `conformance${more}${t.session()}`;
        t.adopt(session);
        const turn = t.chat(session, t.say("text"), { request_id: `conformance${more}${t.request()}` });
        const { params } = await t.require("HELIX-TURN-008", turn.completed());
        t.check("HELIX-THREAD-008", [undefined, session].includes(params["session_id"] as string | undefined), {
          expected: session,
          actual: params["session_id"],
        });
      },
    },
  }),
);

/** Waits for what ends a turn, in the dialect of the specification or of 2026. */
export function ended(t: AgentContext, request: string): Promise<unknown> {
  const ends = ["message_completed", "chat_response_error"];
  return t.expect.message({
    event_type: where(ends.join(" or "), (name: unknown) => ends.includes(String(name))),
    data: { request_id: request },
  });
}

/** Turns. */
export const turnCases: readonly Case[] = [
  ...defineCases({
    "turn.text": {
      title: "a request ends with message_completed",
      emits: ["HELIX-TURN-005"],
      needs: ["text"],
      plain: true,
      smoke: true,
      async run(t) {
        await t.require("HELIX-TURN-005", t.chat(t.session(), t.say("text")).completed());
        // Anything that was late has arrived by now.
        await t.works();
      },
    },
    "turn.unicode": {
      title: "a text arrives as it is, in any script and of any length, and once",
      emits: ["HELIX-TURN-003"],
      needs: ["text"],
      async run(t) {
        const text = "grün <b>漢字</b> & 😀";
        const session = t.session();
        const turn = t.chat(session, t.say("text", { text }));
        const said = await turn.answer();
        t.check("HELIX-TURN-003", said.at(-1)?.includes(text) === true, { expected: text, actual: said });
        const long = "again ".repeat(1_400);
        const next = t.chat(session, t.say("text", { text: long }), { acp_thread_id: await turn.thread() });
        const then = await t.require("HELIX-TURN-003", next.answer());
        const isRight = then.at(-1)?.includes(text) === false && then.at(-1)?.includes(long.trim()) === true;
        t.check("HELIX-TURN-003", isRight, { expected: "again, many times", actual: then });
      },
    },
    "turn.chunks": {
      title: "a message keeps its id while it grows",
      emits: ["HELIX-TURN-001", "HELIX-TURN-002", "HELIX-TURN-003"],
      needs: ["chunks"],
      async run(t) {
        const texts = await t.chat(t.session(), t.say("chunks", { count: 6 })).answer();
        t.check("HELIX-TURN-001", texts.length === 1, { expected: "one message", actual: texts });
        const last = texts.at(-1)?.replace(/\s+/g, " ") ?? "";
        const isWhole = last.includes("1 2 3 4 5 6") && last.indexOf("1 2") === last.lastIndexOf("1 2");
        t.check("HELIX-TURN-003", isWhole, { expected: "everything from 1 to 6, once", actual: texts });
        t.pass("HELIX-TURN-002"); // which the monitor judges
      },
    },
  }),
  ...defineCases(
    {
      "turn.streams": {
        title: "the whole text is reported before the turn ends",
        emits: ["HELIX-TURN-003"],
        needs: ["slow"],
        run: async (t) =>
          void (await t.require("HELIX-TURN-003", t.chat(t.session(), t.say("slow")).added({ content: /working/ }))),
      },
    },
    own,
  ),
  ...idCases,
  ...defineCases({
    "turn.queue": {
      title: "messages to a busy thread are answered in order, and those to other threads, too",
      emits: ["HELIX-TURN-005", "HELIX-TURN-010"],
      needs: ["slow", "text"],
      async run(t) {
        const session = t.session();
        const before = t.chat(session, t.say("text"));
        const thread = { acp_thread_id: await before.thread() };
        await before.completed();
        const running = t.chat(session, await t.lasting(), thread);
        const waiting = ["second", "third"].map((text) => t.chat(session, t.say("text", { text }), thread));
        await running.added({ content: /working/ });
        const other = t.chat(t.session(), t.say("text"));
        const ends = await t.require("HELIX-TURN-010", Promise.all(waiting.map((turn) => turn.completed())));
        const [end] = await t.require("HELIX-TURN-005", Promise.all([running.completed(), other.completed()]));
        const at = [end, ...ends].map((one) => one.at);
        t.check(
          "HELIX-TURN-010",
          at.every((one, index) => one > (at[index - 1] ?? -1)),
          {
            expected: [running, ...waiting].map((turn) => turn.requestId),
            message: "the completions came in another order",
          },
        );
        const early = t.rest("message_added", { content: /second|third/ }).filter((one) => one.at < (at[0] ?? 0));
        t.check("HELIX-TURN-010", early.length === 0, {
          message: "the thread sent two messages at once",
          actual: early,
        });
      },
    },
    "turn.empty": {
      title: "a turn without any text ends, too",
      emits: ["HELIX-TURN-011"],
      needs: ["empty"],
      run: async (t) => void (await t.require("HELIX-TURN-011", t.chat(t.session(), t.say("empty")).completed())),
    },
    "turn.messages": {
      title: "three messages of one turn have three ids and one end, and the next turn has another id",
      emits: ["HELIX-TURN-009", "HELIX-TURN-012", "HELIX-TURN-017"],
      needs: ["messages", "text"],
      async run(t) {
        const session = t.session();
        const turn = t.chat(session, t.say("messages", { count: 3 }));
        const texts = await t.require("HELIX-TURN-012", turn.answer());
        t.check("HELIX-TURN-012", texts.length === 3, { expected: ["first", "second", "third"], actual: texts });
        await t.works();
        const more = t.rest("message_completed", { request_id: turn.requestId });
        t.check("HELIX-TURN-012", more.length === 0, { expected: "one message_completed", actual: more });
        const acp_thread_id = await turn.thread();
        const before = t.rest("message_added", { acp_thread_id }).map(({ params }) => params["message_id"]);
        const next = t.chat(session, t.say("text", { text: "next" }), { acp_thread_id });
        const { params } = await next.added({ content: /next/ });
        t.check("HELIX-TURN-017", !before.includes(params["message_id"]), {
          expected: "an id of its own",
          actual: params["message_id"],
        });
        t.pass("HELIX-TURN-009"); // which the monitor judges
      },
    },
    "turn.error": {
      title: "a turn that fails ends, and its thread can be used again",
      emits: ["HELIX-TURN-013"],
      needs: ["error", "text"],
      async run(t) {
        const session = t.session();
        const turn = t.chat(session, t.say("error"));
        const thread = await turn.thread();
        await t.require("HELIX-TURN-013", ended(t, turn.requestId));
        await t.require("HELIX-TURN-013", t.chat(session, t.say("text"), { acp_thread_id: thread }).completed());
      },
    },
    "turn.again-complete": {
      title: "a request that was answered is not answered again",
      emits: ["HELIX-TURN-014"],
      needs: ["text"],
      async run(t) {
        const session = t.session();
        const turn = t.chat(session, t.say("text"));
        const request_id = turn.requestId;
        await turn.completed();
        t.chat(session, t.say("text"), { request_id, acp_thread_id: await turn.thread() });
        await t.works();
        const more = t.rest("message_completed", { request_id });
        t.check("HELIX-TURN-014", more.length === 0, { expected: "one message_completed", actual: more });
      },
    },
    "turn.again-running": {
      title: "a running request is not accepted twice",
      emits: ["HELIX-TURN-014"],
      needs: ["slow"],
      async run(t) {
        const session = t.session();
        const message = t.say("slow", { ms: 60 });
        const turn = t.chat(session, message);
        const request_id = turn.requestId;
        const thread = await turn.thread();
        t.chat(session, message, { request_id, acp_thread_id: thread });
        t.chat(session, message, { request_id });
        await turn.completed();
        // Behind what a second turn would say.
        await t.chat(session, t.say("text"), { acp_thread_id: thread }).completed();
        const more = [
          ...t.rest("message_completed", { request_id }),
          ...t.rest("context_created", { session_id: session }),
        ];
        t.check("HELIX-TURN-014", more.length === 0, { expected: "one thread, one message_completed", actual: more });
      },
    },
    "turn.redelivered": {
      title: "a request that is sent again on a new connection is answered once",
      emits: ["HELIX-TURN-005", "HELIX-TURN-014"],
      needs: ["slow"],
      async run(t) {
        const session = t.session();
        const message = await t.lasting();
        const turn = t.chat(session, message);
        const request_id = turn.requestId;
        const acp_thread_id = await turn.thread();
        await turn.added();
        await t.reconnect();
        const again = t.chat(session, message, { request_id, acp_thread_id });
        await t.require("HELIX-TURN-005", again.completed());
        await t.works();
        const more = t.rest("message_completed", { request_id });
        t.check("HELIX-TURN-014", more.length === 0, { expected: "one message_completed", actual: more });
      },
    },
    "turn.undelivered": {
      title: "a turn that ends without an open connection is complete when its request is sent again",
      emits: ["HELIX-TURN-005"],
      needs: ["slow"],
      async run(t) {
        const session = t.session();
        const message = await t.lasting();
        const turn = t.chat(session, message);
        const { requestId: request_id } = turn;
        const acp_thread_id = await turn.thread();
        await turn.added();
        await t.reconnect(2);
        await t.require("HELIX-TURN-005", t.chat(session, message, { request_id, acp_thread_id }).completed());
      },
    },
    "turn.fragments": {
      title: "a message in several frames is read",
      emits: ["HELIX-TURN-005"],
      needs: ["text"],
      async run(t) {
        const turn = {
          helix_session_id: t.session(),
          acp_thread_id: null,
          message: t.say("text", { text: "grün" }),
          request_id: t.request(),
        };
        const message = { type: "chat_message", data: turn };
        t.conversation.link.trace.add({ kind: "message", from: "suite", message });
        t.socket.fragments(JSON.stringify(message).match(/.{1,9}/gsu) ?? []);
        const end = t.expect.message({ event_type: "message_completed", data: { request_id: turn.request_id } });
        await t.require("HELIX-TURN-005", end);
      },
    },
  }),
];
