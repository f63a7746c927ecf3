import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { type BackendBehavior, type BackendOddity, rightBackend } from "../reference/backend-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { fieldsOf } from "../plugin-role.js";
import { takesParams, toolNames, tools } from "../samples.js";
import { without } from "./plugin-patch.js";

/** Overrides of the reference backend, checked by the compiler. */
const patch = (switches: Partial<BackendBehavior>): Partial<BackendBehavior> => switches;

/** Changes the messages of calls. */
const sent = (change: (message: Json) => unknown): Partial<BackendBehavior> =>
  patch({ outgoing: (message) => [change(message)] });

const paramsOf = ({ params }: Json): Json => (isObject(params) ? params : {});
const one = ["sman.backend.calls.grep_file"];
const two = ["sman.backend.match.one-of-two"];
const settled = ["SMAN-MATCH-001"];
const diesOf = (what: BackendOddity, isOdd: (text: string) => boolean = () => true): Partial<BackendBehavior> =>
  patch({ odd: (odd, text) => (odd === what && isOdd(text) ? "die" : "drop") });

const frames: readonly Mutant[] = [
  mutant("sman.backend/lists-of-messages", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: patch({ encode: (message) => JSON.stringify([message]) }),
  }),
  mutant("sman.backend/binary-frames", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: patch({ encode: (message) => Buffer.from(JSON.stringify(message)) }),
  }),
  mutant("sman.backend/no-type", {
    violates: ["SMAN-FRAME-002"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent((message) => without(message, "type")),
  }),
  mutant("sman.backend/dies-of-text", { violates: ["SMAN-ROBUST-001"], patch: diesOf("frame") }),
  mutant("sman.backend/dies-of-binary-frames", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.backend.robust.frame-binary"],
    patch: diesOf("binary"),
  }),
  mutant("sman.backend/dies-of-lists", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.backend.robust.frame-list"],
    patch: diesOf("frame", (text) => text.startsWith("[{")),
  }),
  mutant("sman.backend/dies-of-unknown-types", { violates: ["SMAN-ROBUST-002"], patch: diesOf("type") }),
  mutant("sman.backend/dies-without-data", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.backend.wrong.*"],
    patch: diesOf("data"),
  }),
  mutant("sman.backend/dies-of-strays", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.backend.wrong.*"],
    patch: diesOf("id"),
  }),
  mutant("sman.backend/refuses-more-fields", {
    violates: ["SMAN-ROBUST-004"],
    patch: patch({
      result: (message) => ("x-vendor" in message ? undefined : rightBackend.result(message)),
    }),
  }),
];

const calls: readonly Mutant[] = [
  mutant("sman.backend/fields-in-data", {
    violates: ["SMAN-CALL-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent(({ type, ...data }) => ({ type, data })),
  }),
  ...["toolName", "params"].map((name) =>
    mutant(`sman.backend/${name}-in-data`, {
      violates: ["SMAN-CALL-001"],
      collateral: ["SMAN-SCHEMA-TOOL_CALL:params", "SMAN-CALL-006", ...settled],
      cases: one,
      patch: sent((message) => ({ ...without(message, name), data: { [name]: message[name] } })),
    }),
  ),
  mutant("sman.backend/stamped-data", {
    violates: ["SMAN-CALL-002"],
    cases: one,
    patch: sent((message) => ({ ...message, data: { serverTime: 1 } })),
  }),
  mutant("sman.backend/numbers-as-ids", {
    violates: ["SMAN-CALL-003"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent((message) => ({ ...message, toolCallId: 7 })),
  }),
  mutant("sman.backend/one-id-per-millisecond", {
    violates: ["SMAN-CALL-004"],
    collateral: ["SMAN-MATCH-001"],
    cases: ["sman.backend.calls.unique"],
    patch: patch({ callId: (tool, { id }) => `${tool}-${id.slice(0, 8)}-${Math.floor(Date.now() / 1_000)}` }),
  }),
  mutant("sman.backend/counts-on-each-connection", {
    violates: ["SMAN-CALL-004"],
    cases: ["sman.backend.calls.unique"],
    patch() {
      const counts = new Map<string, number>();
      return patch({
        callId(tool, { id }) {
          const count = (counts.get(id) ?? 0) + 1;
          counts.set(id, count);
          return `${tool}-${count}`;
        },
      });
    },
  }),
  mutant("sman.backend/another-session-in-params", {
    violates: ["SMAN-CALL-005"],
    cases: one,
    patch: sent((message) => ({ ...message, params: { ...paramsOf(message), webSocketSessionId: "another" } })),
  }),
  mutant("sman.backend/a-session-for-each-call", {
    violates: ["SMAN-CALL-005"],
    cases: two,
    patch() {
      let count = 0;
      return sent((message) => {
        const webSocketSessionId = `session-${++count}`;
        return { ...message, webSocketSessionId, params: { ...paramsOf(message), webSocketSessionId } };
      });
    },
  }),
  mutant("sman.backend/forgets-params", {
    violates: ["SMAN-CALL-006"],
    collateral: ["SMAN-SCHEMA-TOOL_CALL:params", "SMAN-CALL-007"],
    cases: one,
    patch: sent((message) => ({ ...message, params: without(paramsOf(message), "limit") })),
  }),
  mutant("sman.backend/calls-another-tool", {
    violates: ["SMAN-CALL-006"],
    collateral: settled,
    cases: ["sman.backend.calls.call_chain"],
    patch: sent((message) => ({ ...message, toolName: "find_usages" })),
  }),
  mutant("sman.backend/names-another-project", {
    violates: ["SMAN-CALL-007"],
    cases: one,
    patch: sent((message) => ({ ...message, params: { ...paramsOf(message), projectKey: "another" } })),
  }),
  mutant("sman.backend/one-session-for-all", {
    violates: ["SMAN-CALL-008"],
    cases: ["sman.backend.calls.sessions"],
    patch: patch({
      call: (id, tool, params, site) => rightBackend.call(id, tool, params, { ...site, id: "the-one-session" }),
    }),
  }),
  mutant("sman.backend/sends-incomplete-calls", {
    violates: ["SMAN-CALL-009"],
    collateral: ["SMAN-SCHEMA-TOOL_CALL:params"],
    patch: patch({ missing: () => undefined }),
  }),
  ...toolNames.flatMap((tool) =>
    tools[tool].required.map((name) =>
      mutant(`sman.backend/sends-${tool}-without-${name}`, {
        violates: ["SMAN-CALL-009"],
        collateral: ["SMAN-SCHEMA-TOOL_CALL:params"],
        cases: [`sman.backend.calls.${tool}-without-${name}`],
        patch: patch({
          missing(of, params) {
            const missing = rightBackend.missing(of, params);
            return of === tool && missing === name ? undefined : missing;
          },
        }),
      }),
    ),
  ),
];

/** Calls that lack a field or a param that they must have, or have one of another type. */
const forms: readonly Mutant[] = toolNames.flatMap((tool) => {
  const sample = fieldsOf(tool, { ...tools[tool].params });
  return breakages((call) => takesParams("TOOL_CALL", call), sample)
    .filter(({ structured }) => structured)
    .map(({ name, apply }) =>
      mutant(`sman.backend/wire-${tool}-${name}`, {
        violates: ["SMAN-SCHEMA-TOOL_CALL:params"],
        collateral: ["SMAN-CALL-005", "SMAN-CALL-006", "SMAN-CALL-007", ...settled],
        cases: [`sman.backend.calls.${tool}`],
        patch: sent(({ type, toolCallId, ...call }) => ({ type, toolCallId, ...(apply(call) as object) })),
      }),
    );
});

const matches: readonly Mutant[] = [
  mutant("sman.backend/settles-the-oldest", {
    violates: ["SMAN-MATCH-001"],
    cases: ["sman.backend.match.shuffled"],
    patch: patch({ match: (_result, _site, pending) => pending[0] }),
  }),
  mutant("sman.backend/reads-the-root", {
    violates: ["SMAN-MATCH-002"],
    patch: patch({
      result(message) {
        const result = rightBackend.result(message);
        return result && { ...result, id: message["toolCallId"] ?? result.id };
      },
    }),
  }),
  mutant("sman.backend/settles-with-any-id", {
    violates: ["SMAN-MATCH-003"],
    cases: ["sman.backend.match.unknown"],
    patch: patch({
      match: (result, site, pending) =>
        rightBackend.match(result, site, pending) ?? pending.find((call) => call.site === site),
    }),
  }),
  ...(
    [
      ["ignores-case", (id: string) => id.toLowerCase()],
      ["trims-ids", (id: string) => id.trim()],
      ["compares-beginnings", (id: string) => id.replace(/-\d+$/, "")],
    ] as const
  ).map(([name, read]) =>
    mutant(`sman.backend/${name}`, {
      violates: ["SMAN-MATCH-003"],
      cases: ["sman.backend.match.unknown"],
      patch: patch({
        match: ({ id }, site, pending) =>
          pending.find((call) => call.site === site && read(call.id) === read(String(id))),
      }),
    }),
  ),
  mutant("sman.backend/answers-strays", {
    violates: ["SMAN-MATCH-003"],
    cases: ["sman.backend.match.unknown"],
    patch: patch({
      strayReply: () => [{ type: "ERROR", data: { errorCode: "UNKNOWN", errorMessage: "no such call" } }],
    }),
  }),
  mutant("sman.backend/logs-nothing", { violates: ["SMAN-MATCH-004"], patch: patch({ strayLog: () => [] }) }),
  mutant("sman.backend/logs-no-id", {
    violates: ["SMAN-MATCH-004"],
    patch: patch({ strayLog: () => ["⚠️ 未找到对应的工具调用"] }),
  }),
  mutant("sman.backend/settles-another-call-twice", {
    violates: ["SMAN-MATCH-005"],
    cases: ["sman.backend.match.twice"],
    patch: patch({
      match: (result, site, pending) =>
        rightBackend.match(result, site, pending) ??
        (result.fields["error"] === "again" ? pending.find((call) => call.site === site) : undefined),
    }),
  }),
  mutant("sman.backend/dies-of-late-results", {
    violates: ["SMAN-MATCH-005"],
    cases: ["sman.backend.match.late"],
    patch: diesOf("id", (text) => text.includes("too late")),
  }),
  mutant("sman.backend/takes-results-from-elsewhere", {
    violates: ["SMAN-MATCH-006"],
    patch: patch({ match: ({ id }, _site, pending) => pending.find((call) => call.id === id) }),
  }),
  mutant("sman.backend/waits-for-ever", {
    violates: ["SMAN-MATCH-007"],
    cases: ["sman.backend.match.late"],
    patch: patch({ timeoutMs: () => 1_000_000 }),
  }),
];

const outcome = (change: (fields: Json) => Json): Partial<BackendBehavior> =>
  patch({ outcome: (fields) => rightBackend.outcome(change(fields)) });
const results: readonly Mutant[] = [
  mutant("sman.backend/trims-results", {
    violates: ["SMAN-RESULT-020"],
    patch: patch({
      outcome(fields) {
        const right = rightBackend.outcome(fields);
        return right.success === true ? { ...right, result: String(right.result).trim() } : right;
      },
    }),
  }),
  mutant("sman.backend/reads-json", {
    violates: ["SMAN-RESULT-020"],
    cases: ["sman.backend.results.json"],
    patch: patch({
      outcome(fields) {
        const right = rightBackend.outcome(fields);
        return String(right.result).startsWith("{")
          ? { ...right, result: JSON.parse(String(right.result)) as unknown }
          : right;
      },
    }),
  }),
  mutant("sman.backend/demands-a-time", {
    violates: ["SMAN-RESULT-021"],
    collateral: settled,
    cases: ["sman.backend.results.no-time"],
    patch: outcome((fields) => (fields["executionTime"] === undefined ? {} : fields)),
  }),
  mutant("sman.backend/demands-whole-times", {
    violates: ["SMAN-RESULT-021"],
    cases: ["sman.backend.results.time"],
    patch: outcome((fields) => (Number(fields["executionTime"]) % 1 > 0 ? {} : fields)),
  }),
  mutant("sman.backend/demands-a-result", {
    violates: ["SMAN-RESULT-022"],
    patch: outcome((fields) => (fields["result"] === undefined ? without(fields, "success") : fields)),
  }),
  mutant("sman.backend/every-result-is-a-success", {
    violates: ["SMAN-RESULT-023", "SMAN-RESULT-024", "SMAN-RESULT-025"],
    patch: outcome((fields) => ({ ...fields, success: true })),
  }),
  mutant("sman.backend/loses-errors", {
    violates: ["SMAN-RESULT-023"],
    patch: outcome((fields) => without(fields, "error")),
  }),
  mutant("sman.backend/prefers-results", {
    violates: ["SMAN-RESULT-023"],
    cases: ["sman.backend.results.failure-with-result"],
    patch: outcome((fields) => (fields["result"] === undefined ? fields : { ...fields, success: true })),
  }),
  mutant("sman.backend/demands-an-error", {
    violates: ["SMAN-RESULT-024"],
    patch: outcome((fields) => (fields["error"] === undefined ? { ...fields, success: true } : fields)),
  }),
  mutant("sman.backend/success-by-default", {
    violates: ["SMAN-RESULT-025"],
    patch: outcome((fields) => ({ success: true, ...fields })),
  }),
  mutant("sman.backend/refuses-objects", {
    violates: ["SMAN-RESULT-026"],
    patch: outcome((fields) => (isObject(fields["result"]) ? {} : fields)),
  }),
];

const links: readonly Mutant[] = [
  mutant("sman.backend/ignores-pings", {
    violates: ["SMAN-LINK-002"],
    cases: ["sman.backend.link.ping"],
    patch: patch({ answersPings: false }),
  }),
  mutant("sman.backend/takes-small-messages", {
    violates: ["SMAN-LINK-003"],
    cases: ["sman.backend.link.big"],
    patch: patch({ maxBytes: 1024 * 1024 }),
  }),
  mutant("sman.backend/takes-every-message", {
    violates: ["SMAN-LINK-004"],
    patch: patch({ maxBytes: 64 * 1024 * 1024 }),
  }),
  mutant("sman.backend/demands-uuids", {
    violates: ["SMAN-LINK-020"],
    patch: patch({
      rejects: (query) =>
        query.get("sessionId") === "test-123" ? "INVALID_SESSION: no UUID" : rightBackend.rejects(query),
    }),
  }),
  ...["sessionId", "projectKey"].map((name) =>
    mutant(`sman.backend/needs-no-${name}`, {
      violates: ["SMAN-LINK-021"],
      patch: patch({
        rejects: (query) => (query.get(name) ? rightBackend.rejects(query) : undefined),
      }),
    }),
  ),
  mutant("sman.backend/closes-without-reason", {
    violates: ["SMAN-LINK-021"],
    patch: patch({ rejects: (query) => rightBackend.rejects(query) && "" }),
  }),
  mutant("sman.backend/serves-every-page", {
    violates: ["SMAN-LINK-022"],
    patch: patch({ refuses: (url) => rightBackend.refuses(url, undefined) }),
  }),
  mutant("sman.backend/waits-for-the-lost", {
    violates: ["SMAN-LINK-023"],
    collateral: ["SMAN-LINK-024"],
    patch: patch({ lost: () => [] }),
  }),
  mutant("sman.backend/loses-all-calls", {
    violates: ["SMAN-LINK-024"],
    // Cases that run at the same time end their connections, too; they have no such call.
    patch: patch({ lost: (site, pending) => pending.filter((one) => one.site === site || one.tool === "call_chain") }),
  }),
];

const everything = { violates: [], cases: ["*"] } as const;

/** Backends that are as right as the reference in a way of their own: nothing may be held against them. */
const benign: readonly Mutant[] = [
  mutant("sman.backend/benign-key-order", {
    ...everything,
    patch: sent((message) => Object.fromEntries(Object.entries(message).reverse())),
  }),
  mutant("sman.backend/benign-white-space", {
    ...everything,
    patch: patch({ encode: (message) => `\n${JSON.stringify(message, null, 2)}\n` }),
  }),
  mutant("sman.backend/benign-more-fields", {
    ...everything,
    patch: sent((message) => ({
      ...message,
      timestamp: 1,
      params: { ...paramsOf(message), sessionId: "a", projectPath: "/a" },
    })),
  }),
  mutant("sman.backend/benign-greets", {
    ...everything,
    patch: patch({ outgoing: (message) => [{ type: "PONG", data: { timestamp: 1 } }, message] }),
  }),
  mutant("sman.backend/benign-other-ids", {
    ...everything,
    patch() {
      let count = 0;
      return patch({ callId: () => `漢 ${++count}` });
    },
  }),
  mutant("sman.backend/benign-logs-more", {
    ...everything,
    patch: patch({
      strayLog: (id) => ["a line", ...rightBackend.strayLog(id).map((line) => `2026-01-06 WARN ${line} (late)`)],
    }),
  }),
  mutant("sman.backend/benign-names-the-session", {
    ...everything,
    patch: patch({ siteId: () => `session of ${Math.random()}` }),
  }),
];

/** Every mutant of the reference backend. */
export const backendMutants: readonly Mutant[] = [
  ...frames,
  ...calls,
  ...forms,
  ...matches,
  ...results,
  ...links,
  ...benign,
];
