import { benignTexts } from "../../../packs/benign.js";
import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { type BackendBehavior, rightBackend } from "../reference/backend-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { diesOf, paramsOf, patch, sent, settled } from "./backend-patch.js";
import { without } from "./plugin-patch.js";

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
  mutant("sman.backend/compares-beginnings", {
    violates: ["SMAN-MATCH-003"],
    cases: ["sman.backend.match.unknown"],
    patch: patch({
      match: (result, site, pending) =>
        rightBackend.match(result, site, pending) ??
        pending.find((call) => call.site === site && String(result.id).startsWith(call.id)),
    }),
  }),
  mutant("sman.backend/answers-strays", {
    violates: ["SMAN-MATCH-008"],
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
  mutant("sman.backend/takes-text-for-success", {
    violates: ["SMAN-RESULT-027"],
    patch: outcome((fields) => ({ ...fields, success: fields["success"] === true || fields["success"] === "true" })),
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
    cases: ["sman.backend.link.lost-dropped"],
    // Cases that run at the same time end their connections, too; they have no such call.
    patch: patch({ lost: (site, pending) => pending.filter((one) => one.site === site || one.tool === "call_chain") }),
  }),
];

const everything = { violates: [], cases: ["*"] } as const;

/** Backends that are as right as the reference in a way of their own: nothing may be held against them. */
const benign: readonly Mutant[] = [
  ...benignTexts("sman.backend"),
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

/** Backends that make something wrong of results, or of connections. */
export const resultMutants: readonly Mutant[] = [...matches, ...results, ...links, ...benign];
