import type { HttpSeatExtras } from "../../../../wire/http-seat.js";
import { defineCases, type ClientContext } from "../../client-role.js";

const about = { isolation: "connection", transports: ["http"] } as const;
const extrasOf = (t: ClientContext): HttpSeatExtras => t.extras as HttpSeatExtras;

/** A message as an event, in a form that the standard allows. */
const forms: readonly ((json: string) => string)[] = [
  (json) => `data:${json}\n\n`,
  (json) => `: a comment\ndata: ${json}\n\n`,
  (json) => `event: message\nid: 7\nretry: 3000\ndata: ${json}\n\n`,
  (json) => `data: ${json}\r\n\r\n`,
  // A line break may stand wherever JSON has white space.
  (json) =>
    `${JSON.stringify(JSON.parse(json), null, 1)
      .split("\n")
      .map((line) => `data: ${line}\n`)
      .join("")}\n`,
];

async function converse(t: ClientContext): Promise<void> {
  const session = await t.session();
  const turn = await t.prompt(session);
  turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Größe" } });
  await t.ask(session).response();
  turn.end();
  await turn.done;
}

/** Section 1: clients on HTTP and server-sent events. */
export const httpCases = [
  ...defineCases(
    {
      "http.one-client": {
        title: "a session and a turn over HTTP",
        emits: ["ACP-HTTP-009"],
        async run(t) {
          await t.require("ACP-HTTP-009", converse(t));
          const { requests } = extrasOf(t);
          const ids = [...new Set(requests.map(({ clientId }) => clientId))];
          t.check("ACP-HTTP-009", ids.length === 1 && ids[0] !== null && ids[0] !== "", {
            expected: "one client_id in all requests",
            actual: ids,
          });
          const right = requests.every(
            ({ method, at }) => (at === "post" && method === "POST") || (at === "stream" && method === "GET"),
          );
          t.check("ACP-HTTP-009", right, {
            expected: "POST /acp/rpc and GET /acp/sse",
            actual: requests.map(({ method, path }) => `${method} ${path}`),
          });
        },
      },
    },
    about,
  ),
  ...forms.flatMap((form, index) =>
    defineCases(
      {
        [`http.event-form-${index + 1}`]: {
          title: `events come as ${JSON.stringify(form("{}"))}`,
          emits: ["ACP-HTTP-010"],
          async run(t) {
            t.encode((message) => Buffer.from(form(JSON.stringify(message))));
            await t.require("ACP-HTTP-010", converse(t));
          },
        },
      },
      about,
    ),
  ),
  ...defineCases(
    {
      "http.stream-breaks": {
        title: "the stream breaks between two turns",
        emits: ["ACP-HTTP-011"],
        async run(t) {
          const session = await t.session();
          extrasOf(t).dropStream();
          await t.require("ACP-HTTP-011", t.works(session));
        },
      },
    },
    about,
  ),
];
