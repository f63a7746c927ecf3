import type { Case } from "../../../../core/run/case.js";
import { headerCases, type HeaderFacts } from "../../../../packs/headers.js";
import { headers } from "../../headers.js";
import { defineCases, type ServerContext } from "../../server-role.js";

const header = { isolation: "rough" } as const;
const manyBytes = "ä€😀 — 世界";

/** A request as bytes of the case's own, and its id. */
function request(
  t: ServerContext,
  frame: (body: Buffer) => readonly (string | Uint8Array)[],
): { bytes: Uint8Array; id: unknown } {
  const id = t.conversation.freshId();
  const message = { jsonrpc: "2.0", id, method: "_conformance/framed", params: { text: manyBytes } };
  t.conversation.link.trace.add({ kind: "message", from: "suite", message });
  return {
    bytes: Buffer.concat(frame(Buffer.from(JSON.stringify(message))).map((part) => Buffer.from(part as string))),
    id,
  };
}

/** The facts about the byte streams of servers for the shared pack. */
const headerFacts: HeaderFacts<ServerContext> = {
  prefix: "eca.server",
  role: "server",
  ...headers,
  charset: {
    requirement: "ECA-FRAME-006",
    request: { method: "chat/queryCommands", params: { query: "" } },
    alive: (t) => t.alive(),
  },
  ready: async (t) => void (await t.initialized()),
};

/** Base protocol. */
export const wireCases: readonly Case[] = [
  ...headerCases(headerFacts),
  ...defineCases({
    "framing.bytes": {
      title: "Content-Length counts bytes",
      emits: ["ECA-FRAME-007"],
      needs: ["text"],
      smoke: true,
      async run(t) {
        const turn = t.prompt(await t.chat(), t.say("text", { text: manyBytes }));
        const said = await t.require("ECA-FRAME-007", turn.said());
        t.check("ECA-FRAME-007", said.includes(manyBytes), { expected: manyBytes, actual: said });
      },
    },
  }),
  ...defineCases(
    {
      "rpc.not-json": {
        title: "bytes that are not JSON are answered with -32700",
        emits: ["ECA-RPC-008", "ECA-RPC-012"],
        async run(t) {
          await t.initialized();
          const body = '{"jsonrpc":"2.0","id":1,"method":';
          t.send.bytes(`Content-Length: ${body.length}\r\n\r\n${body}`);
          await t.require("ECA-RPC-012", t.alive());
          await t.require("ECA-RPC-008", t.expect.message({ id: null, error: { code: -32700 } }, { deadline: 1_000 }));
        },
      },
      "rpc.whitespace": {
        title: "white space around a message is read",
        emits: ["ECA-RPC-009"],
        async run(t) {
          await t.initialized();
          const { bytes, id } = request(t, (body) => [`Content-Length: ${body.length + 3}\r\n\r\n `, body, "\n\n"]);
          t.send.bytes(bytes);
          await t.require("ECA-RPC-009", t.expect.message({ id }));
        },
      },
    },
    header,
  ),
];
