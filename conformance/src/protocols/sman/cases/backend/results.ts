import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../../../core/run/case.js";
import { defineCases, type BackendContext, type Outcome } from "../../backend-role.js";
import { endOf } from "./calls.js";

interface Answered {
  readonly name: string;
  readonly title: string;
  readonly req: string;
  /** Fields of the plugin's result besides the id. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isRight: (outcome: Outcome) => boolean;
  readonly expected: string;
}

/** With white space, what is markup elsewhere, and a letter in two forms that look alike. */
const multiline =
  '## 文件内容搜索: File.java\n\n**匹配数量**: 3\r\n\t"größer" <b>&amp;</b> e\u0301 \u00e9 ２ 😀\u2028\n';
const json = '{"content":"a","lines":[1,2]}';

const isText =
  (text: string) =>
  ({ success, result }: Outcome): boolean =>
    success === true && result === text;

const answers: readonly Answered[] = [
  {
    name: "text",
    title: "the text of a result reaches the caller unchanged",
    req: "SMAN-RESULT-020",
    fields: { success: true, result: multiline, executionTime: 150 },
    isRight: isText(multiline),
    expected: JSON.stringify(multiline),
  },
  {
    name: "empty",
    title: "a result without any text is a success",
    req: "SMAN-RESULT-020",
    fields: { success: true, result: "" },
    isRight: isText(""),
    expected: "an empty text",
  },
  {
    name: "json",
    title: "a result that is JSON reaches the caller as text",
    req: "SMAN-RESULT-020",
    fields: { success: true, result: json },
    isRight: isText(json),
    expected: json,
  },
  {
    name: "no-time",
    title: "a result needs no executionTime",
    req: "SMAN-RESULT-021",
    fields: { success: true, result: "done" },
    isRight: isText("done"),
    expected: "done",
  },
  {
    name: "time",
    title: "any number may be the executionTime",
    req: "SMAN-RESULT-021",
    fields: { success: true, result: "done", executionTime: 0.25 },
    isRight: isText("done"),
    expected: "done",
  },
  {
    name: "no-result",
    title: "a success needs no result",
    req: "SMAN-RESULT-022",
    fields: { success: true },
    isRight: ({ success }) => success === true,
    expected: "a success",
  },
  {
    name: "failure",
    title: "a failure of the tool reaches the caller with its reason",
    req: "SMAN-RESULT-023",
    fields: { success: false, error: "文件不存在: core/src/File.java" },
    isRight: ({ success, error }) => success === false && String(error).includes("文件不存在: core/src/File.java"),
    expected: "a failure with the text of the tool",
  },
  {
    name: "failure-with-result",
    title: "a result that is not a success is a failure, whatever else it has",
    req: "SMAN-RESULT-023",
    fields: { success: false, error: "no such file", result: "some text", executionTime: 3 },
    isRight: ({ success, error }) => success === false && String(error).includes("no such file"),
    expected: "a failure with the text of the tool",
  },
  {
    name: "success-with-error",
    title: "a result that is a success is one, whatever else it has",
    req: "SMAN-RESULT-023",
    fields: { success: true, result: "done", error: "one file was skipped" },
    isRight: isText("done"),
    expected: "done",
  },
  {
    name: "failure-without-error",
    title: "a failure needs no error",
    req: "SMAN-RESULT-024",
    fields: { success: false },
    isRight: ({ success }) => success === false,
    expected: "a failure",
  },
  {
    name: "object",
    title: "a result that is an object is accepted",
    req: "SMAN-RESULT-026",
    fields: { success: true, result: { content: "a" } },
    isRight: ({ success }) => success === true,
    expected: "a success",
  },
];

const noBoolean = defineCase<BackendContext>(
  {
    role: "backend",
    id: "sman.backend.results.success-text",
    title: "a success that is a string or a number counts as a failure",
    emits: ["SMAN-RESULT-027"],
  },
  async (t) => {
    for (const success of ["true", 1]) {
      const { ask, done } = await t.call("read_file", { relativePath: "a" });
      t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, success, result: "done" } });
      // A backend that ignores what is malformed takes this one; another reports that the call failed.
      t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, success: false, error: "no" } });
      const taken = await done.then(
        (outcome) => outcome.success === true,
        () => false,
      );
      t.check("SMAN-RESULT-027", !taken, { expected: "no success", actual: { success } });
    }
  },
);

/** Cases about a backend's handling of results. */
export const resultCases: readonly Case[] = [
  noBoolean,
  ...defineCases({
    "results.no-success": {
      title: "a result without success is a failure",
      emits: ["SMAN-RESULT-025"],
      async run(t) {
        const { ask, done } = await t.call("read_file", { relativePath: "a" });
        t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, result: "done" } });
        // A failure of the tool, or of the call.
        const ending = await endOf(done);
        const isRight = ending === "failed" || (isObject(ending) && ending["success"] !== true);
        t.check("SMAN-RESULT-025", isRight, { expected: "a failure", actual: ending });
      },
    },
    ...defineCases.each(answers, ({ name, title, req, fields, isRight, expected }) => ({
      [`results.${name}`]: {
        title,
        emits: [req],
        async run(t) {
          const { ask, done } = await t.call("read_file", { relativePath: "a" });
          t.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: ask.id, ...fields } });
          const outcome = await t.require(req, done);
          t.check(req, isRight(outcome), { expected, actual: outcome });
        },
      },
    })),
  }),
];
