import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";
import { type ToolCase, toolCases } from "./shown.js";

const relativePath = "read/numbers.txt";
const num = (line: number): string => `num-${String(line).padStart(2, "0")}`;
const from = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => num(first + index));

/** Says whether what precedes a line in a text has no number, or has that of the line. */
function isNumbered(text: string, line: number): boolean {
  const before =
    text
      .split("\n")
      .find((one) => one.includes(num(line)))
      ?.split(num(line))[0] ?? "";
  const numbers = before.match(/\d+/g) ?? [];
  return numbers.length === 0 || numbers.some((number) => Number(number) === line);
}

const readings: readonly ToolCase[] = [
  {
    name: "whole",
    title: "a file is shown as a whole",
    req: "SMAN-READ-001",
    params: { relativePath },
    shows: from(1, 60),
  },
  {
    name: "indented",
    title: "the indentation of lines is shown",
    req: "SMAN-READ-001",
    params: { relativePath: "src/demo/Shop.java" },
    shows: ["    public int openShop", "        return auditTotals(tallied);"],
  },
  {
    name: "numbers",
    title: "where lines have numbers, they are counted from 1",
    req: "SMAN-READ-010",
    params: { relativePath, start_line: 11, end_line: 14 },
    isRight: (text) => [11, 12, 13, 14].every((line) => isNumbered(text, line)),
    expected: "the numbers 11, 12, 13 and 14, or none",
  },
  {
    name: "range",
    title: "the lines from start_line to end_line are shown, both included",
    req: "SMAN-READ-002",
    params: { relativePath, start_line: 11, end_line: 14 },
    shows: from(11, 14),
    hides: [num(10), num(15)],
  },
  {
    name: "range-of-one",
    title: "a range of one line shows this line",
    req: "SMAN-READ-002",
    params: { relativePath, start_line: 1, end_line: 1 },
    shows: [num(1)],
    hides: [num(2), num(60)],
  },
  {
    name: "line",
    title: "a line is shown with context_lines lines before and after it",
    req: "SMAN-READ-003",
    params: { relativePath, line: 30, context_lines: 2 },
    shows: from(28, 32),
    hides: [num(27), num(33)],
  },
  {
    name: "line-alone",
    title: "a line without context is shown alone",
    req: "SMAN-READ-003",
    params: { relativePath, line: 30, context_lines: 0 },
    shows: [num(30)],
    hides: [num(29), num(31)],
  },
  {
    name: "line-default",
    title: "a line is shown with 20 lines before and after it by default",
    req: "SMAN-READ-004",
    params: { relativePath, line: 30 },
    shows: from(10, 50),
    hides: [num(9), num(51)],
  },
  {
    name: "start-alone",
    title: "a start_line without an end_line reaches to the end",
    req: "SMAN-READ-005",
    params: { relativePath, start_line: 58 },
    shows: from(58, 60),
    hides: [num(57)],
  },
  {
    name: "end-alone",
    title: "an end_line without a start_line begins with line 1",
    req: "SMAN-READ-005",
    params: { relativePath, end_line: 3 },
    shows: from(1, 3),
    hides: [num(4)],
  },
  {
    name: "beyond",
    title: "a range that reaches past the end is cut",
    req: "SMAN-READ-006",
    params: { relativePath, start_line: 59, end_line: 99 },
    shows: from(59, 60),
    hides: [num(58)],
  },
  {
    name: "before",
    title: "the context of a line near the beginning is cut",
    req: "SMAN-READ-006",
    params: { relativePath, line: 2, context_lines: 5 },
    shows: from(1, 7),
    hides: [num(8)],
  },
  {
    name: "windows",
    title: "lines may end with CRLF",
    req: "SMAN-READ-007",
    params: { relativePath: "read/windows.txt", start_line: 2, end_line: 2 },
    shows: ["win-02"],
    hides: ["win-01", "win-03"],
  },
  {
    name: "open-end",
    title: "a last line without a line break is shown",
    req: "SMAN-READ-007",
    params: { relativePath: "read/open.txt" },
    shows: ["one-line", "no-line-end"],
  },
  {
    name: "empty",
    title: "an empty file is read",
    req: "SMAN-READ-007",
    params: { relativePath: "read/empty.txt" },
  },
  {
    name: "not-ascii",
    title: "texts that are not ASCII are shown",
    req: "SMAN-READ-007",
    params: { relativePath: "read/texts.txt" },
    shows: ["größer", "漢字😀"],
  },
];

/** How read_file reads. */
export const readCases: readonly Case[] = [
  ...toolCases("read_file", "read", readings),
  ...defineCases({
    "read.missing": {
      title: "a file that does not exist is a failure, which names its relative path and no other",
      emits: ["SMAN-READ-008", "SMAN-PATH-005"],
      async run(t) {
        const missing = "core/src/File.java";
        for (const tool of ["read_file", "grep_file", "apply_change"] as const) {
          const params = { relativePath: missing, pattern: "x", searchContent: "x", replaceContent: "y" };
          const error = await t.fails("SMAN-READ-008", tool, params);
          t.check("SMAN-READ-008", error.includes(missing), { expected: missing, actual: error });
          t.check("SMAN-PATH-005", !error.includes(t.project.root), { expected: "no absolute path", actual: error });
        }
      },
    },
    "read.turned": {
      title: "a range that ends before it begins is a failure",
      emits: ["SMAN-READ-009"],
      run: async (t) =>
        void (await t.fails("SMAN-READ-009", "read_file", { relativePath, start_line: 9, end_line: 3 })),
    },
    "read.changed": {
      title: "a changed file is read with its new content",
      emits: ["SMAN-READ-001"],
      async run(t) {
        const changed = t.newFile("first text\n");
        await t.succeeds("SMAN-READ-001", "read_file", { relativePath: changed });
        t.project.write(changed, "second text\n");
        const text = await t.succeeds("SMAN-READ-001", "read_file", { relativePath: changed });
        t.check("SMAN-READ-001", text.includes("second text"), { expected: "second text", actual: text });
      },
    },
    "calls.huge": {
      title: "a result above the size limit of a message is cut, or the call fails",
      emits: ["SMAN-RESULT-008"],
      isolation: "connection",
      deadline: 20_000,
      async run(t) {
        const path = t.newFile(`${"x".repeat(99)}\n`.repeat(110_000));
        const answer = await t.require("SMAN-RESULT-008", t.call("read_file", { relativePath: path }).response());
        const size = Buffer.byteLength(JSON.stringify(answer.result));
        t.check("SMAN-RESULT-008", size <= MAX_BYTES, { expected: `${MAX_BYTES} bytes at most`, actual: size });
        await t.require("SMAN-RESULT-008", t.works());
      },
    },
  }),
];

const MAX_BYTES = 10 * 1024 * 1024;
