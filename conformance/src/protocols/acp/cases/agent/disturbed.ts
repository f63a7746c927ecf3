import type { Case } from "../../../../core/run/case.js";
import type { Call } from "../../../../core/talk/call.js";
import type { Talk } from "../../../../core/talk/talk.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { defineCases } from "../../agent-role.js";
import { START_MS } from "../../../../packs/rpc-facts.js";

const transports = ["stdio"];
const header = { transports, isolation: "connection", deadline: START_MS } as const;
const framings = ["line", "header"] as const;
const aliveRequest = (id: number) => ({ jsonrpc: "2.0", id, method: "_conformance/alive", params: {} });

/** The same request in two pieces, for every way to cut it. */
const splitCases = framings.flatMap((framing) =>
  defineCases(
    {
      [`disturbed.every-split-${framing}`]: {
        title: `a request cut in two at every byte (${framing})`,
        emits: ["ACP-FRAME-005"],
        framing,
        isolation: "rough",
        async run(t) {
          await t.initialized();
          const size = encodeFrame(aliveRequest(1_000), framing).length;
          for (let at = 1; at < size; at++) {
            const id = 1_000 + at;
            const message = aliveRequest(id);
            const bytes = encodeFrame(message, framing);
            t.conversation.link.trace.add({ kind: "message", from: "suite", message });
            t.send.bytes(bytes.subarray(0, at));
            await t.pace(1);
            t.send.bytes(bytes.subarray(at));
            await t.require("ACP-FRAME-005", t.expect.message({ id }));
          }
        },
      },
    },
    header,
  ),
);

/** Text between messages that is not a message. */
const noiseCases = ["noise", "invalid-utf8"].flatMap((fault) =>
  defineCases(
    {
      [`disturbed.${fault}`]: {
        title: `${fault} before every message`,
        emits: ["ACP-RPC-009"],
        faults: [fault],
        framing: "line",
        async run(t) {
          await t.require("ACP-RPC-009", t.initialized());
          await t.require("ACP-RPC-009", t.alive());
        },
      },
    },
    header,
  ),
);

const hugeCase = defineCases(
  {
    "disturbed.huge": {
      title: "an unknown notification of a MiB before every message",
      emits: ["ACP-ROBUST-002"],
      faults: ["huge:1024"],
      framing: "line",
      async run(t) {
        await t.require("ACP-ROBUST-002", t.initialized());
        await t.require("ACP-ROBUST-002", t.alive());
      },
    },
  },
  header,
);

const deepCase = defineCases(
  {
    "disturbed.deep": {
      title: "a notification nested 10 000 deep",
      emits: ["ACP-ROBUST-003"],
      framing: "line",
      isolation: "rough",
      async run(t) {
        await t.initialized();
        t.send.bytes(
          `{"jsonrpc":"2.0","method":"_conformance/deep","params":{"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}}\n`,
        );
        await t.require("ACP-ROBUST-003", t.alive());
      },
    },
  },
  header,
);

/** Bytes after which the input ends. */
const ends: readonly (readonly [string, "line" | "header", string])[] = [
  ["between-messages", "line", ""],
  ["within-line", "line", '{"jsonrpc":"2.0","id":77,"meth'],
  ["within-character", "line", '{"jsonrpc":"2.0","id":77,"method":"\u00c3'],
  ["within-header", "header", "Content-Len"],
  ["within-body", "header", 'Content-Length: 80\r\n\r\n{"jsonrpc":"2.0"'],
];

const endCases = ends.flatMap(([name, framing, rest]) =>
  defineCases(
    {
      [`disturbed.input-ends-${name}`]: {
        title: `the input ends ${name.replace("-", " ")}`,
        emits: ["ACP-ROBUST-004", "ACP-ROBUST-005"],
        framing,
        isolation: "last",
        async run(t) {
          await t.initialized();
          const other = await t.bystander();
          t.send.bytes(Buffer.from(rest, "latin1"));
          t.halfClose();
          await t.require("ACP-ROBUST-005", stillThere(other).response());
          await t.require("ACP-ROBUST-004", t.expect.closed());
        },
      },
    },
    header,
  ),
);

/** A turn whose client has gone. */
const turnCases = (["half-close", "hang-up"] as const).flatMap((how) =>
  defineCases(
    {
      [`disturbed.${how}-within-turn`]: {
        title: `the client disconnects during a turn (${how})`,
        emits: how === "half-close" ? ["ACP-ROBUST-004", "ACP-ROBUST-005"] : ["ACP-ROBUST-005"],
        needs: ["slow"],
        isolation: "last",
        async run(t) {
          const session = await t.session();
          const other = await t.bystander();
          // Longer than anyone waits for the end.
          t.prompt(session, t.say("slow", { ms: 4 * START_MS }));
          await t.expect.notify("session/update", { sessionId: session.id });
          if (how === "half-close") t.halfClose();
          else await t.hangUp();
          await t.require("ACP-ROBUST-005", stillThere(other).response());
          if (how === "half-close") await t.require("ACP-ROBUST-004", t.expect.closed());
        },
      },
    },
    header,
  ),
);

const headers = {
  "no-length": "Content-Type: application/json",
  "negative-length": "Content-Length: -5",
  "length-as-text": "Content-Length: many",
};

const headerCases = Object.entries(headers).flatMap(([name, line]) =>
  defineCases(
    {
      [`disturbed.header-${name}`]: {
        title: `a header that cannot be read: ${line}`,
        emits: ["ACP-ROBUST-006"],
        framing: "header",
        isolation: "rough",
        async run(t) {
          await t.initialized();
          t.send.bytes(`${line}\r\n\r\n`);
          // One that ends because of it may say so with its exit code.
          const answer = Promise.race([stillThere(t).response(), t.expect.message({ id: null, error: {} })]);
          const closed = t.expect.closed();
          await t.require("ACP-ROBUST-006", Promise.race([answer.catch(() => closed), closed]));
        },
      },
    },
    header,
  ),
);

function stillThere(talk: Talk): Call {
  return talk.send.request("_conformance/alive", {});
}

/** Streams of bytes that no correct client writes, or that end where none would end them. */
export const disturbedCases: readonly Case[] = [
  ...splitCases,
  ...noiseCases,
  ...hugeCase,
  ...deepCase,
  ...endCases,
  ...turnCases,
  ...headerCases,
];
