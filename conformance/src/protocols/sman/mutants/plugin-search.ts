import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { type Json, ToolFailure } from "../reference/tool-failure.js";
import { broken, each, forgiving, given, patch, shown } from "./plugin-patch.js";

/** A param that is not read. */
const unread =
  (name: string) =>
  (params: Json): Json =>
    without(params, name);
/** A param that has another default. */
const byDefault =
  (name: string, value: unknown) =>
  (params: Json): Json => ({ [name]: value, ...params });

/** Mutants of params that are read in another way: the requirement, and what is violated beside it. */
const grep: Readonly<Record<string, readonly [req: string, change: (params: Json) => Json, ...collateral: string[]]>> =
  {
    "searches-everywhere": ["GREP-003", unread("relativePath")],
    "searches-one-file": ["GREP-004", byDefault("relativePath", "search/words.txt")],
    "always-regex": ["GREP-005", (params) => ({ ...params, regex: true })],
    "regex-by-default": ["GREP-005", byDefault("regex", true)],
    "never-regex": ["GREP-006", unread("regex")],
    "case-always-matters": ["GREP-007", (params) => ({ ...params, case_sensitive: true })],
    "case-never-matters": ["GREP-008", unread("case_sensitive")],
    "context-by-default": ["GREP-009", byDefault("context_lines", 1)],
    "more-context": ["GREP-010", (params) => ("context_lines" in params ? { ...params, context_lines: 3 } : params)],
    "no-limit": [
      "GREP-011",
      (params) => ("limit" in params && !("relativePath" in params) ? { ...params, limit: 1000 } : params),
    ],
    "ten-by-default": ["GREP-012", byDefault("limit", 10)],
    "no-limit-in-a-file": ["GREP-013", (params) => ("relativePath" in params ? without(params, "limit") : params)],
    "java-by-default": ["GREP-014", byDefault("file_type", "java"), "GREP-004", "GREP-011", "GREP-012", "PATH-002"],
    "knows-no-types": ["GREP-015", unread("file_type")],
  };

const searches: readonly Mutant[] = broken({
  ...each(Object.entries(grep), ([name, [req, change, ...collateral]]) => ({
    [`grep-${name}`]: [req, given("grep_file", change), { collateral }],
  })),
  "grep-shows-numbers-alone": [
    "GREP-001",
    shown("grep_file", (text) => text.replaceAll(/ \| .*/g, "")),
    { cases: ["search.lines"] },
  ],
  "grep-knows-ascii": [
    "GREP-001",
    given("grep_file", (params) => ({ ...params, pattern: String(params["pattern"]).replace(/[^ -~]/g, "?") })),
    { cases: ["search.not-ascii"] },
  ],
  "grep-counts-from-zero": [
    "GREP-002",
    shown("grep_file", (text) => text.replaceAll(/\d+(?= 行| \|)/g, (number) => String(Number(number) - 1))),
  ],
  "grep-names-no-files": ["GREP-004", shown("grep_file", (text) => text.replaceAll(/[\w/]+\.txt/g, "a file"))],
  "grep-fails-without-a-match": [
    "GREP-016",
    shown("grep_file", (text) => {
      if (text.includes("**匹配数量**: 0")) throw new ToolFailure("未找到匹配");
      return text;
    }),
  ],
  "grep-finds-with-bad-patterns": [
    "GREP-017",
    forgiving("grep_file", ({ pattern }) => ["(", "[a", "*"].includes(String(pattern))),
  ],
  "grep-explodes": [
    "GREP-018",
    { schedule: (work, { params }) => void (JSON.stringify(params).includes("(a+)+$") || setImmediate(work)) },
  ],
});

const read: Readonly<Record<string, readonly [req: string, change: (params: Json) => Json, ...collateral: string[]]>> =
  {
    "ignores-ranges": [
      "READ-002",
      (params) =>
        "end_line" in params && "start_line" in params ? without(without(params, "start_line"), "end_line") : params,
      "READ-006",
      "READ-007",
      "READ-009",
    ],
    "excludes-the-end": [
      "READ-002",
      (params) =>
        "end_line" in params &&
        "start_line" in params &&
        params["start_line"] !== params["end_line"] &&
        Number(params["end_line"]) < 60
          ? { ...params, end_line: Number(params["end_line"]) - 1 }
          : params,
    ],
    "shifts-lines": [
      "READ-002",
      (params) =>
        "end_line" in params && "start_line" in params && Number(params["end_line"]) < 60
          ? { ...params, start_line: Number(params["start_line"]) + 1, end_line: Number(params["end_line"]) + 1 }
          : params,
      "READ-007",
      "READ-009",
    ],
    "ignores-line": ["READ-003", unread("line"), "READ-004", "READ-006"],
    "ignores-context": ["READ-003", unread("context_lines"), "READ-006"],
    "ten-lines-of-context": ["READ-004", byDefault("context_lines", 10)],
    "ignores-a-start-alone": ["READ-005", (params) => ("end_line" in params ? params : without(params, "start_line"))],
    "ignores-an-end-alone": ["READ-005", (params) => ("start_line" in params ? params : without(params, "end_line"))],
  };

const readings: readonly Mutant[] = broken({
  ...each(Object.entries(read), ([name, [req, change, ...collateral]]) => ({
    [`read-${name}`]: [
      req,
      given("read_file", change),
      { collateral: [...collateral, "RESULT-007"], cases: ["read.*"] },
    ],
  })),
  "read-trims-lines": [
    "READ-001",
    shown("read_file", (text) => text.replaceAll(/(?<=\| ) +/g, "")),
    { cases: ["read.indented"] },
  ],
  "read-counts-from-zero": [
    "READ-010",
    shown("read_file", (text) => text.replaceAll(/\d+(?= \|)/g, (number) => String(Number(number) - 1))),
  ],
  "read-knows-no-folders": [
    "READ-001",
    given("read_file", ({ relativePath, ...params }) => ({
      ...params,
      relativePath: String(relativePath).replace(/^.*\//, ""),
    })),
    { collateral: ["RESULT-007"], cases: ["read.whole"] },
  ],
  "read-remembers": [
    "READ-001",
    () => {
      const texts = new Map<string, string>();
      return patch({
        run(tool, files, params) {
          const key = JSON.stringify([tool, params]);
          const text = texts.get(key) ?? rightPlugin.run(tool, files, params);
          if (tool === "read_file") texts.set(key, text);
          return text;
        },
      });
    },
    { cases: ["read.changed"] },
  ],
  "read-refuses-long-ranges": [
    "READ-006",
    shown("read_file", (text, { end_line: end }) => {
      if (Number(end) > 60) throw new ToolFailure("行范围无效");
      return text;
    }),
    { cases: ["read.beyond"] },
  ],
  ...each(
    [
      ["windows-lines", "win-02", "win-01 win-02"],
      ["no-open-ends", "no-line-end", ""],
      ["ascii", "größer", "gr??er"],
    ] as const,
    ([name, right, wrong]) => ({
      [`read-${name}`]: ["READ-007", shown("read_file", (text) => text.replace(right, wrong)), { cases: ["read.*"] }],
    }),
  ),
  "read-refuses-empty-files": [
    "READ-007",
    shown("read_file", (text) => {
      if (text.includes("**总行数**: 0")) throw new ToolFailure("文件为空");
      return text;
    }),
    { cases: ["read.empty"] },
  ],
  "grep-succeeds-without-a-file": [
    "GREP-019",
    forgiving("grep_file", ({ relativePath }) => String(relativePath).startsWith("core/")),
  ],
  "read-names-no-file": ["READ-008", { failure: () => "文件不存在" }],
  "read-turns-ranges": [
    "READ-009",
    given("read_file", (params) => {
      const [start, end] = [params["start_line"], params["end_line"]];
      return Number(start) > Number(end) ? { ...params, start_line: end, end_line: start } : params;
    }),
  ],
});

const chain: Readonly<Record<string, readonly [req: string, change: (params: Json) => Json, ...collateral: string[]]>> =
  {
    "lists-no-callers": ["CHAIN-001", byDefault("direction", "callees"), "CHAIN-005"],
    "lists-no-callees": ["CHAIN-002", byDefault("direction", "callers"), "CHAIN-005", "CHAIN-011"],
    "reads-no-class": [
      "CHAIN-002",
      (params) => ({ ...params, method: String(params["method"]).replace("Barn.", "Annex.") }),
    ],
    "lists-both-always": [
      "CHAIN-003",
      (params) =>
        ["callers", "callees"].includes(String(params["direction"])) ? without(params, "direction") : params,
    ],
    "knows-no-both": [
      "CHAIN-003",
      (params) => (params["direction"] === "both" ? { ...params, direction: "callers" } : params),
    ],
    "two-calls-by-default": ["CHAIN-004", byDefault("depth", 2)],
    "one-call-always": ["CHAIN-005", unread("depth")],
    "source-by-default": ["CHAIN-006", byDefault("includeSource", true), "CHAIN-003", "CHAIN-004"],
    "never-source": ["CHAIN-007", unread("includeSource")],
  };

const chains: readonly Mutant[] = broken({
  ...each(Object.entries(chain), ([name, [req, change, ...collateral]]) => ({
    [`chain-${name}`]: [req, given("call_chain", change), { collateral, cases: ["chain.*"] }],
  })),
  "chain-fails": [
    "CHAIN-001",
    shown("call_chain", () => {
      throw new ToolFailure("no analyzer");
    }),
  ],
  "chain-takes-any-name": [
    "CHAIN-008",
    forgiving("call_chain", ({ method }) => /^[^.]+$|^\.|\.$/.test(String(method))),
  ],
  "chain-takes-any-direction": [
    "CHAIN-009",
    given("call_chain", (params) => (params["direction"] === "sideways" ? without(params, "direction") : params)),
  ],
  "chain-finds-everything": [
    "CHAIN-010",
    forgiving("call_chain", ({ method }) => /closeShop|Nobody/.test(String(method))),
  ],
  "chain-remembers": [
    "CHAIN-011",
    () => {
      let first: string | undefined;
      return patch({
        run(tool, files, params) {
          if (tool !== "call_chain") return rightPlugin.run(tool, files, params);
          return (first ??= rightPlugin.run(tool, files, params));
        },
      });
    },
  ],
});

/** Plugins whose tools show something else than they should. */
export const searchMutants: readonly Mutant[] = [...searches, ...readings, ...chains];
