import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { type Json, ToolFailure } from "../reference/tool-failure.js";
import { forgiving, given, patch, shown, without } from "./plugin-patch.js";

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
    "searches-everywhere": ["SMAN-GREP-003", unread("relativePath")],
    "searches-one-file": ["SMAN-GREP-004", byDefault("relativePath", "search/words.txt")],
    "always-regex": ["SMAN-GREP-005", (params) => ({ ...params, regex: true })],
    "regex-by-default": ["SMAN-GREP-005", byDefault("regex", true)],
    "never-regex": ["SMAN-GREP-006", unread("regex")],
    "case-matters-by-default": ["SMAN-GREP-007", byDefault("case_sensitive", true)],
    "case-always-matters": ["SMAN-GREP-007", (params) => ({ ...params, case_sensitive: true })],
    "case-never-matters": ["SMAN-GREP-008", unread("case_sensitive")],
    "context-by-default": ["SMAN-GREP-009", byDefault("context_lines", 1)],
    "never-context": ["SMAN-GREP-010", unread("context_lines")],
    "one-line-of-context": [
      "SMAN-GREP-010",
      (params) => ("context_lines" in params ? { ...params, context_lines: 1 } : params),
    ],
    "more-context": [
      "SMAN-GREP-010",
      (params) => ("context_lines" in params ? { ...params, context_lines: 3 } : params),
    ],
    "no-limit": [
      "SMAN-GREP-011",
      (params) => ("limit" in params && !("relativePath" in params) ? { ...params, limit: 1000 } : params),
    ],
    "twenty-at-most": [
      "SMAN-GREP-011",
      (params) => ({ ...params, limit: Math.min(Number(params["limit"] ?? 20), 20) }),
    ],
    "limits-one-less": [
      "SMAN-GREP-011",
      (params) =>
        "limit" in params && !("relativePath" in params) ? { ...params, limit: Number(params["limit"]) - 1 } : params,
    ],
    "no-limit-by-default": ["SMAN-GREP-012", byDefault("limit", 1000)],
    "ten-by-default": ["SMAN-GREP-012", byDefault("limit", 10)],
    "no-limit-in-a-file": ["SMAN-GREP-013", (params) => ("relativePath" in params ? without(params, "limit") : params)],
    "java-by-default": [
      "SMAN-GREP-014",
      byDefault("file_type", "java"),
      "SMAN-GREP-004",
      "SMAN-GREP-011",
      "SMAN-GREP-012",
      "SMAN-PATH-002",
    ],
    "knows-no-types": ["SMAN-GREP-015", unread("file_type")],
  };

const searches: readonly Mutant[] = [
  ...Object.entries(grep).map(([name, [req, change, ...collateral]]) =>
    mutant(`sman.plugin/grep-${name}`, { violates: [req], collateral, patch: given("grep_file", change) }),
  ),
  mutant("sman.plugin/grep-shows-the-line-before", {
    violates: ["SMAN-GREP-001"],
    cases: ["sman.plugin.search.lines"],
    patch: shown("grep_file", (text) => text.replaceAll("row-02", "row-01")),
  }),
  mutant("sman.plugin/grep-shows-numbers-alone", {
    violates: ["SMAN-GREP-001"],
    cases: ["sman.plugin.search.lines"],
    patch: shown("grep_file", (text) => text.replaceAll(/ \| .*/g, "")),
  }),
  mutant("sman.plugin/grep-knows-ascii", {
    violates: ["SMAN-GREP-001"],
    cases: ["sman.plugin.search.not-ascii"],
    patch: given("grep_file", (params) => ({ ...params, pattern: String(params["pattern"]).replace(/[^ -~]/g, "?") })),
  }),
  mutant("sman.plugin/grep-counts-from-zero", {
    violates: ["SMAN-GREP-002"],
    patch: shown("grep_file", (text) => text.replaceAll(/\d+(?= 行| \|)/g, (number) => String(Number(number) - 1))),
  }),
  mutant("sman.plugin/grep-names-no-files", {
    violates: ["SMAN-GREP-004"],
    cases: ["sman.plugin.search.all-files"],
    patch: shown("grep_file", (text) => text.replaceAll(/[\w/]+\.txt/g, "a file")),
  }),
  mutant("sman.plugin/grep-fails-without-a-match", {
    violates: ["SMAN-GREP-016"],
    cases: ["sman.plugin.search.no-match"],
    patch: shown("grep_file", (text) => {
      if (text.includes("**匹配数量**: 0")) throw new ToolFailure("未找到匹配");
      return text;
    }),
  }),
  mutant("sman.plugin/grep-finds-with-bad-patterns", {
    violates: ["SMAN-GREP-017"],
    patch: forgiving("grep_file", ({ pattern }) => ["(", "[a", "*"].includes(String(pattern))),
  }),
  mutant("sman.plugin/grep-explodes", {
    violates: ["SMAN-GREP-018"],
    patch: patch({
      schedule: (work, { params }) => void (JSON.stringify(params).includes("(a+)+$") || setImmediate(work)),
    }),
  }),
  mutant("sman.plugin/grep-blocks-the-others", {
    violates: ["SMAN-GREP-018"],
    patch() {
      let isBlocked = false;
      return patch({
        schedule(work, { params }) {
          isBlocked ||= JSON.stringify(params).includes("(a+)+$");
          if (!isBlocked) setImmediate(work);
        },
      });
    },
  }),
];

const read: Readonly<Record<string, readonly [req: string, change: (params: Json) => Json, ...collateral: string[]]>> =
  {
    "reads-ten-lines": [
      "SMAN-READ-001",
      byDefault("end_line", 10),
      "SMAN-READ-003",
      "SMAN-READ-004",
      "SMAN-READ-005",
      "SMAN-READ-006",
    ],
    "ignores-ranges": [
      "SMAN-READ-002",
      (params) =>
        "end_line" in params && "start_line" in params ? without(without(params, "start_line"), "end_line") : params,
      "SMAN-READ-006",
      "SMAN-READ-007",
      "SMAN-READ-009",
    ],
    "excludes-the-end": [
      "SMAN-READ-002",
      (params) =>
        "end_line" in params &&
        "start_line" in params &&
        params["start_line"] !== params["end_line"] &&
        Number(params["end_line"]) < 60
          ? { ...params, end_line: Number(params["end_line"]) - 1 }
          : params,
    ],
    "shifts-lines": [
      "SMAN-READ-002",
      (params) =>
        "end_line" in params && "start_line" in params && Number(params["end_line"]) < 60
          ? { ...params, start_line: Number(params["start_line"]) + 1, end_line: Number(params["end_line"]) + 1 }
          : params,
      "SMAN-READ-007",
      "SMAN-READ-009",
    ],
    "ignores-line": ["SMAN-READ-003", unread("line"), "SMAN-READ-004", "SMAN-READ-006"],
    "ignores-context": ["SMAN-READ-003", unread("context_lines"), "SMAN-READ-006"],
    "ten-lines-of-context": ["SMAN-READ-004", byDefault("context_lines", 10)],
    "ignores-a-start-alone": [
      "SMAN-READ-005",
      (params) => ("end_line" in params ? params : without(params, "start_line")),
    ],
    "ignores-an-end-alone": [
      "SMAN-READ-005",
      (params) => ("start_line" in params ? params : without(params, "end_line")),
    ],
  };

const readings: readonly Mutant[] = [
  ...Object.entries(read).map(([name, [req, change, ...collateral]]) =>
    mutant(`sman.plugin/read-${name}`, {
      violates: [req],
      collateral: [...collateral, "SMAN-RESULT-007"],
      cases: ["sman.plugin.read.*"],
      patch: given("read_file", change),
    }),
  ),
  mutant("sman.plugin/read-knows-no-folders", {
    violates: ["SMAN-READ-001"],
    collateral: ["SMAN-RESULT-007"],
    cases: ["sman.plugin.read.whole"],
    patch: given("read_file", ({ relativePath, ...params }) => ({
      ...params,
      relativePath: String(relativePath).replace(/^.*\//, ""),
    })),
  }),
  mutant("sman.plugin/read-remembers", {
    violates: ["SMAN-READ-001"],
    cases: ["sman.plugin.read.changed"],
    patch() {
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
  }),
  mutant("sman.plugin/read-refuses-long-ranges", {
    violates: ["SMAN-READ-006"],
    cases: ["sman.plugin.read.beyond"],
    patch: shown("read_file", (text, { end_line: end }) => {
      if (Number(end) > 60) throw new ToolFailure("行范围无效");
      return text;
    }),
  }),
  ...(
    [
      ["windows-lines", "win-02", "win-01 win-02"],
      ["no-open-ends", "no-line-end", ""],
      ["ascii", "größer", "gr??er"],
    ] as const
  ).map(([name, right, wrong]) =>
    mutant(`sman.plugin/read-${name}`, {
      violates: ["SMAN-READ-007"],
      cases: ["sman.plugin.read.*"],
      patch: shown("read_file", (text) => text.replace(right, wrong)),
    }),
  ),
  mutant("sman.plugin/read-refuses-empty-files", {
    violates: ["SMAN-READ-007"],
    cases: ["sman.plugin.read.empty"],
    patch: shown("read_file", (text) => {
      if (text.includes("**总行数**: 0")) throw new ToolFailure("文件为空");
      return text;
    }),
  }),
  mutant("sman.plugin/read-succeeds-without-a-file", {
    violates: ["SMAN-READ-008"],
    cases: ["sman.plugin.read.missing"],
    patch: forgiving("read_file", ({ relativePath }) => String(relativePath).startsWith("core/")),
  }),
  mutant("sman.plugin/read-names-no-file", {
    violates: ["SMAN-READ-008"],
    cases: ["sman.plugin.read.missing"],
    patch: patch({ failure: () => "文件不存在" }),
  }),
  mutant("sman.plugin/read-turns-ranges", {
    violates: ["SMAN-READ-009"],
    patch: given("read_file", (params) => {
      const [start, end] = [params["start_line"], params["end_line"]];
      return Number(start) > Number(end) ? { ...params, start_line: end, end_line: start } : params;
    }),
  }),
];

const chain: Readonly<Record<string, readonly [req: string, change: (params: Json) => Json, ...collateral: string[]]>> =
  {
    "lists-no-callers": ["SMAN-CHAIN-001", byDefault("direction", "callees"), "SMAN-CHAIN-005"],
    "lists-no-callees": ["SMAN-CHAIN-002", byDefault("direction", "callers"), "SMAN-CHAIN-005", "SMAN-CHAIN-011"],
    "lists-both-always": [
      "SMAN-CHAIN-003",
      (params) =>
        ["callers", "callees"].includes(String(params["direction"])) ? without(params, "direction") : params,
    ],
    "turns-directions": [
      "SMAN-CHAIN-003",
      (params) => (params["direction"] === "callers" ? { ...params, direction: "callees" } : params),
    ],
    "knows-no-both": [
      "SMAN-CHAIN-003",
      (params) => (params["direction"] === "both" ? { ...params, direction: "callers" } : params),
    ],
    "two-calls-by-default": ["SMAN-CHAIN-004", byDefault("depth", 2)],
    "one-call-always": ["SMAN-CHAIN-005", unread("depth")],
    "source-by-default": ["SMAN-CHAIN-006", byDefault("includeSource", true), "SMAN-CHAIN-003", "SMAN-CHAIN-004"],
    "never-source": ["SMAN-CHAIN-007", unread("includeSource")],
  };

const chains: readonly Mutant[] = [
  ...Object.entries(chain).map(([name, [req, change, ...collateral]]) =>
    mutant(`sman.plugin/chain-${name}`, {
      violates: [req],
      collateral,
      cases: ["sman.plugin.chain.*"],
      patch: given("call_chain", change),
    }),
  ),
  mutant("sman.plugin/chain-fails", {
    violates: ["SMAN-CHAIN-001"],
    cases: ["sman.plugin.chain.callers"],
    patch: shown("call_chain", () => {
      throw new ToolFailure("no analyzer");
    }),
  }),
  mutant("sman.plugin/chain-takes-any-name", {
    violates: ["SMAN-CHAIN-008"],
    patch: forgiving("call_chain", ({ method }) => /^[^.]+$|^\.|\.$/.test(String(method))),
  }),
  mutant("sman.plugin/chain-takes-any-direction", {
    violates: ["SMAN-CHAIN-009"],
    patch: given("call_chain", (params) =>
      params["direction"] === "sideways" ? without(params, "direction") : params,
    ),
  }),
  mutant("sman.plugin/chain-finds-everything", {
    violates: ["SMAN-CHAIN-010"],
    patch: forgiving("call_chain", ({ method }) => /closeShop|Nobody/.test(String(method))),
  }),
  mutant("sman.plugin/chain-remembers", {
    violates: ["SMAN-CHAIN-011"],
    patch() {
      let first: string | undefined;
      return patch({
        run(tool, files, params) {
          if (tool !== "call_chain") return rightPlugin.run(tool, files, params);
          return (first ??= rightPlugin.run(tool, files, params));
        },
      });
    },
  }),
];

/** Plugins whose tools show something else than they should. */
export const searchMutants: readonly Mutant[] = [...searches, ...readings, ...chains];
