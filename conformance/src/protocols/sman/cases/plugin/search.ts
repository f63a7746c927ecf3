import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";
import { type ToolCase, toolCases } from "./shown.js";

const words = "search/words.txt";
const needle = { pattern: "needle lies", relativePath: words };

/** Hay that is shown. */
const hay = (text: string): number => new Set(text.match(/hay-\d\d/g)).size;

const searches: readonly ToolCase[] = [
  {
    name: "lines",
    title: "the lines with the text are shown",
    req: "SMAN-GREP-001",
    params: { pattern: "dotted", relativePath: words },
    shows: ["row-02"],
    hides: ["row-01", "row-03"],
  },
  {
    name: "number",
    title: "the number of a line is shown",
    req: "SMAN-GREP-002",
    params: { pattern: "between", relativePath: words },
    isRight: (text) => ["4", "6", "8"].every((number) => new RegExp(`(?<![\\d-])0*${number}(?!\\d)`).test(text)),
    expected: "the numbers 4, 6 and 8",
  },
  {
    name: "one-file",
    title: "only the file of relativePath is searched",
    req: "SMAN-GREP-003",
    params: needle,
    shows: ["row-07"],
    hides: ["row-90"],
  },
  {
    name: "one-file-regex",
    title: "only the file of relativePath is searched for a regular expression, too",
    req: "SMAN-GREP-003",
    params: { pattern: "needle l.es", relativePath: words, regex: true },
    shows: ["row-05", "row-07"],
    hides: ["row-90"],
  },
  {
    name: "all-files",
    title: "without relativePath, every file is searched, and the results name the files",
    req: "SMAN-GREP-004",
    params: { pattern: "needle lies" },
    shows: ["row-07", "row-90", "words.txt", "elsewhere.txt"],
  },
  {
    name: "literal",
    title: "a pattern is plain text unless regex is set",
    req: "SMAN-GREP-005",
    params: { pattern: "a.c", relativePath: words },
    shows: ["row-02"],
    hides: ["row-03"],
  },
  {
    name: "literal-false",
    title: "a pattern is plain text if regex is false",
    req: "SMAN-GREP-005",
    params: { pattern: "a.c here", relativePath: words, regex: false },
    shows: ["row-02"],
    hides: ["row-03"],
  },
  {
    name: "regex",
    title: "a pattern is a regular expression if regex is true",
    req: "SMAN-GREP-006",
    params: { pattern: "a[.b]c\\s+here", relativePath: words, regex: true },
    shows: ["row-02", "row-03"],
  },
  {
    name: "case-ignored",
    title: "upper and lower case are the same by default",
    req: "SMAN-GREP-007",
    params: needle,
    shows: ["row-05", "row-07"],
  },
  {
    name: "case-ignored-false",
    title: "upper and lower case are the same if case_sensitive is false, in a regular expression, too",
    req: "SMAN-GREP-007",
    params: { pattern: "needle l.es", relativePath: words, regex: true, case_sensitive: false },
    shows: ["row-05", "row-07"],
  },
  {
    name: "case-sensitive",
    title: "upper and lower case differ if case_sensitive is true",
    req: "SMAN-GREP-008",
    params: { ...needle, case_sensitive: true },
    shows: ["row-07"],
    hides: ["row-05"],
  },
  {
    name: "case-sensitive-regex",
    title: "upper and lower case differ if case_sensitive is true, in a regular expression, too",
    req: "SMAN-GREP-008",
    params: { pattern: "needle l.es", relativePath: words, regex: true, case_sensitive: true },
    shows: ["row-07"],
    hides: ["row-05"],
  },
  {
    name: "no-context",
    title: "no lines around a match are shown by default",
    req: "SMAN-GREP-009",
    params: { pattern: "dotted", relativePath: words },
    shows: ["row-02"],
    hides: ["row-01", "row-03"],
  },
  {
    name: "context",
    title: "context_lines lines before and after a match are shown",
    req: "SMAN-GREP-010",
    params: { pattern: "small needle", relativePath: words, context_lines: 2 },
    shows: ["row-05", "row-06", "row-07", "row-08", "row-09"],
    hides: ["row-04", "row-10"],
  },
  {
    name: "limit",
    title: "at most limit lines are shown, and exactly limit if more match",
    req: "SMAN-GREP-011",
    params: { pattern: "is straw", limit: 1 },
    isRight: (text) => hay(text) === 1,
    expected: "1 line",
  },
  {
    name: "limit-default",
    title: "20 lines are shown by default",
    req: "SMAN-GREP-012",
    params: { pattern: "is straw" },
    isRight: (text) => hay(text) === 20,
    expected: "20 lines",
  },
  {
    name: "limit-large",
    title: "a larger limit shows more lines",
    req: "SMAN-GREP-011",
    params: { pattern: "is straw", limit: 45 },
    isRight: (text) => hay(text) === 45,
    expected: "45 lines",
  },
  {
    name: "limit-in-a-file",
    title: "the limit holds in one file, too",
    req: "SMAN-GREP-013",
    params: { pattern: "is straw", limit: 3, relativePath: "search/many.txt" },
    isRight: (text) => hay(text) === 3,
    expected: "3 lines",
  },
  {
    name: "all-types",
    title: "files of every type are searched by default",
    req: "SMAN-GREP-014",
    params: { pattern: "sortable" },
    shows: ["in-java", "in-properties", "in-text"],
  },
  {
    name: "all-types-named",
    title: "files of every type are searched if file_type is all",
    req: "SMAN-GREP-014",
    params: { pattern: "sortable", file_type: "all" },
    shows: ["in-java", "in-properties", "in-text"],
  },
  {
    name: "one-type",
    title: "only files of file_type are searched",
    req: "SMAN-GREP-015",
    params: { pattern: "sortable", file_type: "java" },
    shows: ["in-java"],
    hides: ["in-properties", "in-text"],
  },
  {
    name: "no-match",
    title: "a search that finds nothing succeeds",
    req: "SMAN-GREP-016",
    params: { pattern: "nobody wrote this" },
    hides: ["row-", "hay-"],
  },
  {
    name: "not-ascii",
    title: "a text that is not ASCII is found",
    req: "SMAN-GREP-001",
    params: { pattern: "größer, 漢字", relativePath: words },
    shows: ["row-09", "😀"],
    hides: ["row-08"],
  },
];

/** How grep_file searches. */
export const searchCases: readonly Case[] = [
  ...toolCases("grep_file", "search", searches),
  ...defineCases({
    "search.bad-regex": {
      title: "an invalid regular expression is a failure",
      emits: ["SMAN-GREP-017"],
      async run(t) {
        for (const pattern of ["(", "[a", "*"]) await t.fails("SMAN-GREP-017", "grep_file", { pattern, regex: true });
        await t.require("SMAN-GREP-017", t.works());
      },
    },
    "search.missing": {
      title: "a search of a file that does not exist is a failure",
      emits: ["SMAN-GREP-019"],
      async run(t) {
        await t.fails("SMAN-GREP-019", "grep_file", { pattern: "TODO", relativePath: "core/src/File.java" });
      },
    },
    "search.exploding-regex": {
      title: "a regular expression with exponential cost ends, and other calls are answered meanwhile",
      emits: ["SMAN-GREP-018"],
      deadline: 28_000,
      isolation: "connection",
      async run(t) {
        const search = t.call("grep_file", { pattern: "(a+)+$", regex: true, relativePath: "search/slow.txt" });
        await t.require("SMAN-GREP-018", t.works());
        await t.require("SMAN-GREP-018", search.result());
      },
    },
  }),
];
