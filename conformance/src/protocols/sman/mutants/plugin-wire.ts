import { benignTexts } from "../../../packs/benign.js";
import { isObject } from "@editwire/core";
import { fits } from "../../../core/talk/judge.js";
import type { Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { accept } from "../accept.js";
import { fieldsOf } from "../plugin-role.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { table } from "../table.js";
import { answered, benign, broken, each, diesOf, given, patch, shown } from "./plugin-patch.js";

const one = ["calls.parallel"];
const failing = ["read.missing", "fails.grep_file-pattern-missing"];

const frames: readonly Mutant[] = broken({
  "binary-frames": [
    "FRAME-001",
    { encode: (message) => Buffer.from(JSON.stringify(message)) },
    { collateral: ["RESULT-007"], cases: one },
  ],
  "types-by-another-name": [
    "FRAME-003",
    { outgoing: (message) => [{ ...message, type: "RESULT" }] },
    { collateral: ["RESULT-007"], cases: one },
  ],
  "returns-calls": [
    "FRAME-004",
    {
      outgoing: (message) => [
        { type: "TOOL_CALL", toolCallId: "of-the-plugin", ...fieldsOf("read_file", {}) },
        message,
      ],
    },
    { cases: one },
  ],
  "dies-of-text": ["ROBUST-001", diesOf("no-json")],
  "dies-of-binary-frames": ["ROBUST-001", diesOf("binary"), { cases: ["robust.frame-binary"] }],
  "dies-of-lists": ["ROBUST-001", diesOf("no-object"), { cases: ["robust.frame-list"] }],
  "dies-of-unknown-types": ["ROBUST-002", diesOf("unknown-type")],
  "dies-of-wrong-calls": ["ROBUST-003", diesOf("bad-call")],
  "dies-of-calls-without-id": ["ROBUST-003", diesOf("no-id"), { cases: ["wrong.grep-file.toolCallId-missing"] }],
  "dies-of-more-fields": ["ROBUST-004", diesOf("more-fields")],
});

const links: readonly Mutant[] = broken({
  ...each(["sessionId", "projectKey"], (name) => ({
    [`dials-without-${name}`]: ["LINK-001", { url: (url) => url.replace(name, "other") }, { cases: ["link.dial"] }],
  })),
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "dies-of-pings": ["LINK-002", diesOf("ping")],
  "takes-small-messages": ["LINK-003", { maxLength: 1024 * 1024 }, { cases: ["link.big"] }],
  "takes-every-message": ["LINK-004", { maxLength: 64 * 1024 * 1024 }],
  "answers-on-the-next-connection": [
    "LINK-005",
    {
      keepsCalls: true,
      schedule: (work, { tool }) => void (tool !== "call_chain" && setImmediate(work)),
    },
  ],
});

const results: readonly Mutant[] = broken({
  "fields-at-the-root": [
    "RESULT-001",
    { outgoing: ({ type, data }) => [{ type, ...(data as object) }] },
    { collateral: ["RESULT-007"], cases: one },
  ],
  "ids-of-nobody": [
    "RESULT-002",
    { answerId: (id) => `${String(id)}-done` },
    { collateral: ["RESULT-007"], cases: one },
  ],
  "answers-twice": ["RESULT-003", { outgoing: (message) => [message, message] }, { cases: one }],
  "failures-with-empty-errors": [
    ["RESULT-004", "FAIL-005"],
    answered((data) => (data["success"] === false ? { ...data, error: "" } : data)),
    { collateral: ["READ-008", "FAIL-002"], cases: failing },
  ],
  "successes-with-errors": ["RESULT-010", answered((data) => ({ error: "none", ...data })), { cases: one }],
  "times-of-day": [
    "RESULT-009",
    answered((data) => ({ ...data, executionTime: Date.UTC(2026, 0, 6) })),
    { cases: one },
  ],
  "time-runs-backwards": ["RESULT-005", answered((data) => ({ ...data, executionTime: -1 })), { cases: one }],
  "ascii-ids": [
    "RESULT-006",
    { answerId: (id) => (typeof id === "string" ? id.replace(/[^ -~]/g, "?") : rightPlugin.answerId(id)) },
    { collateral: ["RESULT-002", "RESULT-003"] },
  ],
  "results-of-other-calls": [
    "RESULT-007",
    given("read_file", (params) => (params["start_line"] === 7 ? { ...params, start_line: 8, end_line: 8 } : params)),
    { cases: one },
  ],
  "sends-everything": ["RESULT-008", { fitting: (text) => text }],
});

/** Results that lack a field that they must have, or have one of another type. */
const forms: readonly Mutant[] = (
  [
    [{ success: true, result: "text", executionTime: 3 }, one, ["RESULT-007"]],
    [{ success: false, error: "text" }, failing, ["READ-008", "RESULT-004"]],
  ] as const
).flatMap(([sample, cases, collateral]) =>
  breakages((result) => fits(table, "TOOL_CALL", "result", accept("TOOL_CALL", "result", result)) === true, sample)
    .filter(({ structured }) => structured)
    .flatMap(({ name, apply }) =>
      broken({
        [`wire-${sample.success ? "success" : "failure"}-${name}`]: [
          "SCHEMA-TOOL_CALL:result",
          answered(({ toolCallId, ...result }) => ({ toolCallId, ...(apply(result) as object) })),
          { cases, collateral },
        ],
      }),
    ),
);

/** Whether a call could be executed. */
const isComplete = (tool: unknown, params: unknown): boolean =>
  rightPlugin.refusal({ id: "", tool, params, message: {} }) === undefined;

const calls: readonly Mutant[] = broken({
  "demands-a-session": [
    "CALL-020",
    {
      refusal: (call) =>
        call.message["webSocketSessionId"] === undefined ? "webSocketSessionId" : rightPlugin.refusal(call),
    },
  ],
  "reads-data-first": [
    "CALL-021",
    patch({
      call: (message) => rightPlugin.call({ ...message, ...(isObject(message["data"]) && { ...message["data"] }) }),
    }),
    { collateral: ["RESULT-002"] },
  ],
  "executes-twice": ["CALL-022", { again: () => undefined }, { collateral: ["RESULT-003"] }],
  ...each(["pattern", "relativePath", "method", "replaceContent", "toolName", "params"] as const, (name) => ({
    [`succeeds-without-${name}`]: [
      "FAIL-001",
      {
        refusal: (call) => {
          const refusal = rightPlugin.refusal(call);
          return refusal?.endsWith(name) === true ? undefined : refusal;
        },
        run: (tool, files, params) => (isComplete(tool, params) ? rightPlugin.run(tool, files, params) : "done"),
      },
      { collateral: ["FAIL-002", "FAIL-003"], cases: [`fails.*${name}-missing`] },
    ],
  })),
  "vague-errors": ["FAIL-002", { refusal: (call) => rightPlugin.refusal(call) && "no" }],
  "succeeds-with-every-tool": [
    "FAIL-003",
    {
      refusal: (call) =>
        String(rightPlugin.refusal(call)).startsWith("不支持的工具") ? undefined : rightPlugin.refusal(call),
      run: (tool, files, params) => (tool.includes("_file") ? rightPlugin.run(tool, files, params) : "done"),
    },
    { collateral: ["FAIL-002"] },
  ],
  "silent-about-tools": [
    "FAIL-003",
    {
      outgoing: (message) =>
        String((message["data"] as { error?: unknown }).error).startsWith("不支持的工具") ? [] : [message],
    },
    { collateral: ["FAIL-002"], cases: ["fails.unknown-tool-1"] },
  ],
  "executes-calls-without-id": [
    "FAIL-004",
    patch({
      call: (message) => rightPlugin.call({ ...message, toolCallId: message["toolCallId"] ?? "made-up" }),
      outgoing: (message) => ((message["data"] as { toolCallId?: unknown }).toolCallId === "made-up" ? [] : [message]),
    }),
  ],
});

/** Plugins that are as right as the reference in a way of their own: nothing may be held against them. */
const variants: readonly Mutant[] = [
  ...benignTexts("sman.plugin"),
  ...benign({
    form: {
      encode: (message) => `\n${JSON.stringify(message, null, 2)}\n`,
      outgoing: ({ data, ...message }) => [
        { data: { "x-vendor": [1], toolName: "a", ...(data as object) }, timestamp: 1, ...message },
      ],
    },
    "both-texts": answered((data) => ({ result: data["error"], executionTime: 0.25, ...data })),
    nulls: answered((data) => ({ result: null, error: null, executionTime: null, ...data })),
    json: answered((data) =>
      typeof data["result"] === "string" ? { ...data, result: JSON.stringify({ content: data["result"] }) } : data,
    ),
    shuffled: { schedule: (work, { tool }) => void setTimeout(work, tool === "read_file" ? 4 : 1) },
    "chats-first": () => {
      let isFirst = true;
      return patch({
        outgoing(message) {
          const before = isFirst ? [{ type: "AGENT_CHAT", data: { message: "Hello" } }] : [];
          isFirst = false;
          return [...before, message];
        },
      });
    },
    careful: {
      again: () => ({ success: false, error: "duplicate toolCallId" }),
      outgoing: (message) => ((message["data"] as { toolCallId?: unknown }).toolCallId === "" ? [] : [message]),
    },
    "invents-ids": answered((data) => (data["toolCallId"] === "" ? { ...data, toolCallId: "unknown" } : data)),
    "absolute-paths-below-the-project": given("apply_change", ({ relativePath, ...others }) => ({
      ...others,
      relativePath: typeof relativePath === "string" ? relativePath.replace(/^\/+/, "") : relativePath,
    })),
    "more-words": shown("grep_file", (text) => `搜索完成\n\n${text}\n\n> end`),
  }),
];

/** Plugins that are wrong about messages. */
export const wireMutants: readonly Mutant[] = [...frames, ...links, ...results, ...forms, ...calls, ...variants];
