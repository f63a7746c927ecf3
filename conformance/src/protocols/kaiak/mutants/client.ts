import { isObject } from "@editwire/core";
import { beforeLineEnd, behindLogLine, inCharacters, inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { headersLike, wholeChunks } from "../../../packs/readers.js";
import { type Picks, without, wrong } from "../../../packs/rewrites.js";
import { fits } from "../../../core/talk/judge.js";
import type { Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { accept } from "../accept.js";
import { carrier } from "../envelope.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { sampleParams } from "../samples.js";
import { table } from "../table.js";
import { packMutants } from "./client-packs.js";
import { benignClients } from "./client-benign.js";
import { broken, each, patch } from "./client-patch.js";

/** Changes the argument of a command. */
const called = (command: string, change: (params: Json) => unknown): Partial<ClientBehavior> =>
  patch({ wrap: (one, params) => rightClient.wrap(one, one === command ? (change(params) as Json) : params) });

/** Dies of some notifications. */
const diesOf = (test: (kind: string, params: Json) => boolean): Partial<ClientBehavior> =>
  patch({ onNote: (kind, params) => (test(kind, params) ? "die" : "survive") });

const isCall: Picks = (message) => message["method"] === carrier;
const contentOf = (params: Json): Json => (isObject(params["content"]) ? params["content"] : {});
const one = ["run.incidents"];
const answers = ["ask.approve"];

const wire: readonly Mutant[] = broken({
  "logs-into-its-output": ["FRAME-001", { encode: behindLogLine }, { cases: one }],
  "ends-messages-with-lines": ["FRAME-001", { encode: beforeLineEnd }, { cases: ["run.cancel"] }],
  "counts-characters": ["FRAME-001", { encode: inCharacters }, { collateral: ["RPC-001", "CALL-028"], cases: one }],
  "ends-headers-with-line-feeds": ["FRAME-002", { encode: withLineFeeds }, { cases: one }],
  "names-another-charset": ["FRAME-003", { encode: inLatin1 }, { cases: one }],
  "reads-chunks": ["FRAME-020", { reader: wholeChunks }],
  "knows-one-header": [
    "FRAME-020",
    { reader: headersLike(/^Content-Length: \d+$/) },
    { cases: ["framing.content-type", "framing.lower-case"] },
  ],
  "dies-of-log-lines": ["FRAME-021", { noise: () => "die" }],
  "no-version": ["RPC-001", wrong.noVersion, { cases: one }],
  "errors-without-codes": ["RPC-002", wrong.errorsWithoutCodes, { collateral: ["RPC-021"], cases: ["rpc.request"] }],
  "errors-without-messages": [
    "RPC-002",
    wrong.errorsWithoutMessages,
    { collateral: ["RPC-021"], cases: ["rpc.request"] },
  ],
  "ids-as-strings": ["RPC-003", wrong.idsAsStrings, { collateral: ["RPC-021"], cases: ["rpc.request"] }],
  "answers-twice": ["RPC-004", wrong.answersTwice, { cases: ["rpc.request"] }],
  "one-id-for-all": [
    "RPC-005",
    {
      outgoing: (message) => [message["method"] === carrier ? { ...message, id: 77 } : message],
      match: (id, open) => (id === 77 ? open[0] : undefined),
    },
    { collateral: ["RPC-020"], cases: ["rpc.order"] },
  ],
  "ids-with-fractions": [
    "RPC-028",
    {
      outgoing: (message) => [isCall(message) ? { ...message, id: Number(message["id"]) + 0.5 } : message],
      match: (id, open) => open.find((one) => one + 0.5 === id),
    },
    { cases: one },
  ],
  "takes-ids-with-fractions": [
    "RPC-029",
    { match: (id, open) => open.find((one) => one === (typeof id === "number" ? Math.trunc(id) : id)) },
  ],
  "dies-of-stray-answers": ["RPC-020", { strayAnswer: () => "die" }],
  "takes-the-next-answer": [
    "RPC-020",
    { match: (_id, open) => open[0] },
    { collateral: ["RPC-029"], cases: ["rpc.*"] },
  ],
  "silent-to-requests": ["RPC-021", { unknownRequest: () => undefined }],
  "dies-of-notifications": ["RPC-022", { unknownNotification: () => "die" }, { collateral: ["RPC-024"] }],
  "dies-of-unknown-sessions": [
    "RPC-022",
    diesOf((_kind, { session_id }) => session_id === "no-such-session"),
    { cases: ["unknown.session"] },
  ],
  "dies-of-unknown-status": [
    "RPC-022",
    diesOf((_kind, params) => contentOf(params)["status"] === "dreaming"),
    { cases: ["unknown.status"] },
  ],
  "dies-of-unknown-fields": ["RPC-022", diesOf((_kind, params) => "x-vendor" in params), { cases: ["unknown.fields"] }],
});

/** The requirement that has each command under its name, and the case that waits for it. */
const commands: Readonly<Record<string, readonly [req: string, case_: string]>> = {
  configure: ["CALL-029", "configure"],
  generate_fix: ["CALL-028", "run.incidents"],
  delete_session: ["CALL-030", "delete.plain"],
};

const calls: readonly Mutant[] = [
  ...Object.entries(commands).flatMap(([command, [req, id]]) => {
    const other = (wrap: ClientBehavior["wrap"]): Partial<ClientBehavior> =>
      patch({ wrap: (method, params) => (method === `kaiak/${command}` ? wrap : rightClient.wrap)(method, params) });
    return broken({
      [`${command}-as-a-method`]: ["CALL-020", other((method, params) => ({ method, params })), { cases: [id] }],
      [`${command}-by-another-name`]: [
        req,
        other((_method, params) => rightClient.wrap(command, params)),
        { cases: [id] },
      ],
    });
  }),
  ...broken({
    "two-arguments": [
      "CALL-020",
      { wrap: (command, params) => ({ method: carrier, params: { command, arguments: [params, {}] } }) },
      { cases: one },
    ],
    "shows-texts-backwards": [
      "CALL-021",
      { joined: (before, text) => String(text) + before },
      { cases: ["run.order"] },
    ],
    ...each(["tool_call", "file_modification", "error"], (kind) => ({
      [`hides-${kind.replace("_", "-")}`]: [
        "CALL-021",
        { knows: (name) => name !== kind && rightClient.knows(name) },
        { cases: ["run.order"] },
      ],
    })),
    "shows-what-is-for-others": ["CALL-036", { owner: (_named, known) => known.at(-1) }],
    "says-nothing-while-it-asks": [
      "CALL-021",
      () => {
        let isAsked = false;
        return patch({
          knows(kind) {
            isAsked ||= kind === "user_interaction";
            return rightClient.knows(kind) && !(isAsked && kind === "ai_response");
          },
        });
      },
      { collateral: ["RPC-020"], cases: ["rpc.order"] },
    ],
    ...each(["progress", "file_modification"], (kind) => ({
      [`shows-the-first-${kind.replace("_", "-")}`]: [
        "CALL-021",
        () => {
          let count = 0;
          return patch({ knows: (name) => (name === kind ? count++ === 0 : rightClient.knows(name)) });
        },
        { cases: ["run.order"] },
      ],
    })),
    ...each(Object.entries({ "session-not-found": -32003, "session-in-use": -32016 }), ([name, code]) => ({
      [`${name}-is-internal`]: [
        "CALL-022",
        { failure: (error) => rightClient.failure(error.code === code ? { ...error, code: -32603 } : error) },
      ],
    })),
    "errors-without-data": ["CALL-022", { failure: ({ code }) => ({ code }) }],
    "waits-for-the-lost": ["CALL-023", { failsAtEnd: false }],
    "demands-what-is-optional": [
      "CALL-024",
      diesOf((kind, params) => kind === "progress" && contentOf(params)["total_steps"] === null),
    ],
    ...each([/\.\d{9}Z/, /[+-]\d\d:\d\d$/], (form, index) => ({
      [`dies-of-time-${index + 1}`]: ["CALL-025", diesOf((_kind, { timestamp }) => form.test(String(timestamp)))],
    })),
    "sessions-by-number": ["CALL-027", { sessionId: (count) => `session-${count}` }, { cases: one }],
    "sends-the-first-incident": ["CALL-028", { incidents: (list) => (list as Json[]).slice(0, 1) }],
    "configures-without-tools": [
      "CALL-029",
      { configuration: (configuration) => without(configuration as Json, "tools") },
    ],
    "deletes-another-session": [
      "CALL-030",
      { deleteParams: (_id, force) => ({ session_id: "11111111-1111-4111-8444-000000000000", force }) },
    ],
    "never-forces": ["CALL-030", { deleteParams: (session_id) => ({ session_id }) }],
    "does-not-wait-for-the-cancelled": ["CALL-031", { waitsForCancelled: false }],
    "everything-is-completed": ["CALL-032", { status: () => "completed" }],
    "ends-at-a-hundred": ["CALL-035", { ends: (_kind, { percentage }) => percentage === 100 }],
    "gives-sessions-up": ["CALL-033", { reuses: false }],
    "answers-nothing": ["ASK-020", { answer: () => [] }],
    "answers-what-nobody-asked": [
      "ASK-021",
      { answer: (id, word) => [...rightClient.answer(id, word), ...rightClient.answer("none", word)] },
      { cases: answers },
    ],
    "answers-in-its-own-words": [
      "ASK-021",
      { answer: (id) => rightClient.answer(id, "sure") },
      { collateral: ["ASK-020"], cases: answers },
    ],
  }),
];

/** The case in which each command is sent. */
const shown: Readonly<Record<string, string>> = {
  "kaiak/configure": "configure",
  "kaiak/generate_fix": "run.incidents",
  "kaiak/delete_session": "delete.plain",
  "kaiak/interaction/respond": "ask.approve",
};

/** Clients that leave out what a command must have, or write it in another type. */
const forms: readonly Mutant[] = Object.entries(shown).flatMap(([command, id]) =>
  breakages((value) => fits(table, command, "params", accept(command, "params", value)) === true, sampleParams(command))
    // The incidents that the client sends may be more than one.
    .filter(({ structured, name }) => structured && name !== "incidents-0-missing")
    .flatMap(({ name, apply }) =>
      broken({
        [`wire-${command.slice("kaiak/".length).replace("/", "-")}-${name}`]: [
          `SCHEMA-${command}:params`,
          called(command, apply),
          { collateral: ["ASK-020", "ASK-021", "CALL-027", "CALL-028", "CALL-029", "CALL-030"], cases: [id] },
        ],
      }),
    ),
);

/** Clients that are broken in one way each, and some that are not. */
export const clientMutants: readonly Mutant[] = [...wire, ...calls, ...forms, ...packMutants, ...benignClients];
