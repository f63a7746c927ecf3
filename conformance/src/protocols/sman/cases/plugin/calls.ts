import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";
import { toolNames, tools } from "../../samples.js";

const file = { relativePath: "read/numbers.txt", start_line: 7, end_line: 7 };

/** Ids as backends may make them. */
const ids: Readonly<Record<string, string>> = {
  example: "grep_file-83742e07-1767686721056",
  digits: "77",
  "many digits": "123456789012345678901234567890",
  "upper case": "ABC-DEF",
  "upper case in lower": "abc-def",
  space: " ",
  "with spaces": " a  b ",
  "not in ASCII": "ü 漢 😀",
  "256 characters": "é\u0000\ud83d\ude80".padEnd(256, "x"),
  constructor: "constructor",
  proto: "__proto__",
};

/** Numbers of lines that differ, so that results show which call they are for. */
const COUNT = 30;

/** Ids, and several calls at a time. */
export const callCases: readonly Case[] = defineCases({
  "calls.ids": {
    title: "a result has the id of its call, of any kind",
    emits: ["SMAN-RESULT-006"],
    async run(t) {
      for (const [kind, id] of Object.entries(ids)) {
        const call = t.send.invalid(t.conversation.envelope.request(id, "TOOL_CALL", t.fields("read_file", file)));
        const { result } = await t.require("SMAN-RESULT-006", call.response());
        const isRead = JSON.stringify(result).includes("num-07");
        t.check("SMAN-RESULT-006", isRead, { message: `an id with ${kind}`, expected: "num-07", actual: result });
      }
    },
  },
  "calls.parallel": {
    title: `${COUNT} concurrent calls are answered, each with its own result`,
    emits: ["SMAN-RESULT-007"],
    smoke: true,
    async run(t) {
      const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
      const calls = numbers.map((line) =>
        t.call("read_file", { relativePath: "read/numbers.txt", start_line: line, end_line: line }),
      );
      for (const [index, call] of calls.entries()) {
        const { result } = await t.require("SMAN-RESULT-007", call.result({ success: true }));
        const wanted = `num-${String(index + 1).padStart(2, "0")}`;
        t.check("SMAN-RESULT-007", String(result).includes(wanted), { expected: wanted, actual: result });
      }
    },
  },
  "calls.all-tools": {
    title: "concurrent calls of every tool are answered",
    emits: ["SMAN-RESULT-007"],
    async run(t) {
      const relativePath = t.newFile("before\n");
      const calls = [
        t.call("apply_change", { relativePath, searchContent: "before", replaceContent: "after" }),
        t.call("call_chain", { method: "Shop.openShop" }),
        t.call("grep_file", { pattern: "straw" }),
        t.call("read_file", file),
      ];
      for (const call of calls) await t.require("SMAN-RESULT-007", call.result());
    },
  },
  "calls.manual-test": {
    title: "the call of the specification's manual test, which names no session, is executed",
    emits: ["SMAN-CALL-020"],
    async run(t) {
      const params = { pattern: "NEEDLE lies", projectKey: "conformance" };
      const message = { type: "TOOL_CALL", toolCallId: "test-001", toolName: "grep_file", params };
      await t.require("SMAN-CALL-020", t.send.invalid(message).result({ success: true, result: /row-05/ }));
    },
  },
  "calls.root": {
    title: "the fields of a call are read at the root, also when there is an object in data",
    emits: ["SMAN-CALL-021"],
    async run(t) {
      const right = t.conversation.envelope.request("at-the-root", "TOOL_CALL", t.fields("read_file", file));
      const other = { ...file, start_line: 9, end_line: 9 };
      const data = { toolCallId: "in-data", ...t.fields("read_file", other) };
      const call = t.send.invalid({ ...(right as object), data });
      const { result } = await t.require("SMAN-CALL-021", call.result({ success: true }));
      const isRight = String(result).includes("num-07") && !String(result).includes("num-09");
      t.check("SMAN-CALL-021", isRight, { expected: "line 7, which the fields at the root name", actual: result });
    },
  },
  "calls.data": {
    title: "a call with its fields in data is not executed",
    emits: ["SMAN-CALL-021"],
    async run(t) {
      const relativePath = t.newFile("one\n");
      const params = { relativePath, searchContent: "one", replaceContent: "two" };
      const id = t.conversation.freshId();
      t.send.invalid({ type: "TOOL_CALL", toolCallId: id, data: t.fields("apply_change", params) });
      await t.require("SMAN-CALL-021", t.works());
      const actual = t.project.read(relativePath);
      t.check("SMAN-CALL-021", actual === "one\n", { expected: "one", actual });
    },
  },
  "calls.again": {
    title: "a repeated call is executed once",
    emits: ["SMAN-CALL-022"],
    async run(t) {
      const relativePath = t.newFile("one\n");
      const params = { relativePath, searchContent: "one", replaceContent: "two one" };
      const id = t.conversation.freshId();
      const message = t.conversation.envelope.request(id, "TOOL_CALL", t.fields("apply_change", params));
      // An id without an answer would leave the case waiting; the second call may be refused or answered as before.
      await t.require("SMAN-CALL-022", t.send.invalid(message).result({ success: true }));
      t.send.invalid(message);
      await t.require("SMAN-CALL-022", t.works());
      t.check("SMAN-CALL-022", t.project.read(relativePath) === "two one\n", {
        expected: "two one",
        actual: t.project.read(relativePath),
      });
    },
  },
});

const wrongValues: Readonly<Record<string, unknown>> = { missing: undefined, null: null };

/** Calls that cannot be executed. */
export const failureCases: readonly Case[] = [
  ...toolNames.flatMap((tool) =>
    [...tools[tool].required, "projectKey"].flatMap((name) =>
      Object.entries(wrongValues).flatMap(([way, value]) =>
        defineCases({
          [`fails.${tool}-${name}-${way}`]: {
            title: `${tool} fails without ${name}: ${way}`,
            emits: ["SMAN-FAIL-001", "SMAN-FAIL-002", "SMAN-FAIL-005"],
            async run(t) {
              // Apart from what is missing, the call could be executed.
              const valid = { ...tools[tool].params, relativePath: t.newFile("int a = 1;\n"), method: "Shop.openShop" };
              const fields = t.fields(tool, valid);
              const call = t.odd({ ...fields, params: { ...(fields["params"] as object), [name]: value } });
              const { error } = await t.require("SMAN-FAIL-001", call.result({ success: false }));
              const isTold = typeof error === "string" && error !== "";
              t.check("SMAN-FAIL-005", isTold, { expected: "an error with a text", actual: error });
              t.check("SMAN-FAIL-002", String(error).includes(name), {
                expected: `a text with ${name}`,
                actual: error,
              });
            },
          },
        }),
      ),
    ),
  ),
  ...defineCases({
    ...defineCases.each(["find_usages", "", "Grep_File", "grep_file ", "constructor", "__proto__"], (tool, index) => ({
      [`fails.unknown-tool-${index + 1}`]: {
        title: `a call of the tool ${JSON.stringify(tool)} fails`,
        emits: ["SMAN-FAIL-003", "SMAN-FAIL-002"],
        async run(t) {
          const call = t.odd(t.fields(tool, { pattern: "straw" }));
          const { error } = await t.require("SMAN-FAIL-003", call.result({ success: false }));
          t.check("SMAN-FAIL-002", String(error).includes(tool), { expected: `a text with ${tool}`, actual: error });
        },
      },
    })),
    ...defineCases.each(["toolName", "params"], (field) => ({
      [`fails.${field}-missing`]: {
        title: `a call without ${field} fails`,
        emits: ["SMAN-FAIL-001"],
        async run(t) {
          const { [field]: _, ...others } = t.fields("grep_file", { pattern: "straw" });
          const call = t.odd(others);
          await t.require("SMAN-FAIL-001", call.result({ success: false }));
        },
      },
    })),
    "fails.id-missing": {
      title: "a call without toolCallId fails or is dropped, and changes nothing",
      emits: ["SMAN-FAIL-004"],
      isolation: "connection",
      async run(t) {
        const relativePath = t.newFile("one\n");
        const params = { relativePath, searchContent: "one", replaceContent: "two" };
        for (const toolCallId of [undefined, null])
          t.send.invalid({ type: "TOOL_CALL", toolCallId, ...t.fields("apply_change", params) });
        await t.require("SMAN-FAIL-004", t.works());
        const answers = t.history().filter(({ is }) => is.kind === "result" && is.id !== undefined);
        const bad = answers.filter(({ entry }) => JSON.stringify(entry.message).includes('"toolCallId":""'));
        const isRefused = bad.every(
          ({ is }) => is.kind === "result" && (is.result as { success?: unknown }).success === false,
        );
        t.check("SMAN-FAIL-004", isRefused && t.project.read(relativePath) === "one\n", {
          expected: "failures, and the file as it was",
          actual: bad.map(({ entry }) => entry.message),
        });
      },
    },
  }),
];
