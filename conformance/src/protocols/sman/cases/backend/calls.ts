import { isObject } from "@editwire/core";
import { smanToolDefaults } from "@editwire/sman-schema";
import type { Case } from "../../../../core/run/case.js";
import { ExpectationError } from "../../../../core/errors.js";
import { defineCases, type BackendCall, type BackendContext } from "../../backend-role.js";
import { projectKey, type ToolName, toolNames, tools } from "../../samples.js";

const COUNT = 50;
const QUIET_MS = 150;

/** Several calls of one tool at once. */
async function many(t: BackendContext, count = COUNT): Promise<readonly BackendCall[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => t.call("grep_file", { pattern: `word ${index}` })));
}

/** Calls whose params a backend may not change, whatever they look like. */
const verbatim: readonly (readonly [tool: ToolName, params: Readonly<Record<string, unknown>>])[] = [
  ["apply_change", { relativePath: " a b.txt", searchContent: "\t int a; \r\n", replaceContent: "" }],
  ["grep_file", { pattern: '<a> && (b|c)*[0-9]+.? \\d "$1"', regex: false }],
];

/** How a backend calls. */
export const callCases: readonly Case[] = [
  ...defineCases({
    ...defineCases.each(toolNames, (tool) => ({
      [`calls.${tool}`]: {
        title: `${tool} is called with the params that were given, and with those of the connection`,
        emits: ["SMAN-CALL-006", "SMAN-CALL-007", "SMAN-SCHEMA-TOOL_CALL:params"],
        async run(t) {
          const { params } = tools[tool];
          const { ask, done } = await t.require("SMAN-CALL-006", t.call(tool, params));
          const sent = isObject(ask.params["params"]) ? ask.params["params"] : {};
          const wrong = Object.entries(params).filter(([name, value]) => sent[name] !== value);
          t.check("SMAN-CALL-006", wrong.length === 0, { expected: params, actual: sent });
          const { webSocketSessionId } = ask.params;
          const isRight = sent["projectKey"] === projectKey && sent["webSocketSessionId"] === webSocketSessionId;
          t.check("SMAN-CALL-007", isRight, { expected: { projectKey, webSocketSessionId }, actual: sent });
          t.pass("SMAN-SCHEMA-TOOL_CALL:params");
          t.succeed(ask);
          await done;
        },
      },
    })),
    "calls.verbatim": {
      title: "texts are sent as they were given: spaces at their ends, line ends, nothing at all",
      emits: ["SMAN-CALL-006"],
      async run(t) {
        for (const [tool, params] of verbatim) {
          const { ask, done } = await t.require("SMAN-CALL-006", t.call(tool, params));
          const sent = isObject(ask.params["params"]) ? ask.params["params"] : {};
          const wrong = Object.entries(params).filter(([name, value]) => sent[name] !== value);
          t.check("SMAN-CALL-006", wrong.length === 0, { message: tool, expected: params, actual: sent });
          t.succeed(ask);
          await done;
        }
      },
    },
    "calls.defaults": {
      title: "what was not given is left out, or has its default",
      emits: ["SMAN-CALL-006"],
      async run(t) {
        for (const tool of toolNames) {
          const { required, params } = tools[tool];
          const given = Object.fromEntries(required.map((name) => [name, (params as Record<string, unknown>)[name]]));
          const { ask, done } = await t.require("SMAN-CALL-006", t.call(tool, given));
          const sent = isObject(ask.params["params"]) ? ask.params["params"] : {};
          const expected: Readonly<Record<string, unknown>> = smanToolDefaults[tool];
          const wrong = Object.keys(expected).filter((name) => (sent[name] ?? expected[name]) !== expected[name]);
          t.check("SMAN-CALL-006", wrong.length === 0, { message: tool, expected, actual: sent });
          t.succeed(ask);
          await done;
        }
      },
    },
    "calls.unique": {
      title: `${COUNT} concurrent calls of one tool have different ids, even on two connections`,
      emits: ["SMAN-CALL-004"],
      async run(t) {
        const other = await t.connect();
        const [here, there] = await Promise.all([many(t), t.call("grep_file", { pattern: "there" }, { on: other })]);
        const ids = new Set([...here, there].map(({ ask }) => ask.id));
        t.check("SMAN-CALL-004", ids.size === COUNT + 1, { expected: `${COUNT + 1} ids`, actual: [...ids] });
        for (const { ask } of here) t.succeed(ask);
        other.reply(there.ask, { success: true, result: "there" });
        await Promise.all([...here, there].map(({ done }) => done));
      },
    },
    "calls.sessions": {
      title: "two connections have separate sessions",
      emits: ["SMAN-CALL-008"],
      async run(t) {
        const other = await t.connect();
        const sessions = [];
        for (const on of [t, other, t]) {
          const called = t.call("read_file", { relativePath: "a" }, { on });
          const { ask, done } = await t.require("SMAN-CALL-008", called);
          sessions.push(ask.params["webSocketSessionId"]);
          on.reply(ask, { success: true, result: "" });
          await done;
        }
        t.check("SMAN-CALL-008", sessions[0] !== sessions[1] && sessions[0] === sessions[2], {
          expected: "one session for each connection",
          actual: sessions,
        });
      },
    },
  }),
  ...toolNames.flatMap((tool) =>
    tools[tool].required.flatMap((name) =>
      defineCases({
        [`calls.${tool}-without-${name}`]: {
          title: `a call of ${tool} without ${name} is rejected, and nothing is sent`,
          emits: ["SMAN-CALL-009"],
          async run(t) {
            const { [name]: _, ...params } = tools[tool].params as Record<string, unknown>;
            const sent = t.expect.message({ type: "TOOL_CALL" }).then((message) => message);
            const what = await Promise.race([endOf(t.order(tool, params)), sent]);
            t.check("SMAN-CALL-009", what === "failed", { expected: "an error, and no message", actual: what });
            await t.require("SMAN-CALL-009", t.quiet(QUIET_MS, { method: "TOOL_CALL" }));
          },
        },
      }),
    ),
  ),
];

/** Checks that the backend has logged a line. */
async function logs(t: BackendContext, expected: string): Promise<void> {
  const lines = await t.logs(expected);
  const isThere = lines.some((one) => one.includes(expected));
  t.check("SMAN-MATCH-004", isThere, { expected, actual: lines.slice(-5) });
}

/** Which call a result is for. */
export const matchCases: readonly Case[] = defineCases({
  "match.shuffled": {
    title: "50 calls settle in any order, each with its own result",
    emits: ["SMAN-MATCH-001"],
    async run(t) {
      const calls = await many(t);
      const shuffled = [...calls].sort(() => t.random() - 0.5);
      for (const { ask } of shuffled) t.succeed(ask, `result of ${String(ask.id)}`);
      for (const { ask, done } of calls) {
        const { result } = await t.require("SMAN-MATCH-001", done);
        const expected = `result of ${String(ask.id)}`;
        t.check("SMAN-MATCH-001", result === expected, { expected, actual: result });
      }
    },
  },
  "match.one-of-two": {
    title: "of two running calls, the later one is answered and the other one continues",
    emits: ["SMAN-MATCH-001"],
    smoke: true,
    async run(t) {
      const [first, second] = [
        await t.call("grep_file", { pattern: "1" }),
        await t.call("grep_file", { pattern: "2" }),
      ];
      t.succeed(second.ask, "two");
      const { result: two } = await t.require("SMAN-MATCH-001", second.done);
      t.succeed(first.ask, "one");
      const { result: one } = await t.require("SMAN-MATCH-001", first.done);
      t.check("SMAN-MATCH-001", one === "one" && two === "two", { expected: "one and two", actual: [one, two] });
    },
  },
  "match.data": {
    title: "the toolCallId in data is used, not the one at the root",
    emits: ["SMAN-MATCH-002"],
    async run(t) {
      const calls = [await t.call("grep_file", { pattern: "1" }), await t.call("grep_file", { pattern: "2" })] as const;
      const [first, second] = calls;
      const data = { toolCallId: second.ask.id, success: true, result: "second" };
      t.send.invalid({ type: "TOOL_RESULT", toolCallId: first.ask.id, data });
      const { result } = await t.require("SMAN-MATCH-002", second.done);
      t.check("SMAN-MATCH-002", result === "second", { expected: "second", actual: result });
      t.succeed(first.ask, "first");
      const { result: other } = await t.require("SMAN-MATCH-002", first.done);
      t.check("SMAN-MATCH-002", other === "first", { expected: "first", actual: other });
    },
  },
  "match.type": {
    title: "a message of another type settles no call",
    emits: ["SMAN-MATCH-009"],
    async run(t) {
      const { ask, done } = await t.call("grep_file", { pattern: "1" });
      t.send.invalid({ type: "TOOL_PROGRESS", data: { toolCallId: ask.id, success: true, result: "half" } });
      await t.allRead();
      t.succeed(ask, "mine");
      const { result } = await t.require("SMAN-MATCH-009", done);
      t.check("SMAN-MATCH-009", result === "mine", { expected: "mine", actual: result });
    },
  },
  "match.success": {
    title: "success in data is used, not the one at the root",
    emits: ["SMAN-MATCH-010"],
    async run(t) {
      const { ask, done } = await t.call("grep_file", { pattern: "1" });
      const data = { toolCallId: ask.id, success: true, result: "mine" };
      t.send.invalid({ type: "TOOL_RESULT", success: false, result: "root", error: "root", data });
      const outcome = await t.require("SMAN-MATCH-010", done);
      t.check("SMAN-MATCH-010", outcome.success === true && outcome.result === "mine", {
        expected: data,
        actual: outcome,
      });
    },
  },
  "match.unknown": {
    title: "a result with an unknown id settles no call, and is not answered",
    emits: ["SMAN-MATCH-003", "SMAN-MATCH-008"],
    async run(t) {
      const { ask, done } = await t.call("grep_file", { pattern: "1" });
      const id = String(ask.id);
      const before = t.now();
      for (const toolCallId of ["nobody", id.toUpperCase(), `${id} `, id.slice(0, -1), `${id}0`]) {
        if (toolCallId !== id)
          t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId, success: true, result: "x" } });
      }
      await t.allRead();
      const replies = t.rest().filter(({ at }) => at > before);
      t.check("SMAN-MATCH-008", replies.length === 0, { expected: "no reply", actual: replies });
      t.succeed(ask, "mine");
      const { result } = await t.require("SMAN-MATCH-003", done);
      t.check("SMAN-MATCH-003", result === "mine", { expected: "mine", actual: result });
    },
  },
  "match.logged": {
    title: "a result with an unknown id is logged in the words of the specification",
    emits: ["SMAN-MATCH-004"],
    async run(t) {
      const id = `nobody-${String(t.socket.id)}-漢`;
      t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: id, success: true, result: "x" } });
      await logs(t, `⚠️ 未找到对应的工具调用: toolCallId=${id}`);
    },
  },
  ...defineCases.each(["second", "late"], (name) => ({
    [`match.logged-${name}`]: {
      title: `a ${name} result of a call is logged, because no call waits for it`,
      emits: ["SMAN-MATCH-004"],
      async run(t) {
        const { ask, done } = await t.call("grep_file", { pattern: "1" }, name === "late" ? { timeoutMs: 100 } : {});
        if (name === "second") t.succeed(ask);
        const ending = await endOf(done);
        if (ending === "nothing") t.blocked("the call did not end");
        t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, success: true, result: "again" } });
        await logs(t, `⚠️ 未找到对应的工具调用: toolCallId=${String(ask.id)}`);
      },
    },
  })),
  "match.twice": {
    title: "a second result of a call is ignored",
    emits: ["SMAN-MATCH-005"],
    async run(t) {
      const [first, second] = [
        await t.call("grep_file", { pattern: "1" }),
        await t.call("grep_file", { pattern: "2" }),
      ];
      t.succeed(first.ask, "one");
      t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: first.ask.id, success: false, error: "again" } });
      const outcome = await t.require("SMAN-MATCH-005", first.done);
      t.check("SMAN-MATCH-005", outcome.success === true && outcome.result === "one", {
        expected: "the first result",
        actual: outcome,
      });
      await t.allRead();
      t.succeed(second.ask, "two");
      const { result } = await t.require("SMAN-MATCH-005", second.done);
      t.check("SMAN-MATCH-005", result === "two", { expected: "two", actual: result });
    },
  },
  "match.elsewhere": {
    title: "a result from another connection settles no call",
    emits: ["SMAN-MATCH-006"],
    async run(t) {
      const other = await t.connect();
      const { ask, done } = await t.call("grep_file", { pattern: "1" });
      other.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, success: true, result: "theirs" } });
      await t.allRead(other);
      t.succeed(ask, "mine");
      const { result } = await t.require("SMAN-MATCH-006", done);
      t.check("SMAN-MATCH-006", result === "mine", { expected: "mine", actual: result });
    },
  },
  "match.late": {
    title: "a call without a result fails after its time, and a late result settles nothing",
    emits: ["SMAN-MATCH-007", "SMAN-MATCH-005"],
    async run(t) {
      const { ask, done } = await t.call("grep_file", { pattern: "1" }, { timeoutMs: 100 });
      const ending = await endOf(done);
      t.check("SMAN-MATCH-007", ending === "failed", { expected: "a failure after 100 ms", actual: ending });
      t.succeed(ask, "too late");
      await t.require("SMAN-MATCH-005", t.works());
    },
  },
});

/** How a call ended, whose result never comes. */
export async function endOf(done: Promise<unknown>): Promise<unknown> {
  try {
    return await done;
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    // That the wait for it was given up says nothing about the backend: then the call did not end.
    return error.miss === "timeout" ? "nothing" : "failed";
  }
}
