import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { ExpectationError } from "../../../../core/errors.js";
import type { SeatRequest, StreamableSeatExtras } from "../../../../wire/streamable-seat.js";
import type { WsExtras } from "../../../../wire/ws-link.js";
import { defineCases, type ClientContext, type ClientSession } from "../../client-role.js";

const about = { transports: ["streamable"], isolation: "connection" } as const;
const on = (t: ClientContext): StreamableSeatExtras => t.extras as StreamableSeatExtras;
const PATH = "/acp";
const CONNECTION = "acp-connection-id";
const SESSION = "acp-session-id";
/** How long a client that was closed has to end its connection. */
const LEAVE_MS = 2_000;
const STEP_MS = 50;

const methodOf = ({ message }: SeatRequest): unknown => (isObject(message) ? message["method"] : undefined);
const isFirst = (request: SeatRequest): boolean => methodOf(request) === "initialize";
/** A request in few words. */
const named = (request: SeatRequest): string =>
  request.method === "POST" ? `POST of ${String(methodOf(request) ?? "an answer")}` : request.method;
const scopeOf = ({ headers }: SeatRequest): string | undefined => {
  const scope = headers[SESSION];
  return typeof scope === "string" ? decodeURI(scope) : undefined;
};

/** A session with a turn in which the agent asks something, so that there are messages of every kind. */
async function converse(t: ClientContext): Promise<ClientSession> {
  await t.initialized();
  await t.permission("allow");
  const session = await t.session();
  const turn = await t.prompt(session);
  turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } });
  await t.ask(session).response();
  turn.end();
  await turn.done;
  return session;
}

/** Goes on when a client does not: a request that lacks a header may have been refused, and is judged all the same. */
async function heard(step: Promise<unknown>): Promise<void> {
  await step.catch((error: unknown) => {
    if (!(error instanceof ExpectationError)) throw error;
  });
}

/** Checks each of the requests that fit. There has to be one. */
function each(
  t: ClientContext,
  req: string,
  fits: (request: SeatRequest) => boolean,
  holds: (request: SeatRequest) => boolean,
  expected: string,
): void {
  const about = on(t).requests.filter(fits);
  t.check(req, about.length > 0, { expected: `a request with ${expected}`, actual: "no such request" });
  for (const request of about)
    t.check(req, holds(request), { message: named(request), expected, actual: { ...request.headers } });
}

const requests: readonly Case[] = defineCases(
  {
    "remote.content-type": {
      title: "the content type of a POST",
      emits: ["ACP-REMOTE-010"],
      async run(t) {
        await converse(t);
        const isJson = ({ headers }: SeatRequest): boolean =>
          /^application\/json\s*(;|$)/i.test(String(headers["content-type"]));
        each(t, "ACP-REMOTE-010", ({ method }) => method === "POST", isJson, "Content-Type: application/json");
      },
    },
    "remote.accept": {
      title: "the headers that open a stream",
      emits: ["ACP-REMOTE-011"],
      async run(t) {
        await converse(t);
        const takesEvents = ({ headers }: SeatRequest): boolean => String(headers.accept).includes("text/event-stream");
        each(t, "ACP-REMOTE-011", ({ method }) => method === "GET", takesEvents, "Accept: text/event-stream");
      },
    },
    "remote.connection": {
      title: "requests name the connection",
      emits: ["ACP-REMOTE-012"],
      async run(t) {
        await heard(converse(t));
        await heard(t.act("leave", {}, { optional: true }));
        await on(t).left(t.time.deadline(LEAVE_MS));
        const isOwn = ({ headers }: SeatRequest): boolean => headers[CONNECTION] === on(t).connectionId;
        each(t, "ACP-REMOTE-012", (request) => !isFirst(request), isOwn, "the Acp-Connection-Id of the connection");
      },
    },
    "remote.session": {
      title: "posts of a session name it",
      emits: ["ACP-REMOTE-013"],
      async run(t) {
        const { id } = await converse(t);
        // The answer is one to the agent's only request, which is about the session.
        const isAbout = (request: SeatRequest): boolean =>
          request.method === "POST" && [undefined, "session/prompt"].includes(methodOf(request) as string | undefined);
        each(t, "ACP-REMOTE-013", isAbout, (request) => scopeOf(request) === id, `Acp-Session-Id: ${id}`);
      },
    },
    ...defineCases.each(
      [
        ["cancel", "session/cancel", {}],
        ["set-mode", "session/set_mode", { modeId: "read-only" }],
      ] as const,
      ([action, method, more]) => ({
        [`remote.session-${action}`]: {
          title: `a ${method} names its session`,
          emits: ["ACP-REMOTE-013"],
          async run(t) {
            await t.initialized();
            const session = await t.session();
            const turn = action === "cancel" ? await t.prompt(session) : undefined;
            const isAbout = (request: SeatRequest): boolean => methodOf(request) === method;
            await heard(t.act(action, { sessionId: session.id, ...more }, { optional: true }));
            for (let waited = 0; waited < LEAVE_MS && !on(t).requests.some(isAbout); waited += STEP_MS)
              await t.pace(STEP_MS);
            turn?.end("cancelled");
            each(
              t,
              "ACP-REMOTE-013",
              isAbout,
              (request) => scopeOf(request) === session.id,
              `Acp-Session-Id: ${session.id}`,
            );
          },
        },
      }),
    ),
    "remote.streams": {
      title: "a stream of the connection, and one of each session",
      emits: ["ACP-REMOTE-014"],
      async run(t) {
        await t.initialized();
        const [first, second] = [await t.session(), await t.session()];
        for (const session of [first, second]) {
          const turn = await t.prompt(session);
          turn.end();
          await t.require("ACP-REMOTE-014", turn.done);
        }
        const opened = on(t)
          .requests.filter(({ method }) => method === "GET")
          .map(scopeOf);
        for (const scope of [undefined, first.id, second.id])
          t.check("ACP-REMOTE-014", opened.includes(scope), {
            expected: scope === undefined ? "a GET without Acp-Session-Id" : `a GET with Acp-Session-Id: ${scope}`,
            actual: opened.map((one) => one ?? "none"),
          });
      },
    },
    "remote.cookies": {
      title: "a cookie is set and returned",
      emits: ["ACP-REMOTE-015"],
      async run(t) {
        await converse(t);
        const { cookie } = on(t);
        const returns = ({ headers }: SeatRequest): boolean => (headers.cookie ?? "").split(/; */).includes(cookie);
        each(t, "ACP-REMOTE-015", (request) => !isFirst(request), returns, "the cookie that was set");
      },
    },
  },
  about,
);

const life: readonly Case[] = defineCases(
  {
    "remote.leave": {
      title: "the client is closed",
      emits: ["ACP-REMOTE-016"],
      async run(t) {
        await converse(t);
        await t.act("leave", {}, { optional: true });
        const left = await on(t).left(t.time.deadline(LEAVE_MS));
        t.check("ACP-REMOTE-016", left, { expected: "a DELETE of the connection", actual: "none" });
      },
    },
  },
  about,
);

/** Refusals of a server, and the request that each one fits. */
const refusals: readonly (readonly [string, number])[] = [
  ["POST", 400],
  ["POST", 404],
  ["POST", 409],
  ["POST", 415],
  ["GET", 406],
  ["GET", 409],
];

const refused: readonly Case[] = refusals.flatMap(([verb, status]) =>
  defineCases(
    {
      [`remote.refused-${verb.toLowerCase()}-${status}`]: {
        title: `a ${verb} is answered with ${status}`,
        emits: ["ACP-REMOTE-017"],
        async run(t) {
          // A client may repeat what was refused: then it is answered.
          t.answer("session/prompt", () => ({ result: { stopReason: "end_turn" } }));
          await t.initialized();
          if (verb === "GET")
            void on(t).refuse(status, (request) => request.method === verb && scopeOf(request) !== undefined);
          const { id: sessionId } = await t.session();
          if (verb === "POST") void on(t).refuse(status, (request) => methodOf(request) === "session/prompt");
          const over = t.act("prompt", { sessionId, prompt: "Hello" }).catch((error: unknown) => {
            if (!(error instanceof ExpectationError) || error.miss === "timeout") throw error;
          });
          await t.require("ACP-REMOTE-017", over);
        },
      },
    },
    about,
  ),
);

const overWebSocket = { transports: ["ws"], isolation: "connection" } as const;

const webSocket: readonly Case[] = defineCases(
  {
    "remote.upgrade": {
      title: "the upgrade",
      emits: ["ACP-REMOTE-018"],
      async run(t) {
        const { entries } = t.conversation.link.trace;
        const dialed = entries.flatMap((entry) =>
          entry.kind === "event" && entry.name === "connected" && isObject(entry.data) ? [entry.data["url"]] : [],
        );
        t.check("ACP-REMOTE-018", dialed[0] === PATH, { expected: `a GET of ${PATH}`, actual: dialed });
      },
    },
    "remote.first": {
      title: "the first message",
      emits: ["ACP-REMOTE-019"],
      async run(t) {
        const first = await t.expect.message({});
        const method = isObject(first) ? first["method"] : undefined;
        t.check("ACP-REMOTE-019", method === "initialize", { expected: "initialize", actual: first });
      },
    },
    "remote.binary": {
      title: "a binary message",
      emits: ["ACP-REMOTE-020"],
      async run(t) {
        const session = await t.session();
        (t.extras as WsExtras).binary(Buffer.from('{"jsonrpc":"2.0","id":"binary","method":"_conformance/alive"}'));
        await t.require("ACP-REMOTE-020", t.works(session));
      },
    },
  },
  overWebSocket,
);

/** The proposal of a remote transport: clients on Streamable HTTP and WebSockets. */
export const remoteCases: readonly Case[] = [...requests, ...life, ...refused, ...webSocket];
