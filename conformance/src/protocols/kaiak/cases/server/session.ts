import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import type { ErrorBody } from "../../../../core/talk/message.js";
import { defineCases, type ServerContext, type TestRun } from "../../server-role.js";

const remove = "kaiak/delete_session";
const PACE_MS = 150;
const TERMINATED = -32004;

/** Ends the case where another connection would be to another server. */
function needsOneServer(t: ServerContext): void {
  t.needs(t.transport !== "stdio", "a program on stdin and stdout has one client");
}

/** A run that goes on. */
async function running(t: ServerContext): Promise<TestRun> {
  await t.configured();
  const run = t.run(t.say("slow"));
  await run.stream("ai_response", { text: /working/ });
  return run;
}

/** Ends a run in whatever way the server can. */
async function ending(t: ServerContext, run: TestRun): Promise<void> {
  t.send.notify("$/cancelRequest", { id: run.id });
  t.send.request(remove, { session_id: run.session, force: true });
  await run.response();
}

const ranOn = (t: ServerContext, { id }: TestRun): boolean => !t.history().some(({ is }) => "id" in is && is.id === id);

/** Judges the data of a refusal. */
function checkInUse(t: ServerContext, req: string, { session }: TestRun, { data }: ErrorBody): void {
  const { session_id, in_use_since: since } = isObject(data) ? data : {};
  const right = session_id === session && typeof since === "string" && !Number.isNaN(Date.parse(since));
  t.check(req, right, { expected: `data with session_id ${session} and in_use_since`, actual: data });
}

/** Sessions: who may use them, and when. */
export const sessionCases: readonly Case[] = defineCases({
  "session.in-use": {
    title: "every other run of a session in use is refused, and the first one continues",
    emits: ["KAIAK-SESSION-001"],
    needs: ["slow"],
    async run(t) {
      const run = await running(t);
      for (let attempt = 0; attempt < 3; attempt++) {
        const other = t.run("Say ok.", { session: run.session });
        checkInUse(t, "KAIAK-SESSION-001", run, await t.require("KAIAK-SESSION-001", other.error(-32016)));
      }
      await t.pace(PACE_MS);
      t.check("KAIAK-SESSION-001", ranOn(t, run), { expected: "the first run continues", actual: "it was answered" });
      await ending(t, run);
    },
  },
  "session.free-after-refusal": {
    title: "a session that has refused a run is free when its first run has ended",
    emits: ["KAIAK-SESSION-003"],
    needs: ["slow"],
    async run(t) {
      await t.configured();
      const run = t.run(t.say("slow", { ms: 400 }));
      await run.stream("ai_response", { text: /working/ });
      await t.run("Say ok.", { session: run.session }).response();
      await run.response();
      await t.require("KAIAK-SESSION-003", t.run("Say ok.", { session: run.session }).ended());
    },
  },
  "session.free-after-invalid": {
    title: "a run that is refused for its params leaves its session free",
    emits: ["KAIAK-SESSION-003"],
    async run(t) {
      await t.configured();
      const id = t.conversation.freshId();
      const session = t.session();
      const params = { session_id: session, incidents: "none" };
      await t.send.invalid(t.conversation.envelope.request(id, "kaiak/generate_fix", params)).response();
      await t.require("KAIAK-SESSION-003", t.run("Say ok.", { session }).ended());
    },
  },
  "session.in-use-elsewhere": {
    title: "another client cannot use a session in use",
    emits: ["KAIAK-SESSION-002"],
    needs: ["slow"],
    async run(t) {
      needsOneServer(t);
      const run = await running(t);
      const talk = await t.connect();
      const second = t.run("Say ok.", { session: run.session, talk });
      checkInUse(t, "KAIAK-SESSION-002", run, await t.require("KAIAK-SESSION-002", second.error(-32016)));
      await ending(t, run);
    },
  },
  "session.time-limit": {
    title: "a run that takes too long ends, and leaves its session free",
    emits: ["KAIAK-SESSION-004", "KAIAK-SESSION-008"],
    needs: ["slow"],
    async run(t) {
      await t.configured();
      const began = performance.now();
      const run = t.run(t.say("slow", { ms: 10_000 }), { params: { options: { max_processing_time: 1 } } });
      const end = await t.require("KAIAK-SESSION-004", run.response({ deadline: 8_000 }));
      // A busy machine can only make this longer.
      const took = Math.round(performance.now() - began);
      t.check("KAIAK-SESSION-004", took >= 900, { expected: "the run has 1 second", actual: `it took ${took} ms` });
      const { status } = isObject(end.result) ? end.result : {};
      t.check("KAIAK-SESSION-008", end.error !== undefined || status === "failed" || status === "cancelled", {
        expected: "failed or cancelled, or an error",
        actual: end,
      });
      await t.require("KAIAK-SESSION-004", t.run("Say ok.", { session: run.session }).ended());
    },
  },
  "session.client-gone": {
    isolation: "last",
    title: "a client that leaves during a run leaves its session free",
    emits: ["KAIAK-SESSION-005"],
    needs: ["slow"],
    async run(t) {
      needsOneServer(t);
      const run = await running(t);
      await t.hangUp();
      await t.pace(PACE_MS);
      const talk = await t.connect();
      const again = t.run("Say ok.", { session: run.session, talk });
      await t.require("KAIAK-SESSION-005", again.ended());
    },
  },
  "delete.known": {
    title: "a session is deleted once",
    emits: ["KAIAK-DELETE-001", "KAIAK-DELETE-002", "KAIAK-DELETE-006"],
    smoke: true,
    async run(t) {
      await t.configured();
      const run = t.run("Say ok.");
      await run.ended();
      const params = { session_id: run.session, force: false, cleanup_files: true };
      const { cleanup_summary, session_id } = await t.require(
        "KAIAK-DELETE-001",
        t.send.request(remove, params).result(),
      );
      const removed = isObject(cleanup_summary) && cleanup_summary["session_removed"] === true;
      t.check("KAIAK-DELETE-001", removed && session_id === run.session, {
        expected: "the session, and session_removed",
        actual: { session_id, cleanup_summary },
      });
      await t.require("KAIAK-DELETE-002", t.send.request(remove, params).error(-32003));
      const again = await t.run("Say ok.", { session: run.session }).response();
      t.check("KAIAK-DELETE-006", again.error === undefined || again.error.code === TERMINATED, {
        expected: "a result, or -32004",
        actual: again.error,
      });
    },
  },
  "delete.unknown": {
    title: "an unknown session is not deleted, forced or not",
    emits: ["KAIAK-DELETE-002"],
    async run(t) {
      await t.configured();
      for (const force of [false, true]) {
        const session_id = t.session();
        const call = t.send.request(remove, { session_id, force });
        const { data } = await t.require("KAIAK-DELETE-002", call.error(-32003));
        t.check("KAIAK-DELETE-002", isObject(data) && data["session_id"] === session_id, {
          expected: `data.session_id ${session_id}`,
          actual: data,
        });
      }
    },
  },
  "delete.short": {
    title: "force and cleanup_files may be left out",
    emits: ["KAIAK-DELETE-005"],
    async run(t) {
      await t.configured();
      const run = t.run("Say ok.");
      await run.ended();
      const call = t.send.request(remove, { session_id: run.session });
      await t.require("KAIAK-DELETE-005", call.result({ status: "deleted" }));
    },
  },
  "delete.in-use": {
    title: "a session in use is deleted only with force, and alone",
    emits: ["KAIAK-DELETE-003", "KAIAK-DELETE-004"],
    needs: ["slow"],
    async run(t) {
      const other = await running(t);
      const run = await running(t);
      for (const more of [{}, { force: false }])
        await t.require("KAIAK-DELETE-003", t.send.request(remove, { session_id: run.session, ...more }).error(-32016));
      t.check("KAIAK-DELETE-003", ranOn(t, run), { expected: "the run continues", actual: "it was answered" });
      const forced = t.send.request(remove, { session_id: run.session, force: true });
      const end = await t.require("KAIAK-DELETE-004", run.response());
      const { status } = isObject(end.result) ? end.result : {};
      // The specification has a code for it, and no status.
      t.check("KAIAK-DELETE-004", status === "cancelled" || end.error?.code === TERMINATED, {
        expected: `cancelled, or ${TERMINATED}`,
        actual: end,
      });
      await t.require("KAIAK-DELETE-004", forced.result({ status: "deleted" }));
      const { at } = await forced.response();
      t.check("KAIAK-DELETE-004", at > end.at, { expected: "the end of the run first", actual: "the deletion first" });
      await t.alive();
      t.check("KAIAK-DELETE-004", ranOn(t, other), { expected: "another session's run continues", actual: "its end" });
      await ending(t, other);
    },
  },
});
