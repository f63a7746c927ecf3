import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { mediaType } from "../../../../wire/media-type.js";
import type { StreamableAnswer, StreamableExtras } from "../../../../wire/streamable.js";
import { defineCases, type AgentContext } from "../../agent-role.js";
import { socketOf } from "../../../../packs/socket.js";
import { sampleParams } from "../../samples.js";

const about = { transports: ["streamable"], isolation: "connection" } as const;
const on = (t: AgentContext): StreamableExtras => t.extras as StreamableExtras;
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const events = { accept: "text/event-stream" };
const rpc = (id: string, method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const ping = rpc("ping", "_conformance/alive", {});

/** Posts what the agent may take although it should not: its answer is then one to a request of the suite. */
function post(t: AgentContext, headers: Readonly<Record<string, string>>, body: string): Promise<StreamableAnswer> {
  t.conversation.link.trace.add({ kind: "message", from: "suite", message: JSON.parse(body) as unknown });
  return on(t).request("POST", headers, body);
}
const hello = rpc("hello", "initialize", sampleParams("initialize", ""));
const CONNECTION = "acp-connection-id";
/** How long a stream that was ended has to close. */
const CLOSE_MS = 2_000;
const STEP_MS = 50;

/** The header that names the case's own connection. */
async function own(t: AgentContext): Promise<Readonly<Record<string, string>>> {
  await t.initialized();
  return { [CONNECTION]: on(t).connectionId() ?? "" };
}

function status(t: AgentContext, req: string, found: StreamableAnswer, expected: number, message: string): void {
  t.check(req, found.status === expected, { message, expected: `status ${expected}`, actual: found.status });
}

const refusals: readonly Case[] = defineCases(
  {
    "remote.content-type": {
      title: "a POST of another type",
      emits: ["ACP-REMOTE-001"],
      async run(t) {
        const headers = { ...json, ...(await own(t)), "content-type": "text/plain" };
        const found = await t.require("ACP-REMOTE-001", post(t, headers, ping));
        status(t, "ACP-REMOTE-001", found, 415, "Content-Type: text/plain");
      },
    },
    "remote.accept": {
      title: "a GET that takes no events",
      emits: ["ACP-REMOTE-002"],
      async run(t) {
        const headers = { ...(await own(t)), accept: "application/json" };
        const found = await t.require("ACP-REMOTE-002", on(t).request("GET", headers));
        status(t, "ACP-REMOTE-002", found, 406, "Accept: application/json");
      },
    },
    "remote.unnamed": {
      title: "requests without a connection",
      emits: ["ACP-REMOTE-003"],
      async run(t) {
        await t.initialized();
        for (const [verb, headers, body] of [
          ["POST", json, ping],
          ["GET", events, undefined],
          ["DELETE", {}, undefined],
        ] as const)
          status(
            t,
            "ACP-REMOTE-003",
            await t.require("ACP-REMOTE-003", on(t).request(verb, headers, body)),
            400,
            `${verb} without Acp-Connection-Id`,
          );
      },
    },
    "remote.unknown": {
      title: "requests of an unknown connection",
      emits: ["ACP-REMOTE-004"],
      async run(t) {
        await t.initialized();
        const unknown = { [CONNECTION]: "00000000-0000-4000-8000-000000000000" };
        for (const [verb, headers, body] of [
          ["POST", json, ping],
          ["GET", events, undefined],
        ] as const)
          status(
            t,
            "ACP-REMOTE-004",
            await t.require("ACP-REMOTE-004", on(t).request(verb, { ...headers, ...unknown }, body)),
            404,
            `${verb} with an unknown Acp-Connection-Id`,
          );
      },
    },
    "remote.session": {
      title: "a request of a session without its header",
      emits: ["ACP-REMOTE-005"],
      async run(t) {
        const { id: sessionId } = await t.session();
        const prompt = rpc("prompt", "session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] });
        const found = await t.require("ACP-REMOTE-005", post(t, { ...json, ...(await own(t)) }, prompt));
        status(t, "ACP-REMOTE-005", found, 400, "session/prompt without Acp-Session-Id");
      },
    },
    "remote.batch": {
      title: "a batch is posted",
      emits: ["ACP-REMOTE-009"],
      async run(t) {
        const found = await t.require(
          "ACP-REMOTE-009",
          on(t).request("POST", { ...json, ...(await own(t)) }, `[${ping}]`),
        );
        t.check("ACP-REMOTE-009", found.status >= 400, { expected: "a refusal, such as 501", actual: found.status });
      },
    },
  },
  about,
);

const life: readonly Case[] = defineCases(
  {
    "remote.taken": {
      title: "an accepted message is answered at once",
      emits: ["ACP-REMOTE-006"],
      async run(t) {
        const first = await t.require("ACP-REMOTE-006", on(t).request("POST", json, hello));
        status(t, "ACP-REMOTE-006", first, 200, "initialize");
        const named = first.headers[CONNECTION];
        t.check("ACP-REMOTE-006", typeof named === "string" && named !== "", {
          message: "initialize",
          expected: "a header Acp-Connection-Id",
          actual: first.headers,
        });
        const type = mediaType(first.headers["content-type"]);
        t.check("ACP-REMOTE-006", type === "application/json", {
          message: "initialize",
          expected: "a body of the type application/json",
          actual: type,
        });
        t.check("ACP-REMOTE-006", first.body.includes('"protocolVersion"'), {
          message: "initialize",
          expected: "the answer in the body",
          actual: first.body,
        });
        const headers = { ...json, [CONNECTION]: String(named) };
        const found = await t.require("ACP-REMOTE-006", on(t).request("POST", headers, ping));
        status(t, "ACP-REMOTE-006", found, 202, "a request");
        t.check("ACP-REMOTE-006", found.body === "", { expected: "an empty body", actual: found.body });
        await on(t).request("DELETE", { [CONNECTION]: String(named) });
      },
    },
    "remote.delete": {
      title: "a connection is ended",
      emits: ["ACP-REMOTE-007"],
      async run(t) {
        const first = await on(t).request("POST", json, hello);
        const named = { [CONNECTION]: String(first.headers[CONNECTION]) };
        const stream = await on(t).stream({ ...events, ...named });
        const found = await t.require("ACP-REMOTE-007", on(t).request("DELETE", named));
        status(t, "ACP-REMOTE-007", found, 202, "DELETE");
        const closed = await stream.closed(t.time.deadline(CLOSE_MS));
        t.check("ACP-REMOTE-007", closed, { expected: "the end of its stream", actual: "it is open" });
        const later = await t.require("ACP-REMOTE-007", on(t).request("POST", { ...json, ...named }, ping));
        status(t, "ACP-REMOTE-007", later, 404, "a POST of the ended connection");
      },
    },
    "remote.delete-session": {
      title: "a connection with a session is ended",
      emits: ["ACP-REMOTE-007"],
      async run(t) {
        const { id: sessionId } = await t.session();
        // A message about the session opens its stream.
        t.send.notify("session/cancel", { sessionId });
        await t.alive();
        const found = await t.require("ACP-REMOTE-007", on(t).request("DELETE", await own(t)));
        status(t, "ACP-REMOTE-007", found, 202, "DELETE");
        for (let waited = 0; waited < CLOSE_MS && on(t).openStreams() > 0; waited += STEP_MS) await t.pace(STEP_MS);
        const open = on(t).openStreams();
        t.check("ACP-REMOTE-007", open === 0, { expected: "the end of all streams", actual: `${open} are open` });
      },
    },
    "remote.second-stream": {
      title: "a stream is opened twice",
      emits: ["ACP-REMOTE-008"],
      async run(t) {
        const headers = { ...events, ...(await own(t)) };
        const second = await t.require("ACP-REMOTE-008", on(t).stream(headers));
        t.check("ACP-REMOTE-008", second.status === 409, { expected: "status 409", actual: second.status });
      },
    },
  },
  about,
);

const overWebSocket = { transports: ["ws"], isolation: "connection" } as const;

/** The connection that the answer to an upgrade names. */
const nameIn = (headers: Readonly<Record<string, unknown>> = {}): string => String(headers[CONNECTION] ?? "");

const webSocket: readonly Case[] = defineCases(
  {
    "remote.upgrade": {
      title: "the answer to an upgrade",
      emits: ["ACP-REMOTE-021"],
      async run(t) {
        await t.initialized();
        const name = nameIn(socketOf(t).answered?.());
        t.check("ACP-REMOTE-021", name !== "", { expected: "a header Acp-Connection-Id", actual: name });
      },
    },
    "remote.second": {
      title: "a second connection while the first is open",
      emits: ["ACP-REMOTE-022"],
      isolation: "session",
      async run(t) {
        const session = await t.session();
        const dialing = socketOf(t).another?.() ?? Promise.reject(new Error("the suite did not dial"));
        const other = await t.require("ACP-REMOTE-022", dialing);
        try {
          const [first, second] = [nameIn(socketOf(t).answered?.()), nameIn(other.headers)];
          const differs = first === "" || first !== second;
          t.check("ACP-REMOTE-022", differs, { expected: "another Acp-Connection-Id", actual: second });
          const asked = other.ask({ id: "hello", method: "initialize", params: sampleParams("initialize", "") });
          const answer = await t.require("ACP-REMOTE-022", asked);
          const isWelcome = isObject(answer) && isObject(answer["result"]);
          t.check("ACP-REMOTE-022", isWelcome, { expected: "a result of initialize", actual: answer });
          await t.require("ACP-REMOTE-022", t.prompt(session, "Hello").result());
        } finally {
          other.close();
        }
      },
    },
    "remote.binary": {
      title: "a binary message",
      emits: ["ACP-REMOTE-023"],
      async run(t) {
        await t.initialized();
        const before = t.history().length;
        const message = rpc("binary", "_conformance/alive", {});
        t.conversation.link.trace.add({ kind: "message", from: "suite", message: JSON.parse(message) as unknown });
        socketOf(t).binary(Buffer.from(message));
        await t.require("ACP-REMOTE-023", t.alive());
        const answers = t
          .history()
          .slice(before)
          .flatMap(({ entry }) => (isObject(entry.message) ? [entry.message] : []));
        const answer = answers.find(({ id, method }) => method === undefined && (id === "binary" || id === null));
        t.check("ACP-REMOTE-023", answer === undefined, { expected: "no answer to a binary message", actual: answer });
      },
    },
  },
  overWebSocket,
);

/** The proposal of a remote transport: agents on Streamable HTTP and WebSockets. */
export const remoteCases: readonly Case[] = [...refusals, ...life, ...webSocket];
