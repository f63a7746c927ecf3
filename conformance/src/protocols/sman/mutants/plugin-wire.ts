import { benignTexts } from "../../../packs/benign.js";
import { isObject } from "@editwire/core";
import { fits } from "../../../core/judge.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { accept } from "../accept.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { table } from "../table.js";
import { answered, diesOf, given, patch, shown, without } from "./plugin-patch.js";

const one = ["sman.plugin.calls.parallel"];
const failing = ["sman.plugin.read.missing"];
const schema = "SMAN-SCHEMA-TOOL_CALL:result";

const frames: readonly Mutant[] = [
  mutant("sman.plugin/lists-of-messages", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-RESULT-007", "SMAN-GREP-001"],
    cases: one,
    patch: patch({ encode: (message) => JSON.stringify([message]) }),
  }),
  mutant("sman.plugin/binary-frames", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-RESULT-007"],
    cases: one,
    patch: patch({ encode: (message) => Buffer.from(JSON.stringify(message)) }),
  }),
  mutant("sman.plugin/two-messages-in-a-frame", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-RESULT-007"],
    cases: one,
    patch: patch({ encode: (message) => JSON.stringify(message).repeat(2) }),
  }),
  mutant("sman.plugin/no-type", {
    violates: ["SMAN-FRAME-003"],
    collateral: ["SMAN-RESULT-007"],
    cases: one,
    patch: patch({ outgoing: (message) => [without(message, "type")] }),
  }),
  mutant("sman.plugin/dies-of-text", { violates: ["SMAN-ROBUST-001"], patch: diesOf("no-json") }),
  mutant("sman.plugin/dies-of-binary-frames", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.plugin.robust.frame-binary"],
    patch: diesOf("binary"),
  }),
  mutant("sman.plugin/dies-of-lists", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.plugin.robust.frame-list"],
    patch: diesOf("no-object"),
  }),
  mutant("sman.plugin/dies-of-unknown-types", { violates: ["SMAN-ROBUST-002"], patch: diesOf("unknown-type") }),
  mutant("sman.plugin/dies-of-wrong-calls", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.plugin.wrong.*"],
    patch: diesOf("bad-call"),
  }),
  mutant("sman.plugin/dies-of-calls-without-id", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.plugin.wrong.grep-file.toolCallId-missing"],
    patch: diesOf("no-id"),
  }),
  mutant("sman.plugin/dies-of-more-fields", {
    violates: ["SMAN-ROBUST-004"],
    cases: ["sman.plugin.robust.more-*"],
    patch: diesOf("more-fields"),
  }),
  mutant("sman.plugin/refuses-unknown-params", {
    violates: ["SMAN-ROBUST-004"],
    cases: ["sman.plugin.robust.more-*"],
    patch: patch({
      schedule(work, { params }) {
        if (!isObject(params) || !("x-vendor" in params)) setImmediate(work);
      },
    }),
  }),
];

const links: readonly Mutant[] = [
  mutant("sman.plugin/dials-another-path", {
    violates: ["SMAN-LINK-001"],
    cases: ["sman.plugin.link.dial"],
    patch: patch({ url: (url) => url.replace("/ws/agent/chat", "/ws/agent") }),
  }),
  ...["sessionId", "projectKey"].map((name) =>
    mutant(`sman.plugin/dials-without-${name}`, {
      violates: ["SMAN-LINK-001"],
      cases: ["sman.plugin.link.dial"],
      patch: patch({ url: (url) => url.replace(name, "other") }),
    }),
  ),
  mutant("sman.plugin/ignores-pings", {
    violates: ["SMAN-LINK-002"],
    cases: ["sman.plugin.link.ping"],
    patch: patch({ answersPings: false }),
  }),
  mutant("sman.plugin/dies-of-pings", {
    violates: ["SMAN-LINK-002"],
    cases: ["sman.plugin.link.ping"],
    patch: diesOf("ping"),
  }),
  mutant("sman.plugin/takes-small-messages", {
    violates: ["SMAN-LINK-003"],
    cases: ["sman.plugin.link.big"],
    patch: patch({ maxLength: 1024 * 1024 }),
  }),
  mutant("sman.plugin/takes-every-message", {
    violates: ["SMAN-LINK-004"],
    patch: patch({ maxLength: 64 * 1024 * 1024 }),
  }),
  mutant("sman.plugin/answers-on-the-next-connection", {
    violates: ["SMAN-LINK-005"],
    patch: patch({
      keepsCalls: true,
      schedule: (work, { tool }) => void (tool !== "call_chain" && setImmediate(work)),
    }),
  }),
];

const results: readonly Mutant[] = [
  mutant("sman.plugin/fields-at-the-root", {
    violates: ["SMAN-RESULT-001"],
    collateral: ["SMAN-RESULT-007"],
    cases: one,
    patch: patch({ outgoing: ({ type, data }) => [{ type, ...(data as object) }] }),
  }),
  mutant("sman.plugin/id-at-the-root-too", {
    violates: ["SMAN-RESULT-001"],
    cases: one,
    patch: patch({
      outgoing: (message) => [{ ...message, toolCallId: (message["data"] as { toolCallId: unknown }).toolCallId }],
    }),
  }),
  mutant("sman.plugin/id-at-the-root-alone", {
    violates: ["SMAN-RESULT-001"],
    collateral: ["SMAN-RESULT-002", "SMAN-RESULT-007"],
    cases: one,
    patch: patch({
      outgoing({ type, data }) {
        const { toolCallId, ...rest } = data as { toolCallId: unknown };
        return [{ type, toolCallId, data: rest }];
      },
    }),
  }),
  mutant("sman.plugin/ids-of-nobody", {
    violates: ["SMAN-RESULT-002"],
    collateral: ["SMAN-RESULT-007"],
    cases: one,
    patch: patch({ answerId: (id) => `${String(id)}-done` }),
  }),
  mutant("sman.plugin/answers-twice", {
    violates: ["SMAN-RESULT-003"],
    cases: one,
    patch: patch({ outgoing: (message) => [message, message] }),
  }),
  mutant("sman.plugin/failures-without-error", {
    violates: ["SMAN-RESULT-004"],
    collateral: ["SMAN-READ-008"],
    cases: failing,
    patch: answered((data) => without(data, "error")),
  }),
  mutant("sman.plugin/failures-with-empty-errors", {
    violates: ["SMAN-RESULT-004"],
    collateral: ["SMAN-READ-008"],
    cases: failing,
    patch: answered((data) => (data["success"] === false ? { ...data, error: "" } : data)),
  }),
  mutant("sman.plugin/time-runs-backwards", {
    violates: ["SMAN-RESULT-005"],
    cases: one,
    patch: answered((data) => ({ ...data, executionTime: -1 })),
  }),
  ...(
    [
      ["trims-ids", (id: string) => id.trim() || "none"],
      ["lower-case-ids", (id: string) => id.toLowerCase()],
      ["short-ids", (id: string) => id.slice(0, 64)],
      ["numeric-ids", (id: string) => (/^\d+$/.test(id) ? Number(id) : id)],
      ["ascii-ids", (id: string) => id.replace(/[^ -~]/g, "?")],
    ] as const
  ).map(([name, change]) =>
    mutant(`sman.plugin/${name}`, {
      violates: ["SMAN-RESULT-006"],
      collateral: ["SMAN-RESULT-002", "SMAN-RESULT-003"],
      cases: ["sman.plugin.calls.ids"],
      patch: patch({ answerId: (id) => (typeof id === "string" ? change(id) : rightPlugin.answerId(id)) }),
    }),
  ),
  mutant("sman.plugin/first-ids-only", {
    violates: ["SMAN-RESULT-007"],
    cases: one,
    patch() {
      let count = 0;
      return patch({ schedule: (work) => void (++count % 30 < 20 && setImmediate(work)) });
    },
  }),
  mutant("sman.plugin/results-of-other-calls", {
    violates: ["SMAN-RESULT-007"],
    cases: one,
    patch: given("read_file", (params) =>
      params["start_line"] === 7 ? { ...params, start_line: 8, end_line: 8 } : params,
    ),
  }),
  mutant("sman.plugin/sends-everything", {
    violates: ["SMAN-RESULT-008"],
    patch: patch({ fitting: (text) => text }),
  }),
];

/** Results that lack a field that they must have, or have one of another type. */
const forms: readonly Mutant[] = (
  [
    [{ success: true, result: "text", executionTime: 3 }, one, ["SMAN-RESULT-007"]],
    [{ success: false, error: "text" }, failing, ["SMAN-READ-008", "SMAN-RESULT-004"]],
  ] as const
).flatMap(([sample, cases, collateral]) =>
  breakages((result) => fits(table, "TOOL_CALL", "result", accept("TOOL_CALL", "result", result)) === true, sample)
    .filter(({ structured }) => structured)
    .map(({ name, apply }) =>
      mutant(`sman.plugin/wire-${sample.success ? "success" : "failure"}-${name}`, {
        violates: [schema],
        cases,
        collateral,
        patch: answered(({ toolCallId, ...result }) => ({ toolCallId, ...(apply(result) as object) })),
      }),
    ),
);

/** Whether a call could be executed. */
const isComplete = (tool: unknown, params: unknown): boolean =>
  rightPlugin.refusal({ id: "", tool, params, message: {} }) === undefined;

const calls: readonly Mutant[] = [
  mutant("sman.plugin/demands-a-session", {
    violates: ["SMAN-CALL-020"],
    patch: patch({
      refusal: (call) =>
        call.message["webSocketSessionId"] === undefined ? "webSocketSessionId" : rightPlugin.refusal(call),
    }),
  }),
  mutant("sman.plugin/reads-data-first", {
    violates: ["SMAN-CALL-021"],
    collateral: ["SMAN-RESULT-002"],
    patch: patch({
      call: (message) => rightPlugin.call({ ...message, ...(isObject(message["data"]) && { ...message["data"] }) }),
    }),
  }),
  mutant("sman.plugin/reads-data-too", {
    violates: ["SMAN-CALL-021"],
    patch: patch({
      call: (message) => rightPlugin.call({ ...(isObject(message["data"]) && message["data"]), ...message }),
    }),
  }),
  mutant("sman.plugin/executes-twice", {
    violates: ["SMAN-CALL-022"],
    collateral: ["SMAN-RESULT-003"],
    patch: patch({ again: () => undefined }),
  }),
  mutant("sman.plugin/silent-about-missing-params", {
    violates: ["SMAN-FAIL-001"],
    cases: ["sman.plugin.fails.grep_file-pattern-missing"],
    patch: patch({
      refusal: (call) => (rightPlugin.refusal(call) === undefined ? undefined : "no"),
      outgoing: (message) => ((message["data"] as { error?: unknown }).error === "no" ? [] : [message]),
    }),
  }),
  ...(["pattern", "relativePath", "method", "replaceContent", "toolName", "params"] as const).map((name) =>
    mutant(`sman.plugin/succeeds-without-${name}`, {
      violates: ["SMAN-FAIL-001"],
      collateral: ["SMAN-FAIL-002", "SMAN-FAIL-003"],
      cases: [`sman.plugin.fails.*${name}-missing`],
      patch: patch({
        refusal: (call) => {
          const refusal = rightPlugin.refusal(call);
          return refusal?.endsWith(name) === true ? undefined : refusal;
        },
        run: (tool, files, params) => (isComplete(tool, params) ? rightPlugin.run(tool, files, params) : "done"),
      }),
    }),
  ),
  mutant("sman.plugin/vague-errors", {
    violates: ["SMAN-FAIL-002"],
    cases: ["sman.plugin.fails.*"],
    patch: patch({ refusal: (call) => rightPlugin.refusal(call) && "no" }),
  }),
  mutant("sman.plugin/vague-about-tools", {
    violates: ["SMAN-FAIL-002"],
    cases: ["sman.plugin.fails.unknown-tool-1"],
    patch: patch({
      refusal: (call) => {
        const refusal = rightPlugin.refusal(call);
        return refusal?.startsWith("不支持的工具") === true ? "不支持的工具" : refusal;
      },
    }),
  }),
  mutant("sman.plugin/succeeds-with-every-tool", {
    violates: ["SMAN-FAIL-003"],
    collateral: ["SMAN-FAIL-002"],
    cases: ["sman.plugin.fails.unknown-tool-*"],
    patch: patch({
      refusal: (call) =>
        String(rightPlugin.refusal(call)).startsWith("不支持的工具") ? undefined : rightPlugin.refusal(call),
      run: (tool, files, params) => (tool.includes("_file") ? rightPlugin.run(tool, files, params) : "done"),
    }),
  }),
  mutant("sman.plugin/silent-about-tools", {
    violates: ["SMAN-FAIL-003"],
    collateral: ["SMAN-FAIL-002"],
    cases: ["sman.plugin.fails.unknown-tool-1"],
    patch: patch({
      outgoing: (message) =>
        String((message["data"] as { error?: unknown }).error).startsWith("不支持的工具") ? [] : [message],
    }),
  }),
  mutant("sman.plugin/executes-calls-without-id", {
    violates: ["SMAN-FAIL-004"],
    cases: ["sman.plugin.fails.id-missing"],
    patch: patch({
      call: (message) => rightPlugin.call({ ...message, toolCallId: message["toolCallId"] ?? "made-up" }),
      outgoing: (message) => ((message["data"] as { toolCallId?: unknown }).toolCallId === "made-up" ? [] : [message]),
    }),
  }),
];

/** Plugins that are as right as the reference in a way of their own: nothing may be held against them. */
const everything = { violates: [], cases: ["*"] } as const;
const benign: readonly Mutant[] = [
  ...benignTexts("sman.plugin"),
  mutant("sman.plugin/benign-form", {
    ...everything,
    patch: patch({
      encode: (message) => `\n${JSON.stringify(message, null, 2)}\n`,
      outgoing: ({ data, ...message }) => [
        { data: { "x-vendor": [1], toolName: "a", ...(data as object) }, timestamp: 1, ...message },
      ],
    }),
  }),
  mutant("sman.plugin/benign-both-texts", {
    ...everything,
    patch: answered((data) => ({ result: data["error"], executionTime: 0.25, ...data })),
  }),
  mutant("sman.plugin/benign-json", {
    ...everything,
    patch: answered((data) =>
      typeof data["result"] === "string" ? { ...data, result: JSON.stringify({ content: data["result"] }) } : data,
    ),
  }),
  mutant("sman.plugin/benign-shuffled", {
    ...everything,
    patch: patch({ schedule: (work, { tool }) => void setTimeout(work, tool === "read_file" ? 4 : 1) }),
  }),
  mutant("sman.plugin/benign-chats-first", {
    ...everything,
    patch() {
      let isFirst = true;
      return patch({
        outgoing(message) {
          const before = isFirst ? [{ type: "AGENT_CHAT", data: { message: "Hello" } }] : [];
          isFirst = false;
          return [...before, message];
        },
      });
    },
  }),
  mutant("sman.plugin/benign-careful", {
    ...everything,
    patch: patch({
      again: () => ({ success: false, error: "duplicate toolCallId" }),
      outgoing: (message) => ((message["data"] as { toolCallId?: unknown }).toolCallId === "" ? [] : [message]),
    }),
  }),
  mutant("sman.plugin/benign-more-words", {
    ...everything,
    patch: shown("grep_file", (text) => `搜索完成\n\n${text}\n\n> end`),
  }),
];

/** Plugins that are wrong about messages. */
export const wireMutants: readonly Mutant[] = [...frames, ...links, ...results, ...forms, ...calls, ...benign];
