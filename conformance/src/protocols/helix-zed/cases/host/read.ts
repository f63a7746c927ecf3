import { randomUUID } from "node:crypto";
import type { Case } from "../../../../core/run/case.js";
import type { HostTurn } from "../../as-agent.js";
import { defineCases, type HostContext } from "../../host-role.js";
import { tells } from "./reported.js";
import { where } from "../../../../trace/pattern.js";

type Json = Record<string, unknown>;
export const seconds = (): number => Math.floor(Date.now() / 1_000);

/** An event as agents send it that do not name the session. */
const withoutSession = (event_type: string, data: Json): Json => ({ event_type, data });

/** The fields of a message_added of a turn, with some of them replaced; `undefined` leaves one out. */
const added = ({ thread, requestId }: HostTurn, content: string, change: Json = {}): Json => ({
  acp_thread_id: thread,
  message_id: `ai_msg_${requestId}`,
  role: "assistant",
  content,
  timestamp: seconds(),
  ...change,
});

/** A message_added in its envelope, whatever its fields. */
export const addedEvent = (turn: HostTurn, content: string, change?: Json, beside: Json = {}): Json => ({
  session_id: turn.session,
  event_type: "message_added",
  data: added(turn, content, change),
  ...beside,
});

/** How 2026 agents differ from the specification. */
const aliases: readonly Case[] = defineCases({
  "read.thread-created": {
    title: "thread_created is read as context_created",
    emits: ["HELIX-READ-001"],
    async run(t) {
      const turn = await t.chat(t.session());
      const thread = randomUUID();
      t.event("thread_created", { session_id: turn.session, acp_thread_id: thread, request_id: turn.requestId });
      t.send.notify("message_added", { session_id: turn.session, ...added(turn, "Hello!", { acp_thread_id: thread }) });
      t.event("message_completed", {
        session_id: turn.session,
        acp_thread_id: thread,
        message_id: "0",
        request_id: turn.requestId,
      });
      await goesOnIn(t, turn, thread);
    },
  },
  "read.context-id": {
    title: "context_id is read as acp_thread_id",
    emits: ["HELIX-READ-001"],
    async run(t) {
      const turn = await t.chat(t.session());
      const thread = randomUUID();
      const ids = { session_id: turn.session };
      t.send.invalid({
        ...ids,
        event_type: "context_created",
        data: { context_id: thread, helix_session_id: turn.session },
      });
      t.send.notify("message_added", { ...ids, ...added(turn, "Hello!", { acp_thread_id: thread }) });
      t.event("message_completed", { ...ids, acp_thread_id: thread, message_id: "0", request_id: turn.requestId });
      await goesOnIn(t, turn, thread);
    },
  },
  "read.no-session": {
    title: "events without session_id are read by request and thread",
    emits: ["HELIX-READ-001"],
    async run(t) {
      const others = await t.chat(t.session(), "Somebody else waits as well.");
      others.created();
      const turn = await t.chat(t.session());
      const thread = randomUUID();
      t.send.invalid(withoutSession("thread_created", { acp_thread_id: thread, request_id: turn.requestId }));
      t.send.invalid(withoutSession("message_added", added(turn, "Hello!", { acp_thread_id: thread })));
      t.send.invalid(
        withoutSession("message_completed", { acp_thread_id: thread, message_id: "0", request_id: turn.requestId }),
      );
      await goesOnIn(t, turn, thread);
      others.answer("So do I.");
      await t.require("HELIX-READ-001", others.done);
    },
  },
});

/** The turn is complete, and the next one is in its thread. */
async function goesOnIn(t: HostContext, turn: HostTurn, thread: string): Promise<void> {
  await t.require("HELIX-READ-001", turn.done);
  const next = await t.require("HELIX-READ-001", t.chat(turn.session, "And then?"));
  const named = next.ask.params["acp_thread_id"];
  t.check("HELIX-READ-001", named === thread, { expected: thread, actual: named });
  next.answer("That is all.");
  await t.require("HELIX-READ-001", next.done);
  await tells(t, "HELIX-READ-001", turn, { state: "complete", response: "Hello!" });
}

/** The forms of a timestamp or a role that agents write. */
const forms: Readonly<Record<string, () => Json>> = {
  "no-timestamp": () => ({ timestamp: undefined }),
  "timestamp-text": () => ({ timestamp: String(seconds()) }),
  "timestamp-date": () => ({ timestamp: new Date().toISOString() }),
  "timestamp-milliseconds": () => ({ timestamp: Date.now() }),
};

const formCases = Object.entries(forms).flatMap(([name, change]) =>
  defineCases({
    [`read.${name}`]: {
      title: `an update in another form is read: ${name}`,
      emits: ["HELIX-READ-004"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        t.send.invalid(addedEvent(turn, "Hello!", change()));
        await tells(t, "HELIX-READ-004", turn, { state: "waiting", response: "Hello!" });
        turn.completed();
        await t.require("HELIX-READ-004", turn.done);
      },
    },
  }),
);

const roleCases = ["user", "system"].flatMap((other) =>
  defineCases({
    [`read.role-${other}`]: {
      title: `a message of another role is read: ${other}`,
      emits: ["HELIX-READ-004"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        t.send.notify("message_added", {
          session_id: turn.session,
          ...added(turn, "An earlier message.", { role: other, message_id: `${turn.requestId}-${other}` }),
        });
        turn.added("Hello!");
        // Whether it is shown, and where, is the host's choice.
        await tells(t, "HELIX-READ-004", turn, { state: "waiting", response: /Hello!$/ });
        turn.completed();
        await t.require("HELIX-READ-004", turn.done);
      },
    },
  }),
);

const MANY = 100;

/** Cases about events that the host reads. */
export const readCases: readonly Case[] = [
  ...aliases,
  ...formCases,
  ...roleCases,
  ...defineCases({
    "read.large": {
      title: "a content of 1 MiB is read",
      emits: ["HELIX-READ-005"],
      async run(t) {
        const turn = await t.chat(t.session());
        const content = "0123456789abcde\n".repeat(65_536);
        turn.answer(content);
        await t.require("HELIX-READ-005", turn.done);
        const isWhole = where("the text of 1 MiB", (response: unknown) => response === content);
        await tells(t, "HELIX-READ-005", turn, { state: "complete", response: isWhole });
      },
    },
    "read.many": {
      title: "100 updates at once are read in order",
      emits: ["HELIX-READ-005"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        const words = Array.from({ length: MANY }, (_, index) => String(index));
        for (const index of words.keys()) turn.added(words.slice(0, index + 1).join(" "));
        turn.completed();
        await t.require("HELIX-READ-005", turn.done);
        await tells(t, "HELIX-READ-005", turn, { state: "complete", response: words.join(" ") });
      },
    },
    "read.fragments": {
      title: "a message in several frames is read",
      emits: ["HELIX-READ-007"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        const text = JSON.stringify(addedEvent(turn, "In pieces."));
        t.socket.fragments([text.slice(0, 7), text.slice(7, 8), text.slice(8)]);
        await tells(t, "HELIX-READ-007", turn, { state: "waiting", response: "In pieces." });
        turn.completed();
        await t.require("HELIX-READ-007", turn.done);
      },
    },
    "read.binary": {
      title: "a message in a binary frame is read",
      emits: ["HELIX-READ-008"],
      async run(t) {
        const turn = await t.chat(t.session());
        turn.created();
        t.socket.binary(Buffer.from(JSON.stringify(addedEvent(turn, "In bytes."))));
        await tells(t, "HELIX-READ-008", turn, { state: "waiting", response: "In bytes." });
        turn.completed();
        await t.require("HELIX-READ-008", turn.done);
      },
    },
  }),
];
