import { without } from "../../../packs/rewrites.js";
import { benignTexts } from "../../../packs/benign.js";
import { isObject } from "@editwire/core";
import type { Mutant } from "../../../core/mutant.js";
import { type BackendBehavior, rightBackend } from "../reference/backend-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { benign, broken, each, diesOf, paramsOf, patch, sent, settled } from "./backend-patch.js";

const matches: readonly Mutant[] = broken({
  "settles-the-oldest": ["MATCH-001", { match: (_result, _site, pending) => pending[0] }],
  "reads-the-root": [
    "MATCH-002",
    {
      result(message) {
        const result = rightBackend.result(message);
        return result && { ...result, id: message["toolCallId"] ?? result.id };
      },
    },
  ],
  "takes-success-from-the-root": [
    "MATCH-010",
    {
      result(message) {
        const result = rightBackend.result(message);
        const { success = result?.fields["success"] } = message;
        return result && { ...result, fields: { ...result.fields, success } };
      },
    },
  ],
  "takes-every-type": ["MATCH-009", { isResult: () => true }],
  "trims-ids": [
    "MATCH-003",
    {
      match: ({ id }, site, pending) =>
        pending.find((call) => call.site === site && call.id.trim() === String(id).trim()),
    },
  ],
  "answers-strays": [
    "MATCH-008",
    { strayReply: () => [{ type: "ERROR", data: { errorCode: "UNKNOWN", errorMessage: "no such call" } }] },
  ],
  "logs-no-id": ["MATCH-004", { strayLog: () => ["⚠️ 未找到对应的工具调用"] }],
  "settles-another-call-twice": [
    "MATCH-005",
    {
      match: (result, site, pending) =>
        rightBackend.match(result, site, pending) ??
        (result.fields["error"] === "again" ? pending.find((call) => call.site === site) : undefined),
    },
    { cases: ["match.twice"] },
  ],
  "dies-of-late-results": ["MATCH-005", diesOf("id", (text) => text.includes("too late")), { cases: ["match.late"] }],
  "takes-results-from-elsewhere": [
    "MATCH-006",
    { match: ({ id }, _site, pending) => pending.find((call) => call.id === id) },
  ],
  "waits-for-ever": ["MATCH-007", { timeoutMs: () => 1_000_000 }],
});

const outcome = (change: (fields: Json) => Json): Partial<BackendBehavior> =>
  patch({ outcome: (fields) => rightBackend.outcome(change(fields)) });
const results: readonly Mutant[] = broken({
  "normalizes-results": [
    "RESULT-020",
    outcome(({ result, ...fields }) => ({ ...fields, result: String(result).normalize("NFKC") })),
    { cases: ["results.text"] },
  ],
  "empty-results-fail": [
    "RESULT-020",
    outcome((fields) => (fields["result"] === "" ? { success: false, error: "empty" } : fields)),
    { cases: ["results.empty"] },
  ],
  "reads-json": [
    "RESULT-020",
    {
      outcome(fields) {
        const right = rightBackend.outcome(fields);
        return String(right.result).startsWith("{")
          ? { ...right, result: JSON.parse(String(right.result)) as unknown }
          : right;
      },
    },
    { cases: ["results.json"] },
  ],
  "demands-a-time": [
    "RESULT-021",
    outcome((fields) => (fields["executionTime"] === undefined ? {} : fields)),
    { collateral: settled, cases: ["results.no-time"] },
  ],
  "demands-whole-times": [
    "RESULT-021",
    outcome((fields) => (Number(fields["executionTime"]) % 1 > 0 ? {} : fields)),
    { cases: ["results.time"] },
  ],
  "demands-a-result": [
    "RESULT-022",
    outcome((fields) => (fields["result"] === undefined ? without(fields, "success") : fields)),
  ],
  "takes-text-for-success": [
    "RESULT-027",
    outcome((fields) => ({ ...fields, success: fields["success"] === true || fields["success"] === "true" })),
  ],
  "loses-errors": ["RESULT-023", outcome((fields) => without(fields, "error"))],
  "errors-are-failures": [
    "RESULT-023",
    outcome((fields) => (fields["error"] === undefined ? fields : { ...fields, success: false })),
    { cases: ["results.success-with-error"] },
  ],
  "demands-an-error": [
    "RESULT-024",
    outcome((fields) => (fields["error"] === undefined ? { ...fields, success: true } : fields)),
  ],
  "success-by-default": ["RESULT-025", outcome((fields) => ({ success: true, ...fields }))],
  "refuses-objects": ["RESULT-026", outcome((fields) => (isObject(fields["result"]) ? {} : fields))],
});

const links: readonly Mutant[] = broken({
  "ignores-pings": ["LINK-002", { pong: () => undefined }],
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "takes-small-messages": ["LINK-003", { maxBytes: 1024 * 1024 }, { cases: ["link.big"] }],
  "takes-every-message": ["LINK-004", { maxBytes: 64 * 1024 * 1024 }],
  "demands-uuids": [
    "LINK-020",
    {
      rejects: (query) =>
        query.get("sessionId") === "test-123" ? "INVALID_SESSION: no UUID" : rightBackend.rejects(query),
    },
  ],
  ...each(["sessionId", "projectKey"], (name) => ({
    [`needs-no-${name}`]: [
      "LINK-021",
      { rejects: (query) => (query.get(name) ? rightBackend.rejects(query) : undefined) },
    ],
  })),
  "serves-every-page": ["LINK-022", { refuses: (url) => rightBackend.refuses(url, undefined) }],
  "waits-for-the-lost": ["LINK-023", { lost: () => [] }, { collateral: ["LINK-024"] }],
  // Cases that run at the same time end their connections, too; they have no such call.
  "loses-all-calls": [
    "LINK-024",
    { lost: (site, pending) => pending.filter((one) => one.site === site || one.tool === "call_chain") },
    { cases: ["link.lost-dropped"] },
  ],
});

/** Backends that are as right as the reference in a way of their own: nothing may be held against them. */
const variants: readonly Mutant[] = [
  ...benignTexts("sman.backend"),
  ...benign({
    "more-fields": sent((message) => ({
      ...message,
      timestamp: 1,
      params: { ...paramsOf(message), sessionId: "a", projectPath: "/a" },
    })),
    greets: { outgoing: (message) => [{ type: "PONG", data: { timestamp: 1 } }, message] },
    "other-ids": () => {
      let count = 0;
      return patch({ callId: () => `漢 ${++count}` });
    },
    "logs-more": {
      strayLog: (id) => ["a line", ...rightBackend.strayLog(id).map((line) => `2026-01-06 WARN ${line} (late)`)],
    },
    "refuses-results-without-success": {
      problem: ({ success }) => (success === undefined ? "the result has no success" : undefined),
    },
    "names-the-session": { siteId: () => `session of ${Math.random()}` },
  }),
];

/** Backends that make something wrong of results, or of connections. */
export const resultMutants: readonly Mutant[] = [...matches, ...results, ...links, ...variants];
