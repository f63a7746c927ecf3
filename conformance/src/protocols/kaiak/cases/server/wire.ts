import type { Case } from "../../../../core/run/case.js";
import { headerCases } from "../../../../packs/headers.js";
import { carrier } from "../../envelope.js";
import { serverHeaders } from "../../server-facts.js";
import { defineCases } from "../../server-role.js";

const header = { isolation: "rough" } as const;
const manyBytes = "ä€😀 — 世界";
const short = { deadline: 1_000 };

/** Headers without a length. */
const lengths: Readonly<Record<string, string>> = {
  missing: "Content-Type: application/vscode-jsonrpc; charset=utf-8",
  negative: "Content-Length: -5",
  words: "Content-Length: five",
};

const lengthCases = Object.entries(lengths).flatMap(([name, line]) =>
  defineCases(
    {
      [`framing.length-${name}`]: {
        title: `a header without a valid Content-Length: ${name}`,
        emits: ["KAIAK-FRAME-007"],
        async run(t) {
          await t.configured();
          t.send.bytes(`${line}\r\n\r\n{}`);
          await t.require(
            "KAIAK-FRAME-007",
            Promise.race([t.expect.closed(), t.expect.message({ id: null, error: {} })]),
          );
        },
      },
    },
    header,
  ),
);

/** Params of `workspace/executeCommand` that name no command with an argument. */
const carried: Readonly<Record<string, unknown>> = {
  "no-command": { arguments: [{}] },
  "null-command": { command: null, arguments: [{}] },
  "number-command": { command: 7, arguments: [{}] },
  "no-arguments": { command: "kaiak/delete_session" },
  "empty-arguments": { command: "kaiak/delete_session", arguments: [] },
  "object-arguments": { command: "kaiak/delete_session", arguments: { session_id: "a" } },
  empty: {},
};

const carrierCases = Object.entries(carried).flatMap(([name, params]) =>
  defineCases({
    [`carrier.${name}`]: {
      title: `workspace/executeCommand is refused: ${name}`,
      emits: ["KAIAK-RPC-014"],
      async run(t) {
        await t.configured();
        const id = t.conversation.freshId();
        const call = t.send.invalid({ jsonrpc: "2.0", id, method: carrier, params });
        await t.require("KAIAK-RPC-014", call.error(-32602));
      },
    },
  }),
);

/** Commands that nobody has, among them what a lookup in a plain object would find. */
const commands = ["", "kaiak", "constructor", "__proto__", "configure", carrier];

const commandCases = commands.flatMap((command) =>
  defineCases({
    [`unknown-command.${command.replace(/\W/g, "-") || "empty"}`]: {
      title: `an unknown command is refused: ${JSON.stringify(command)}`,
      emits: ["KAIAK-RPC-006"],
      async run(t) {
        await t.configured();
        const call = t.send.request(carrier, { command, arguments: [{}] });
        // The specification has a code for a method that is unknown, and a command is a param.
        await t.require("KAIAK-RPC-006", call.error([-32601, -32602]));
      },
    },
  }),
);

/** JSON that is not a request. */
const noRequests: Readonly<Record<string, unknown>> = {
  "no-version": { id: "odd", method: "kaiak/configure", params: {} },
  "no-method": { jsonrpc: "2.0", id: "odd" },
  "number-method": { jsonrpc: "2.0", id: "odd", method: 7 },
  number: 7,
  // A server may answer a batch, as JSON-RPC 2.0 has them, but not one without a request.
  "empty-batch": [],
};

const noRequestCases = Object.entries(noRequests).flatMap(([name, message]) =>
  defineCases(
    {
      [`rpc.not-${name}`]: {
        title: `JSON that is not a request is answered with -32600: ${name}`,
        emits: ["KAIAK-RPC-009", "KAIAK-RPC-012"],
        async run(t) {
          await t.configured();
          t.send.invalid(message);
          await t.require("KAIAK-RPC-012", t.alive());
          await t.require("KAIAK-RPC-009", t.expect.message({ error: { code: -32600 } }, short));
        },
      },
    },
    header,
  ),
);

/** Bytes, messages, and the beginning and end of a connection. */
export const wireCases: readonly Case[] = [
  ...headerCases(serverHeaders),
  ...lengthCases,
  ...carrierCases,
  ...commandCases,
  ...noRequestCases,
  ...defineCases({
    "framing.bytes": {
      title: "Content-Length counts bytes, few or many",
      emits: ["KAIAK-FRAME-008"],
      needs: ["text"],
      async run(t) {
        await t.configured();
        for (const text of [manyBytes, manyBytes.repeat(10_000)]) {
          const run = t.run(t.say("text", { text }));
          await t.require("KAIAK-FRAME-008", run.stream("ai_response", { text }));
          await run.ended();
        }
      },
    },
  }),
  ...defineCases(
    {
      "rpc.not-json": {
        title: "bytes that are not JSON are answered with -32700",
        emits: ["KAIAK-RPC-008", "KAIAK-RPC-012"],
        async run(t) {
          await t.configured();
          const body = '{"jsonrpc":"2.0","id":1,"method":';
          t.send.bytes(`Content-Length: ${body.length}\r\n\r\n${body}`);
          await t.require("KAIAK-RPC-012", t.alive());
          await t.require("KAIAK-RPC-008", t.expect.message({ error: { code: -32700 } }, short));
        },
      },
      "life.language-client": {
        isolation: "last",
        title: "the handshake and the end of language clients are accepted",
        emits: ["KAIAK-LIFE-001"],
        async run(t) {
          await t.configured();
          const initialize = t.send.request("initialize", { processId: null, capabilities: {} });
          await t.require("KAIAK-LIFE-001", initialize.result());
          t.send.notify("initialized", {});
          await t.require("KAIAK-LIFE-001", t.send.request("kaiak/configure", await t.configureParams()).result());
          const answer = await t.require("KAIAK-LIFE-001", t.send.request("shutdown").response());
          t.check("KAIAK-LIFE-001", answer.error === undefined, { expected: "a result", actual: answer.error });
          t.send.notify("exit");
          await t.require("KAIAK-LIFE-001", t.expect.closed());
        },
      },
      "life.end-of-input": {
        isolation: "last",
        title: "the end of input ends the server",
        emits: ["KAIAK-LIFE-002"],
        async run(t) {
          await t.configured();
          t.halfClose();
          await t.require("KAIAK-LIFE-002", t.expect.closed());
        },
      },
    },
    header,
  ),
];
