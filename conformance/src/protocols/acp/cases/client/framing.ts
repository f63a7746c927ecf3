import { defineCase } from "../../../../core/run/case.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { defineCases, type ClientContext } from "../../client-role.js";

type Style = (body: Buffer) => Uint8Array;

const SIZE = 2 * 1024 * 1024;
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const header =
  (text: (size: number) => string): Style =>
  (body) =>
    Buffer.concat([bytes(text(body.length)), body]);

/** The framing of the client's first message. */
function framingOf({ conversation }: ClientContext): "line" | "header" {
  return conversation.received[0]?.entry.frame?.framing === "header" ? "header" : "line";
}

/** Has the client begin in a framing; a client that cannot does not have to read it. */
async function beginIn(t: ClientContext, framing: "line" | "header"): Promise<void> {
  await t.initialized();
  t.needs(
    framingOf(t) === framing,
    `the client writes ${framingOf(t) === "line" ? "lines" : "headers"}, and is answered alike`,
  );
}

/** A session and a turn in it with a text and a permission request. */
async function converse(t: ClientContext, text = "Well"): Promise<string | undefined> {
  const session = await t.session();
  const turn = await t.prompt(session, "Größe 日本 🙂");
  turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const answer = await t.ask(session).response();
  turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "!" } });
  turn.end();
  await turn.done;
  return answer.error === undefined ? undefined : JSON.stringify(answer.error);
}

/** A case in which the whole conversation is framed in one way. */
const conversation = (
  name: string,
  title: string,
  req: string,
  framing: "line" | "header",
  more: { faults?: readonly string[]; style?: Style; text?: string } = {},
) =>
  defineCase<ClientContext>(
    {
      id: `acp.client.framing.${name}`,
      role: "client",
      title,
      emits: [req, "ACP-FRAME-014"],
      framing,
      isolation: "rough",
      transports: ["stdio"],
      // A byte is a turn of the event loop, which on a busy machine is not short.
      ...(more.faults && { faults: more.faults, deadline: 60_000 }),
    },
    async (t) => {
      await beginIn(t, framing);
      const { style } = more;
      if (style !== undefined) t.encode((message) => style(bytes(JSON.stringify(message))));
      const refused = await t.require(req, converse(t, more.text));
      t.check(req, refused === undefined, { expected: "an answer to the permission request", actual: refused });
      const actual = t.conversation.received.map(({ entry }) => entry.frame?.framing);
      t.check("ACP-FRAME-014", new Set(actual).size === 1, { expected: `${framing} for each message`, actual });
    },
  );

/** Section 1: how a client reads bytes. */
export const framingCases = [
  conversation("lines", "the client writes lines and is answered in lines", "ACP-FRAME-008", "line"),
  conversation("headers", "the client writes headers and is answered with headers", "ACP-FRAME-008", "header"),
  conversation("lines-byte-by-byte", "every line arrives byte by byte", "ACP-FRAME-009", "line", {
    faults: ["split:1"],
  }),
  conversation("headers-byte-by-byte", "every message with a header arrives byte by byte", "ACP-FRAME-009", "header", {
    faults: ["split:1"],
  }),
  conversation("headers-bytes", "Content-Length counts bytes of text that is not ASCII", "ACP-FRAME-010", "header", {
    text: "Größe, 日本, 🙂",
  }),
  conversation("crlf", "lines end with CRLF", "ACP-FRAME-011", "line", {
    style: (body) => Buffer.concat([body, bytes("\r\n")]),
  }),
  conversation("lower-case-header", "the header is in lower case", "ACP-FRAME-011", "header", {
    style: header((size) => `content-length: ${size}\r\n\r\n`),
  }),
  conversation("more-headers", "a message has further header fields", "ACP-FRAME-011", "header", {
    style: header(
      (size) => `Content-Length: ${size}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
    ),
  }),
  ...defineCases({
    "framing.one-chunk": {
      title: "many messages arrive in one chunk",
      emits: ["ACP-FRAME-009"],
      isolation: "rough",
      transports: ["stdio"],
      async run(t) {
        const session = await t.session();
        if (t.steered) await t.permission("reject");
        const turn = await t.prompt(session);
        const framing = framingOf(t);
        // The chunk is built of whole messages that are sent when the last one is.
        const held: Uint8Array[] = [];
        t.encode((message) => {
          held.push(encodeFrame(message, framing));
          return Buffer.alloc(0);
        });
        for (let count = 1; count <= 20; count++)
          turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${count}` } });
        const ask = t.ask(session);
        // One that nobody steers may leave at the end of its turn, before it has answered.
        if (t.steered) turn.end();
        t.encode((message) => encodeFrame(message, framing));
        t.send.bytes(Buffer.concat(held));
        await t.require("ACP-FRAME-009", ask.response());
        if (!t.steered) turn.end();
        await t.require("ACP-FRAME-009", turn.done);
        await t.require("ACP-FRAME-009", t.works(session));
      },
    },
    "framing.other": {
      title: "the agent frames its messages differently from the client",
      emits: ["ACP-FRAME-013"],
      isolation: "rough",
      transports: ["stdio"],
      async run(t) {
        await t.initialized();
        const other = framingOf(t) === "line" ? "header" : "line";
        t.encode((message) => encodeFrame(message, other));
        await t.require("ACP-FRAME-013", converse(t));
      },
    },
    "framing.big": {
      title: "the agent sends 2 MiB in one message",
      emits: ["ACP-FRAME-012"],
      isolation: "rough",
      deadline: 30_000, // None: this number of bytes, one by one, would take minutes.
      faults: [],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(SIZE) } });
        turn.end();
        await t.require("ACP-FRAME-012", turn.done);
        await t.require("ACP-FRAME-012", t.works(session));
        const { text: seen } = await t.report(session);
        if (typeof seen === "string")
          t.check("ACP-FRAME-012", seen.length >= SIZE, {
            expected: `${SIZE} characters`,
            actual: `${seen.length} characters`,
          });
      },
    },
  }),
];
