import { isObject } from "@editwire/core";
import { inCharacters, inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { fits } from "../../../core/judge.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { accept } from "../accept.js";
import { carrier } from "../envelope.js";
import { schemaRequirement } from "../monitors/all.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { sampleParams } from "../samples.js";
import { table } from "../table.js";
import { packMutants } from "./client-packs.js";
import { benignClients } from "./client-benign.js";
import { patch } from "./client-patch.js";
import { without, withoutMessages } from "./server-patch.js";

/** Changes the argument of a command. */
const called = (command: string, change: (params: Json) => unknown): Partial<ClientBehavior> =>
  patch({ wrap: (one, params) => rightClient.wrap(one, one === command ? (change(params) as Json) : params) });

/** Dies of some notifications. */
const diesOf = (test: (kind: string, params: Json) => boolean): Partial<ClientBehavior> =>
  patch({ onNote: (kind, params) => (test(kind, params) ? "die" : "survive") });

const contentOf = (params: Json): Json => (isObject(params["content"]) ? params["content"] : {});
const isAnswer = (message: Json): boolean => !("method" in message);
const one = ["kaiak.client.run.incidents"];
const answers = ["kaiak.client.ask.approve"];

const wire: readonly Mutant[] = [
  mutant("kaiak.client/logs-into-its-output", {
    violates: ["KAIAK-FRAME-001"],
    cases: one,
    patch: patch({ encode: (message) => Buffer.concat([Buffer.from("log\n"), rightClient.encode(message)]) }),
  }),
  mutant("kaiak.client/counts-characters", {
    violates: ["KAIAK-FRAME-001"],
    collateral: ["KAIAK-RPC-001", "KAIAK-CALL-028"],
    cases: one,
    patch: patch({ encode: (message) => inCharacters(message) }),
  }),
  mutant("kaiak.client/ends-headers-with-line-feeds", {
    violates: ["KAIAK-FRAME-002"],
    cases: one,
    patch: patch({ encode: (message) => withLineFeeds(message) }),
  }),
  mutant("kaiak.client/names-another-charset", {
    violates: ["KAIAK-FRAME-003"],
    cases: one,
    patch: patch({ encode: (message) => inLatin1(message) }),
  }),
  mutant("kaiak.client/writes-lines", {
    violates: ["KAIAK-FRAME-002"],
    cases: one,
    patch: patch({ encode: (message) => encodeFrame(message, "line") }),
  }),
  mutant("kaiak.client/more-headers", {
    violates: ["KAIAK-FRAME-003"],
    cases: one,
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([Buffer.from(`content-length: ${body.length}\r\n\r\n`), body]);
      },
    }),
  }),
  mutant("kaiak.client/reads-chunks", {
    violates: ["KAIAK-FRAME-020"],
    patch: patch({ reader: () => ({ push: (chunk) => new FrameCutter().push(chunk) }) }),
  }),
  mutant("kaiak.client/knows-one-header", {
    violates: ["KAIAK-FRAME-020"],
    cases: ["kaiak.client.framing.content-type", "kaiak.client.framing.lower-case"],
    patch: patch({
      reader() {
        const inner = new FrameCutter();
        return {
          push: (chunk) =>
            inner.push(chunk).filter((cut) => cut.ok && /^Content-Length: \d+$/.test(cut.frame.detail ?? "")),
        };
      },
    }),
  }),
  mutant("kaiak.client/dies-of-log-lines", { violates: ["KAIAK-FRAME-021"], patch: patch({ noise: () => "die" }) }),
  mutant("kaiak.client/no-version", {
    violates: ["KAIAK-RPC-001"],
    cases: one,
    patch: patch({ outgoing: (message) => [without(message, "jsonrpc")] }),
  }),
  mutant("kaiak.client/errors-without-codes", {
    violates: ["KAIAK-RPC-002"],
    cases: ["kaiak.client.rpc.request"],
    collateral: ["KAIAK-RPC-021"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, error: { message: "no" } } : message] }),
  }),
  mutant("kaiak.client/errors-without-messages", {
    violates: ["KAIAK-RPC-002"],
    cases: ["kaiak.client.rpc.request"],
    collateral: ["KAIAK-RPC-021"],
    patch: patch({ outgoing: withoutMessages }),
  }),
  mutant("kaiak.client/ids-as-strings", {
    violates: ["KAIAK-RPC-003"],
    cases: ["kaiak.client.rpc.request"],
    collateral: ["KAIAK-RPC-021"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, id: String(message["id"]) } : message] }),
  }),
  mutant("kaiak.client/answers-twice", {
    violates: ["KAIAK-RPC-004"],
    cases: ["kaiak.client.rpc.request"],
    patch: patch({ outgoing: (message) => (isAnswer(message) ? [message, message] : [message]) }),
  }),
  mutant("kaiak.client/one-id-for-all", {
    violates: ["KAIAK-RPC-005"],
    collateral: ["KAIAK-RPC-020"],
    cases: ["kaiak.client.rpc.order"],
    patch: patch({
      outgoing: (message) => [message["method"] === carrier ? { ...message, id: 77 } : message],
      match: (id, open) => (id === 77 ? open[0] : undefined),
    }),
  }),
  mutant("kaiak.client/dies-of-stray-answers", {
    violates: ["KAIAK-RPC-020"],
    patch: patch({ strayAnswer: () => "die" }),
  }),
  mutant("kaiak.client/takes-the-next-answer", {
    violates: ["KAIAK-RPC-020"],
    cases: ["kaiak.client.rpc.*"],
    patch: patch({ match: (_id, open) => open[0] }),
  }),
  mutant("kaiak.client/silent-to-requests", {
    violates: ["KAIAK-RPC-021"],
    patch: patch({ unknownRequest: () => undefined }),
  }),
  mutant("kaiak.client/dies-of-notifications", {
    violates: ["KAIAK-RPC-022"],
    collateral: ["KAIAK-RPC-024"],
    patch: patch({ unknownNotification: () => "die" }),
  }),
  mutant("kaiak.client/dies-of-unknown-sessions", {
    violates: ["KAIAK-RPC-022"],
    cases: ["kaiak.client.unknown.session"],
    patch: diesOf((_kind, { session_id }) => session_id === "no-such-session"),
  }),
  mutant("kaiak.client/dies-of-unknown-status", {
    violates: ["KAIAK-RPC-022"],
    cases: ["kaiak.client.unknown.status"],
    patch: diesOf((_kind, params) => contentOf(params)["status"] === "dreaming"),
  }),
  mutant("kaiak.client/dies-of-unknown-fields", {
    violates: ["KAIAK-RPC-022"],
    cases: ["kaiak.client.unknown.fields"],
    patch: diesOf((_kind, params) => "x-vendor" in params),
  }),
];

/** The requirement that has each command under its name, and the case that waits for it. */
const commands: Readonly<Record<string, readonly [req: string, case_: string]>> = {
  configure: ["KAIAK-CALL-029", "kaiak.client.configure"],
  generate_fix: ["KAIAK-CALL-028", "kaiak.client.run.incidents"],
  delete_session: ["KAIAK-CALL-030", "kaiak.client.delete.plain"],
};

const calls: readonly Mutant[] = [
  ...Object.entries(commands).flatMap(([command, [req, id]]) => {
    const other = (wrap: ClientBehavior["wrap"]): Partial<ClientBehavior> =>
      patch({ wrap: (method, params) => (method === `kaiak/${command}` ? wrap : rightClient.wrap)(method, params) });
    return [
      mutant(`kaiak.client/${command}-as-a-method`, {
        violates: ["KAIAK-CALL-020"],
        cases: [id],
        patch: other((method, params) => ({ method, params })),
      }),
      mutant(`kaiak.client/${command}-by-another-name`, {
        violates: [req],
        cases: [id],
        patch: other((_method, params) => rightClient.wrap(command, params)),
      }),
    ];
  }),
  mutant("kaiak.client/two-arguments", {
    violates: ["KAIAK-CALL-020"],
    cases: one,
    patch: patch({ wrap: (command, params) => ({ method: carrier, params: { command, arguments: [params, {}] } }) }),
  }),
  mutant("kaiak.client/shows-the-first-texts", {
    violates: ["KAIAK-CALL-021"],
    cases: ["kaiak.client.run.order"],
    patch: patch({ joined: (before, text) => (before.length > 50 ? before : before + String(text)) }),
  }),
  mutant("kaiak.client/shows-texts-backwards", {
    violates: ["KAIAK-CALL-021"],
    cases: ["kaiak.client.run.order"],
    patch: patch({ joined: (before, text) => String(text) + before }),
  }),
  ...["tool_call", "file_modification", "error"].map((kind) =>
    mutant(`kaiak.client/hides-${kind.replace("_", "-")}`, {
      violates: ["KAIAK-CALL-021"],
      cases: ["kaiak.client.run.order"],
      patch: patch({ knows: (name) => name !== kind && rightClient.knows(name) }),
    }),
  ),
  mutant("kaiak.client/shows-the-first-progress", {
    violates: ["KAIAK-CALL-021"],
    cases: ["kaiak.client.run.order"],
    patch() {
      let count = 0;
      return patch({ knows: (name) => (name === "progress" ? count++ === 0 : rightClient.knows(name)) });
    },
  }),
  mutant("kaiak.client/knows-its-own-codes", {
    violates: ["KAIAK-CALL-022"],
    patch: patch({ failure: (error) => rightClient.failure(error.code < -32000 ? error : { ...error, code: -32603 }) }),
  }),
  ...Object.entries({ "session-not-found": -32003, "session-in-use": -32016 }).map(([name, code]) =>
    mutant(`kaiak.client/${name}-is-internal`, {
      violates: ["KAIAK-CALL-022"],
      patch: patch({
        failure: (error) => rightClient.failure(error.code === code ? { ...error, code: -32603 } : error),
      }),
    }),
  ),
  mutant("kaiak.client/errors-without-data", {
    violates: ["KAIAK-CALL-022"],
    patch: patch({ failure: ({ code }) => ({ code }) }),
  }),
  mutant("kaiak.client/waits-for-the-lost", { violates: ["KAIAK-CALL-023"], patch: patch({ failsAtEnd: false }) }),
  mutant("kaiak.client/demands-what-is-optional", {
    violates: ["KAIAK-CALL-024"],
    patch: diesOf((kind, params) => kind === "progress" && contentOf(params)["total_steps"] === null),
  }),
  mutant("kaiak.client/takes-no-nulls", {
    violates: ["KAIAK-CALL-024"],
    patch: diesOf((_kind, params) => Object.values(contentOf(params)).includes(null)),
  }),
  ...[/\.\d{9}Z/, /[+-]\d\d:\d\d$/].map((form, index) =>
    mutant(`kaiak.client/dies-of-time-${index + 1}`, {
      violates: ["KAIAK-CALL-025"],
      patch: diesOf((_kind, { timestamp }) => form.test(String(timestamp))),
    }),
  ),
  mutant("kaiak.client/sessions-by-number", {
    violates: ["KAIAK-CALL-027"],
    cases: one,
    patch: patch({ sessionId: (count) => `session-${count}` }),
  }),
  mutant("kaiak.client/trims-messages", {
    violates: ["KAIAK-CALL-028"],
    patch: patch({
      incidents: (list) => (list as Json[]).map((each) => ({ ...each, message: String(each["message"]).trim() })),
    }),
  }),
  mutant("kaiak.client/sends-the-first-incident", {
    violates: ["KAIAK-CALL-028"],
    patch: patch({ incidents: (list) => (list as Json[]).slice(0, 1) }),
  }),
  mutant("kaiak.client/configures-without-tools", {
    violates: ["KAIAK-CALL-029"],
    patch: patch({ configuration: (configuration) => without(configuration as Json, "tools") }),
  }),
  mutant("kaiak.client/deletes-another-session", {
    violates: ["KAIAK-CALL-030"],
    patch: patch({ deleteParams: (_id, force) => ({ session_id: "11111111-1111-4111-8444-000000000000", force }) }),
  }),
  mutant("kaiak.client/never-forces", {
    violates: ["KAIAK-CALL-030"],
    cases: ["kaiak.client.delete.forced"],
    patch: patch({ deleteParams: (session_id) => ({ session_id }) }),
  }),
  mutant("kaiak.client/cancels-silently", { violates: ["KAIAK-CALL-031"], patch: patch({ cancel: () => [] }) }),
  mutant("kaiak.client/cancels-another-call", {
    violates: ["KAIAK-CALL-031"],
    patch: patch({ cancel: (id) => rightClient.cancel(id + 1_000) }),
  }),
  mutant("kaiak.client/does-not-wait-for-the-cancelled", {
    violates: ["KAIAK-CALL-031"],
    patch: patch({ waitsForCancelled: false }),
  }),
  mutant("kaiak.client/everything-is-completed", {
    violates: ["KAIAK-CALL-032"],
    patch: patch({ status: () => "completed" }),
  }),
  mutant("kaiak.client/ends-at-a-hundred", {
    violates: ["KAIAK-CALL-035"],
    patch: patch({ ends: (_kind, { percentage }) => percentage === 100 }),
  }),
  mutant("kaiak.client/gives-sessions-up", { violates: ["KAIAK-CALL-033"], patch: patch({ reuses: false }) }),

  mutant("kaiak.client/answers-nothing", { violates: ["KAIAK-ASK-020"], patch: patch({ answer: () => [] }) }),
  mutant("kaiak.client/always-approves", {
    violates: ["KAIAK-ASK-020"],
    cases: ["kaiak.client.ask.deny"],
    patch: patch({ answer: (id) => rightClient.answer(id, "approve") }),
  }),
  mutant("kaiak.client/answers-questions-twice", {
    violates: ["KAIAK-ASK-021"],
    cases: answers,
    patch: patch({ answer: (id, word) => [...rightClient.answer(id, word), ...rightClient.answer(id, word)] }),
  }),
  mutant("kaiak.client/answers-what-nobody-asked", {
    violates: ["KAIAK-ASK-021"],
    cases: answers,
    patch: patch({ answer: (id, word) => [...rightClient.answer(id, word), ...rightClient.answer("none", word)] }),
  }),
  mutant("kaiak.client/answers-in-its-own-words", {
    violates: ["KAIAK-ASK-021"],
    collateral: ["KAIAK-ASK-020"],
    cases: answers,
    patch: patch({ answer: (id) => rightClient.answer(id, "sure") }),
  }),
];

/** The case in which each command is sent. */
const shown: Readonly<Record<string, string>> = {
  "kaiak/configure": "kaiak.client.configure",
  "kaiak/generate_fix": "kaiak.client.run.incidents",
  "kaiak/delete_session": "kaiak.client.delete.plain",
  "kaiak/interaction/respond": "kaiak.client.ask.approve",
};

/** Clients that leave out what a command must have, or write it in another type. */
const forms: readonly Mutant[] = Object.entries(shown).flatMap(([command, id]) =>
  breakages((value) => fits(table, command, "params", accept(command, "params", value)) === true, sampleParams(command))
    // The incidents that the client sends may be more than one.
    .filter(({ structured, name }) => structured && name !== "incidents-0-missing")
    .map(({ name, apply }) =>
      mutant(`kaiak.client/wire-${command.slice("kaiak/".length).replace("/", "-")}-${name}`, {
        violates: [schemaRequirement(command, "params")],
        collateral: ["ASK-020", "ASK-021", "CALL-027", "CALL-028", "CALL-029", "CALL-030"].map((req) => `KAIAK-${req}`),
        cases: [id],
        patch: called(command, apply),
      }),
    ),
);

/** Clients that are broken in one way each, and some that are not. */
export const clientMutants: readonly Mutant[] = [...wire, ...calls, ...forms, ...packMutants, ...benignClients];
