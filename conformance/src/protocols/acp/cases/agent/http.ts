import type { Case } from "../../../../core/run/case.js";
import { ExpectationError, unlessInvalid } from "../../../../core/errors.js";
import type { HttpAnswer, HttpExtras } from "../../../../wire/http.js";
import { mediaType } from "../../../../wire/media-type.js";
import { defineCases, type AgentContext } from "../../agent-role.js";
import { permissionResult } from "../../answers.js";
import { sampleParams } from "../../samples.js";
import { where } from "../../../../trace/pattern.js";

const about = { transports: ["http"], isolation: "connection" } as const;
const on = (t: AgentContext): HttpExtras => t.extras as HttpExtras;
const taken = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;
const alive = (id: string) => ({ jsonrpc: "2.0", id, method: "_conformance/alive", params: {} });
const GREETING_MS = 2_000;
const COMMENT_MS = 15_500;
const STEP_MS = 1_500;

/** Posts a message that stands in the trace like any other. */
function post(t: AgentContext, message: unknown, clientId?: string): Promise<HttpAnswer> {
  t.conversation.link.trace.add({ kind: "message", from: "suite", message });
  return on(t).post(message, clientId);
}

const nothing = where("nothing", () => false);

/** Polls until a value is there, or for `ms` milliseconds. */
async function lookFor(t: AgentContext, ms: number, found: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < ms && !found(); waited += STEP_MS) {
    await t.expect.message(nothing, { deadline: STEP_MS }).catch((error: unknown) => {
      if (!(error instanceof ExpectationError) || error.miss === "invalid") throw error;
    });
  }
  return found();
}

const transportCases = defineCases(
  {
    "http.post": {
      title: "a request is posted and answered on the stream",
      emits: ["ACP-HTTP-001", "ACP-HTTP-002", "ACP-HTTP-003"],
      async run(t) {
        await t.initialized();
        const answer = await t.require("ACP-HTTP-001", post(t, alive("posted")));
        t.check("ACP-HTTP-001", taken(answer), { expected: "a status of 2xx", actual: answer.status });
        t.check("ACP-HTTP-002", answer.body === "", { expected: "an empty body", actual: answer.body });
        await t.require("ACP-HTTP-003", t.expect.message({ id: "posted" }));
      },
    },
    "http.no-client-id": {
      title: "a post without client_id",
      emits: ["ACP-HTTP-012"],
      async run(t) {
        const { request, paths } = on(t);
        const [path = ""] = paths.post("x").split("?");
        for (const where of [path, `${path}?client_id=`]) {
          const options = { body: JSON.stringify(alive("x")), headers: { "content-type": "application/json" } };
          const { status } = await t.require("ACP-HTTP-012", request("POST", where, options));
          t.check("ACP-HTTP-012", status >= 400 && status < 500, {
            message: `POST ${where}`,
            expected: "a status of 4xx",
            actual: status,
          });
        }
      },
    },
    "http.late-stream": {
      title: "a request before the stream is opened",
      emits: ["ACP-HTTP-004"],
      async run(t) {
        const late = `${on(t).clientId}-late`;
        const early = { jsonrpc: "2.0", id: "early", method: "initialize", params: sampleParams("initialize", "") };
        await t.require("ACP-HTTP-004", post(t, early, late));
        await t.require("ACP-HTTP-004", on(t).openStream(late));
        await t.require("ACP-HTTP-004", t.expect.message({ id: "early" }));
      },
    },
    "http.statuses": {
      title: "status codes of POST and other methods",
      emits: ["ACP-HTTP-005"],
      async run(t) {
        const { id: sessionId } = await t.session();
        const { request, paths, clientId } = on(t);
        const notified = await t.require(
          "ACP-HTTP-005",
          post(t, { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } }),
        );
        t.check("ACP-HTTP-005", taken(notified), {
          message: "a notification",
          expected: "a status of 2xx",
          actual: notified.status,
        });
        const options = { body: '{"jsonrpc":', headers: { "content-type": "application/json" } };
        const broken = await t.require("ACP-HTTP-005", request("POST", paths.post(clientId), options));
        t.check("ACP-HTTP-005", broken.status === 400, {
          message: "malformed JSON",
          expected: "status 400",
          actual: broken.status,
        });
        for (const [verb, path] of [
          ["GET", paths.post(clientId)],
          ["PUT", paths.post(clientId)],
          ["POST", paths.stream(clientId)],
        ] as const) {
          const { status } = await t.require("ACP-HTTP-005", request(verb, path));
          t.check("ACP-HTTP-005", status === 405, {
            message: `${verb} ${path}`,
            expected: "status 405",
            actual: status,
          });
        }
      },
    },
    "http.answer": {
      title: "an answer to a permission request is posted",
      emits: ["ACP-HTTP-005"],
      needs: ["ask-permission"],
      async run(t) {
        const session = await t.session();
        const turn = t.prompt(session, t.say("ask-permission"));
        const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
        const answer = await post(t, {
          jsonrpc: "2.0",
          id: ask.id,
          result: permissionResult(ask.params, "reject_once"),
        });
        t.check("ACP-HTTP-005", taken(answer), {
          message: "an answer",
          expected: "a status of 2xx",
          actual: answer.status,
        });
        await turn.result();
      },
    },
  },
  about,
);

const streamCases = defineCases(
  {
    "http.stream": {
      title: "the stream begins at once and is kept alive",
      emits: ["ACP-HTTP-006"],
      deadline: 20_000,
      async run(t) {
        const { entries } = t.conversation.link.trace;
        const opened = () => entries.find((entry) => entry.kind === "event" && entry.name === "sse-response");
        await lookFor(t, GREETING_MS, () => opened() !== undefined);
        const response = opened();
        const type = response?.kind === "event" ? (response.data as { contentType?: unknown }).contentType : undefined;
        t.check("ACP-HTTP-006", mediaType(type) === "text/event-stream", {
          expected: "content-type text/event-stream",
          actual: type,
        });
        const began = await lookFor(t, GREETING_MS, () =>
          entries.some(({ kind, from }) => kind === "bytes" && from === "target"),
        );
        t.check("ACP-HTTP-006", began, {
          message: "the stream has no first bytes",
          expected: "bytes at once",
          actual: "nothing",
        });
        const start = entries.length;
        const kept = await lookFor(t, COMMENT_MS, () =>
          entries.slice(start).some((entry) => entry.kind === "event" && entry.name === "sse-comment"),
        );
        t.check("ACP-HTTP-006", kept, {
          message: "nothing keeps the stream alive",
          expected: "a comment within 15 s",
          actual: "nothing",
        });
      },
    },
    "http.two-clients": {
      title: "two clients at the same time",
      emits: ["ACP-HTTP-007"],
      isolation: "session",
      async run(t) {
        await t.initialized();
        const other = await t.require("ACP-HTTP-007", t.connect());
        await other.send.request("initialize", sampleParams("initialize", "")).result();
        other.conversation.link.send(alive("only-for-the-other"));
        await t.require("ACP-HTTP-007", other.expect.message({ id: "only-for-the-other" }));
        t.conversation.link.send(alive("for-this-one"));
        // A stray comes before this answer. It answers no call, so it ends the wait.
        await t.expect.message({ id: "for-this-one" }).catch(unlessInvalid);
        const strays = t
          .history()
          .filter(({ entry }) => (entry.message as { id?: unknown }).id === "only-for-the-other");
        t.check("ACP-HTTP-007", strays.length === 0, {
          message: "an answer for another client",
          expected: "own answers only",
          actual: strays[0]?.entry.message,
        });
      },
    },
    "http.second-stream": {
      title: "a second stream of the same client",
      emits: ["ACP-HTTP-008"],
      async run(t) {
        await t.initialized();
        const { status } = await t.require("ACP-HTTP-008", on(t).openStream());
        t.check("ACP-HTTP-008", status === 200, { expected: "status 200 for the newer stream", actual: status });
        if (status === 200) await t.require("ACP-HTTP-008", t.alive());
      },
    },
  },
  about,
);

/** Section 1: HTTP and server-sent events. */
export const httpCases: readonly Case[] = [...transportCases, ...streamCases];
