import type { Case } from "../../../../core/run/case.js";
import type { WsClose } from "../../../../wire/ws-link.js";
import { pingData } from "../../../../packs/socket.js";
import { defineCases, type BackendContext } from "../../backend-role.js";
import { projectKey } from "../../samples.js";
import { endOf } from "./calls.js";

const header = { isolation: "connection" } as const;
const BIG = 2 * 1024 * 1024;
const TOO_BIG = 10 * 1024 * 1024 + 64 * 1024;
const TOO_BIG_CODE = 1009;
const KNOCK_MS = 500;
const CLOSE_MS = 2_000;

/** Queries that lack something, and the beginning of the reason for the close. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no-session": { projectKey },
  "empty-session": { sessionId: "", projectKey },
  "no-project": { sessionId: "test-123" },
  "empty-project": { sessionId: "test-123", projectKey: "" },
  nothing: {},
};

/** Dials with another query, and gives the close; `undefined` if the connection is open after `ms` milliseconds. */
function knock(t: BackendContext, query: Readonly<Record<string, string>>, ms: number): Promise<WsClose | undefined> {
  const { knock: dial } = t.socket;
  return dial === undefined ? t.blocked("this connection cannot be dialed again") : dial(query, ms);
}

/** How plugins come and go. */
export const linkCases: readonly Case[] = [
  ...defineCases(
    {
      "link.manual-test": {
        title: "a connection with the query of the specification's manual test is accepted",
        emits: ["SMAN-LINK-020"],
        async run(t) {
          const closed = await knock(t, { sessionId: "test-123", projectKey }, t.time.quiet(KNOCK_MS));
          t.check("SMAN-LINK-020", closed === undefined, { expected: "an open connection", actual: closed });
          await t.require("SMAN-LINK-020", t.works());
        },
      },
    },
    header,
  ),
  ...Object.entries(queries).flatMap(([name, query]) =>
    defineCases(
      {
        [`link.query-${name}`]: {
          title: `a connection whose query is incomplete is closed with 1003 and INVALID_: ${name}`,
          emits: ["SMAN-LINK-021"],
          async run(t) {
            const closed = await knock(t, query, t.time.deadline(CLOSE_MS));
            const isRight = closed?.code === 1003 && closed.reason.startsWith("INVALID_");
            t.check("SMAN-LINK-021", isRight, { expected: "1003 INVALID_…", actual: closed });
            await t.require("SMAN-LINK-021", t.works());
          },
        },
      },
      header,
    ),
  ),
  ...defineCases(
    {
      "link.origin": {
        title: "a page of another site is refused with 403; a plugin without an Origin is not",
        emits: ["SMAN-LINK-022"],
        async run(t) {
          const { attempt, authorized } = t.socket;
          t.needs(
            attempt !== undefined && authorized === false,
            "the backend demands a token, which a page does not have",
          );
          const status = await attempt?.({ origin: "https://attacker.example" });
          t.check("SMAN-LINK-022", status === 403, { expected: 403, actual: status });
          await t.require("SMAN-LINK-022", t.works());
        },
      },
      "link.ping": {
        title: "pings are answered",
        emits: ["SMAN-LINK-002"],
        async run(t) {
          const { ask, done } = await t.call("grep_file", { pattern: "1" });
          for (let count = 0; count < 2; count++) await t.require("SMAN-LINK-002", t.allRead());
          t.succeed(ask);
          await t.require("SMAN-LINK-002", done);
        },
      },
      "link.ping-data": pingData("SMAN-LINK-007"),
      "link.fragments": {
        title: "a result in several frames is read",
        emits: ["SMAN-LINK-003"],
        async run(t) {
          const { ask, done } = await t.call("grep_file", { pattern: "1" });
          const message = t.conversation.envelope.result(ask.id, { success: true, result: "漢字 and 😀" });
          const text = JSON.stringify(message);
          t.conversation.link.trace.add({ kind: "message", from: "suite", message });
          t.socket.fragments([text.slice(0, 1), text.slice(1, 40), "", text.slice(40)]);
          const { result } = await t.require("SMAN-LINK-003", done);
          t.check("SMAN-LINK-003", result === "漢字 and 😀", { expected: "漢字 and 😀", actual: result });
        },
      },
      "link.big": {
        title: "a result of 2 MiB is read",
        emits: ["SMAN-LINK-003"],
        async run(t) {
          const { ask, done } = await t.call("read_file", { relativePath: "big" });
          const text = "漢".repeat(BIG / 3);
          t.succeed(ask, text);
          const { result } = await t.require("SMAN-LINK-003", done);
          const length = String(result).length;
          t.check("SMAN-LINK-003", result === text, { expected: `${text.length} characters`, actual: length });
        },
      },
      "link.too-big": {
        title: "a message of more than 10 MiB ends the connection with the code 1009",
        emits: ["SMAN-LINK-004"],
        deadline: 10_000,
        async run(t) {
          t.send.bytes(JSON.stringify({ type: "x-vendor/big", data: { text: "x".repeat(TOO_BIG) } }));
          const closed = await t.require("SMAN-LINK-004", t.expect.event("close"));
          const { code } = closed.data as { code?: unknown };
          t.check("SMAN-LINK-004", code === TOO_BIG_CODE, { expected: TOO_BIG_CODE, actual: code });
        },
      },
    },
    header,
  ),
  ...["closed", "dropped", "unfinished"].flatMap((how) =>
    defineCases(
      {
        [`link.lost-${how}`]: {
          title: `the calls of a lost connection fail at once, and those of another connection continue: ${how}`,
          emits: ["SMAN-LINK-023", "SMAN-LINK-024"],
          async run(t) {
            const other = await t.connect();
            const theirs = await t.call("call_chain", { method: "Their.call" }, { on: other });
            const mine = [
              await t.call("grep_file", { pattern: "1" }),
              await t.call("read_file", { relativePath: "2" }),
            ];
            if (how === "unfinished") t.socket.fragments(['{"type":"TOOL_RES', ""].slice(0, 1));
            if (how === "closed") t.socket.closeWith(1000);
            else t.socket.terminate();
            // Their own time, of which nobody said anything, would be over much later than the wait for it.
            for (const { done } of mine) {
              const ending = await endOf(done);
              t.check("SMAN-LINK-023", ending === "failed", { expected: "a failure", actual: ending });
            }
            other.reply(theirs.ask, { success: true, result: "theirs" });
            const { result } = await t.require("SMAN-LINK-024", theirs.done);
            t.check("SMAN-LINK-024", result === "theirs", { expected: "theirs", actual: result });
          },
        },
      },
      header,
    ),
  ),
];
