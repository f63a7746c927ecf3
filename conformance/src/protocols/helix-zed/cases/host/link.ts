import type { Case } from "../../../../core/run/case.js";
import { pingData } from "../../../../packs/socket.js";
import { defineCases, type HostContext } from "../../host-role.js";
import { tells } from "./reported.js";

const isolation = "connection";
const noToken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  absent: {},
  empty: { authorization: "" },
  "empty-bearer": { authorization: "Bearer " },
};

/** Milliseconds between the pings of a host that must ping. */
const PING_MS = 60;
/** How long it is to wait for an answer: longer than any machine is busy, unless nobody answers. */
const PATIENT_MS = 10_000;
const HASTY_MS = 300;

/** Has the host ping from now on, on a new connection. */
async function pinged(t: HostContext, pongMs: number): Promise<void> {
  await t.act("pings", { agent: t.socket.id, pingMs: PING_MS, pongMs }, { optional: true });
  await t.reconnect();
}

/** How agents come and go. */
export const linkCases: readonly Case[] = defineCases({
  ...defineCases.each(Object.entries(noToken), ([name, headers]) => ({
    [`link.token-${name}`]: {
      isolation,
      title: `an agent without a token is refused: ${name}`,
      emits: ["HELIX-LINK-020"],
      async run(t) {
        const { authorized, attempt } = t.socket;
        t.needs(authorized === true && attempt !== undefined, "the host was dialed without a token, so it wants none");
        const status = await attempt?.(headers);
        t.check("HELIX-LINK-020", status === 401, { expected: 401, actual: status });
        await t.require("HELIX-LINK-020", t.works());
      },
    },
  })),
  "link.ping-data": pingData("HELIX-LINK-007"),
  "link.pings": {
    isolation,
    title: "agents are pinged repeatedly",
    emits: ["HELIX-LINK-021"],
    async run(t) {
      await pinged(t, PATIENT_MS);
      for (let count = 0; count < 2; count++) await t.require("HELIX-LINK-021", t.expect.event("ping"));
      await t.require("HELIX-LINK-021", t.works());
    },
  },
  "link.silent": {
    isolation,
    title: "an agent that does not answer pings is dropped",
    emits: ["HELIX-LINK-021"],
    async run(t) {
      t.socket.ignorePings();
      await pinged(t, HASTY_MS);
      await t.require("HELIX-LINK-021", t.expect.closed());
    },
  },
  "link.newest": {
    isolation,
    title: "the newest connection is used",
    emits: ["HELIX-LINK-022"],
    async run(t) {
      await t.works();
      await t.reconnect("keep");
      await t.require("HELIX-LINK-022", t.works());
    },
  },
  "link.own": {
    isolation,
    title: "a message is sent to the agent of its session only",
    emits: ["HELIX-LINK-025"],
    async run(t) {
      const other = await t.socket.another?.({ session_id: `${t.socket.id}-other` }).catch(() => undefined);
      t.needs(other !== undefined, "the host takes no further agent");
      // The other agent dialed last, and then first.
      for (const isFirst of [false, true]) {
        if (isFirst) await t.reconnect();
        await t.require("HELIX-LINK-025", t.works());
      }
      await t.allRead();
      const heard = other?.heard.filter((text) => text.includes("chat_message")) ?? [];
      other?.close();
      t.check("HELIX-LINK-025", heard.length === 0, { expected: "nothing for the other agent", actual: heard });
    },
  },
  "link.again": {
    isolation,
    title: "a waiting message is sent again after a reconnect",
    emits: ["HELIX-LINK-023"],
    async run(t) {
      const session = t.session();
      const lost = await t.chat(session, "Did you get this?");
      lost.created();
      lost.added("Half of");
      await t.allRead();
      await t.reconnect();
      const again = await t.require("HELIX-LINK-023", t.next(session));
      const { message, request_id: id } = again.ask.params;
      t.check("HELIX-LINK-023", id === lost.requestId && message === "Did you get this?", {
        expected: lost.ask.params,
        actual: again.ask.params,
      });
      again.answer("All of it.");
      await t.require("HELIX-LINK-023", lost.done);
      await tells(t, "HELIX-LINK-023", again, { state: "complete" });
      await t.allRead();
      t.check("HELIX-LINK-023", t.rest("chat_message").length === 0, {
        expected: "once",
        actual: t.rest("chat_message"),
      });
    },
  },
  "link.oldest": {
    isolation,
    title: "of several waiting messages, the oldest is sent, and no completed one",
    emits: ["HELIX-LINK-023"],
    async run(t) {
      const session = t.session();
      const complete = await t.chat(session, "one");
      complete.answer("One.");
      await complete.done;
      const oldest = await t.chat(session, "two");
      const newest = t.queue(session, "three");
      await t.allRead();
      await t.reconnect();
      for (const message of ["two", "three"]) {
        const turn = await t.require("HELIX-LINK-023", t.next(session));
        t.check("HELIX-LINK-023", turn.ask.params["message"] === message, {
          expected: message,
          actual: turn.ask.params["message"],
        });
        await t.allRead();
        t.check("HELIX-LINK-023", t.rest("chat_message").length === 0, {
          expected: `nothing but "${message}"`,
          actual: t.rest("chat_message"),
        });
        turn.answer("Yes.");
      }
      await t.require("HELIX-LINK-023", Promise.all([oldest.done, newest]));
    },
  },
  "link.thread": {
    isolation,
    title: "a session keeps its thread after a reconnect",
    emits: ["HELIX-LINK-024"],
    async run(t) {
      const session = t.session();
      const before = await t.chat(session);
      before.answer("Hello!");
      await before.done;
      await t.reconnect();
      const turn = await t.require("HELIX-LINK-024", t.chat(session, "Are we where we were?"));
      const named = turn.ask.params["acp_thread_id"];
      t.check("HELIX-LINK-024", named === before.thread, { expected: before.thread, actual: named });
      turn.answer("We are.");
      await t.require("HELIX-LINK-024", turn.done);
    },
  },
});
