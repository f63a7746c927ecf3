import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { pingData } from "../../../../packs/socket.js";
import { defineCases, type AgentContext } from "../../agent-role.js";

const path = "/api/v1/external-agents/sync";

/** How the agent dialed first. */
async function dialed(t: AgentContext): Promise<Record<string, unknown>> {
  const { data } = await t.expect.event("connected", { after: -1 });
  return isObject(data) ? data : {};
}

/** Refused dials in a row, after which the wait has to be longer than the shortest one by this factor. */
const REFUSALS = 2;
const LONGER = 1.2;
const ATTEMPTS = 3;

/** Drops the connection and refuses some dials. Gives the milliseconds before each dial, the accepted one included. */
async function waitsOf(t: AgentContext): Promise<number[]> {
  const from = t.now();
  await t.require("HELIX-LINK-004", t.reconnect(REFUSALS));
  const events = t.conversation.link.trace.entries.slice(from + 1);
  const dials = events.flatMap((one) =>
    one.kind === "event" && ["dropped", "refused", "connected"].includes(one.name) ? [one.at] : [],
  );
  return dials.slice(1).map((at, index) => Math.round(at - (dials[index] ?? at)));
}

/** The connection. */
export const linkCases: readonly Case[] = defineCases({
  "link.address": {
    title: "the agent dials the path of the protocol with its session_id",
    emits: ["HELIX-LINK-001"],
    async run(t) {
      const { pathname, searchParams } = new URL(String((await dialed(t))["url"]), "ws://host");
      t.check("HELIX-LINK-001", pathname === path, { expected: path, actual: pathname });
      t.check("HELIX-LINK-001", searchParams.get("session_id") === t.socket.id, {
        expected: `session_id=${t.socket.id}`,
        actual: searchParams.toString(),
      });
    },
  },
  "link.token": {
    title: "the agent sends its token",
    emits: ["HELIX-LINK-002"],
    async run(t) {
      const { authorized } = await dialed(t);
      t.check("HELIX-LINK-002", authorized === true, {
        expected: "Authorization: Bearer with the token",
        actual: "another header, or none",
      });
    },
  },
  "link.ping": {
    title: "pings are answered, and change nothing",
    emits: ["HELIX-LINK-003"],
    async run(t) {
      for (let n = 0; n < 3; n++) {
        const pong = t.expect.event("pong");
        t.socket.ping();
        await t.require("HELIX-LINK-003", pong);
      }
      await t.require("HELIX-LINK-003", t.works());
    },
  },
  "link.ping-data": pingData("HELIX-LINK-007"),
  "link.redial": {
    title: "a lost connection is dialed again, each time later",
    emits: ["HELIX-LINK-004"],
    async run(t) {
      const seen: string[] = [];
      let grows = false;
      // On a busy machine dials are seen late, now and then.
      for (let attempt = 0; attempt < ATTEMPTS && !grows; attempt++) {
        const waits = await waitsOf(t);
        grows = (waits[REFUSALS] ?? 0) > LONGER * Math.min(...waits);
        seen.push(waits.map((ms) => `${ms} ms`).join(", "));
      }
      await t.require("HELIX-LINK-004", t.works());
      t.check("HELIX-LINK-004", grows, { expected: "longer waits after every refusal", actual: seen });
    },
  },
  "link.nothing-again": {
    isolation: "connection",
    title: "after a reconnect, nothing that was complete is sent again",
    emits: ["HELIX-LINK-005"],
    needs: ["text"],
    async run(t) {
      const turn = t.chat(t.session(), t.say("text"));
      const thread = await turn.thread();
      await turn.completed();
      await t.reconnect();
      const back = t.now();
      await t.require("HELIX-LINK-005", t.works());
      const again = t.history().filter(({ entry, is }) => {
        if (entry.seq <= back || is.kind !== "notification" || !isObject(is.params)) return false;
        return is.params["acp_thread_id"] === thread || is.params["request_id"] === turn.requestId;
      });
      t.check("HELIX-LINK-005", again.length === 0, {
        expected: "nothing about the old turn",
        actual: again.map(({ entry }) => entry.message),
      });
    },
  },
  "link.thread-kept": {
    isolation: "connection",
    title: "after a reconnect, a message to a known thread creates no thread",
    emits: ["HELIX-LINK-006"],
    needs: ["text"],
    async run(t) {
      const session = t.session();
      const turn = t.chat(session, t.say("text"));
      const thread = await turn.thread();
      await turn.completed();
      await t.reconnect();
      const { params } = await t.require(
        "HELIX-LINK-006",
        t.chat(session, t.say("text"), { acp_thread_id: thread }).completed(),
      );
      const created = t.rest("context_created", { session_id: session });
      t.check("HELIX-LINK-006", created.length === 0, { expected: "no context_created", actual: created });
      t.check("HELIX-LINK-006", params["acp_thread_id"] === thread, {
        expected: thread,
        actual: params["acp_thread_id"],
      });
    },
  },
  "link.past-kept": {
    isolation: "connection",
    title: "after a reconnect, a thread remembers its earlier messages",
    emits: ["HELIX-LINK-006"],
    needs: ["text", "recall"],
    async run(t) {
      const session = t.session();
      const text = `before-${t.now()}`;
      const turn = t.chat(session, t.say("text", { text }));
      const acp_thread_id = await turn.thread();
      await turn.completed();
      await t.reconnect();
      const again = t.chat(session, t.say("recall"), { acp_thread_id });
      const said = await t.require("HELIX-LINK-006", again.answer());
      t.check("HELIX-LINK-006", said.at(-1)?.includes(text) === true, { expected: text, actual: said });
    },
  },
});
