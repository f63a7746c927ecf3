import { readFileSync } from "node:fs";
import { join } from "node:path";
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

const { edited } = rightPlugin;
const changing = (req: string, name: string, wrong: typeof edited, ...collateral: string[]): Mutant =>
  mutant(`sman.plugin/change-${name}`, {
    violates: [req],
    collateral,
    cases: ["sman.plugin.change.*"],
    patch: patch({ edited: wrong }),
  });

const changes: readonly Mutant[] = [
  changing("SMAN-CHANGE-001", "trims-the-file", (...all) => `${edited(...all).trimEnd()}\n`, "SMAN-CHANGE-003"),
  changing("SMAN-CHANGE-001", "reads-patterns", (text, search, replace) =>
    search.includes("$1") ? text.replace(search, replace) : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-001", "drops-trailing-spaces", (...all) => edited(...all).replaceAll(/ +$/gm, "")),
  changing("SMAN-CHANGE-001", "applies-twice", (text, search, replace) =>
    edited(text, search, search === "beta" ? replace + replace : replace),
  ),
  changing("SMAN-CHANGE-002", "keeps-what-is-deleted", (text, search, replace) =>
    replace === "" ? text : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-003", "loses-line-ends", (...all) => edited(...all).replaceAll("\r\n", "\n")),
  changing("SMAN-CHANGE-003", "mixes-line-ends", (text, search, replace) =>
    text.includes("\r\n") ? text.replace(search.replaceAll("\n", "\r\n"), replace) : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-004", "succeeds-with-nothing", (text, search, replace) =>
    search === "omega" ? text : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-004", "appends-what-it-does-not-find", (text, search, replace) =>
    search === "omega" ? text + replace : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-004", "ignores-case", (text, search, replace) =>
    search === "BETA" ? text.replace("beta", replace) : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-005", "changes-the-first", (text, search, replace) =>
    search === "same" ? text.replace(search, replace) : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-005", "changes-all", (text, search, replace) =>
    text.includes("same") ? text.replaceAll(search, replace) : edited(text, search, replace),
  ),
  changing("SMAN-CHANGE-006", "matches-exactly-alone", (text, search, replace) => {
    if (!text.replaceAll("\r\n", "\n").includes(search)) throw new ToolFailure("修改失败");
    return edited(text, search, replace);
  }),
  changing("SMAN-CHANGE-006", "loses-indentation", (text, search, replace) =>
    text.startsWith("class A") ? `class A {\n${replace}\n}\n` : edited(text, search, replace),
  ),
  mutant("sman.plugin/change-creates-nothing", {
    violates: ["SMAN-CHANGE-007"],
    patch: forgiving("apply_change", ({ searchContent: search = "" }) => search === ""),
  }),
  mutant("sman.plugin/change-demands-a-search", {
    violates: ["SMAN-CHANGE-007"],
    patch: shown("apply_change", (text, { searchContent }) => {
      if (searchContent === undefined) throw new ToolFailure("缺少必需参数: searchContent");
      return text;
    }),
  }),
  mutant("sman.plugin/change-overwrites", { violates: ["SMAN-CHANGE-008"], patch: patch({ overwrites: true }) }),
  mutant("sman.plugin/change-refuses-descriptions", {
    violates: ["SMAN-CHANGE-009"],
    patch: shown("apply_change", (text, { description }) => {
      if (description !== undefined) throw new ToolFailure("description?");
      return text;
    }),
  }),
  mutant("sman.plugin/change-writes-descriptions", {
    violates: ["SMAN-CHANGE-009"],
    patch: given("apply_change", (params) =>
      params["description"] === undefined ? params : { ...params, replaceContent: params["description"] },
    ),
  }),
  mutant("sman.plugin/change-loses-changes", {
    violates: ["SMAN-CHANGE-010"],
    patch() {
      // Each of them begins with the file as the first one saw it.
      let before: string | undefined;
      return patch({
        edited(text, search, replace) {
          if (!text.includes("part-")) return edited(text, search, replace);
          return edited((before ??= text), search, replace);
        },
      });
    },
  }),
];

/** The place of a path without any confinement. */
const anywhere = (root: string, path: string): string =>
  path.startsWith("/") ? path : join(root, path.replaceAll("\\", "/"));
const leaves = (what: RegExp) => (root: string, path: string) =>
  what.test(path) ? anywhere(root, path) : rightPlugin.file(root, path);
const pathCases = ["sman.plugin.paths.*"];

const paths: readonly Mutant[] = [
  ...(
    [
      ["leaves-by-dots", /^\.\.\//],
      ["leaves-by-inner-dots", /\/\.\.\//],
      ["leaves-by-back-slashes", /\\/],
      ["leaves-by-absolute-paths", /^\//],
    ] as const
  ).map(([name, what]) =>
    mutant(`sman.plugin/${name}`, {
      violates: ["SMAN-PATH-001"],
      collateral: ["SMAN-PATH-005"],
      cases: pathCases,
      patch: patch({ file: leaves(what) }),
    }),
  ),
  mutant("sman.plugin/cuts-at-null-characters", {
    violates: ["SMAN-PATH-001"],
    cases: ["sman.plugin.paths.read_file-null-character-inside"],
    patch: patch({ file: (root, path) => rightPlugin.file(root, path.replace(/\0.*/, "")) }),
  }),
  ...(
    [
      ["follows-links-to-files", /^link-to-file/],
      ["follows-links-to-folders", /^link-to-folder/],
      ["writes-through-links", /^link-to-nothing/],
    ] as const
  ).map(([name, what]) =>
    mutant(`sman.plugin/${name}`, {
      violates: ["SMAN-PATH-002"],
      cases: pathCases,
      patch: patch({ file: leaves(what) }),
    }),
  ),
  mutant("sman.plugin/searches-through-links", {
    violates: ["SMAN-PATH-002"],
    cases: ["sman.plugin.paths.search-of-all"],
    patch: patch({
      run: (tool, files, params) => `${rightPlugin.run(tool, files, params)}\n${secretOf(files.root)}`,
    }),
  }),
  ...["projectRoot", "project_root", "projectPath"].map((name) =>
    mutant(`sman.plugin/moves-to-${name}`, {
      violates: ["SMAN-PATH-003"],
      cases: pathCases,
      patch: patch({
        root: (root, { params }) => String((params as Json)[name] ?? root),
      }),
    }),
  ),
  mutant("sman.plugin/moves-to-the-root-of-the-call", {
    violates: ["SMAN-PATH-003"],
    cases: pathCases,
    patch: patch({ root: (root, { message }) => String(message["projectPath"] ?? root) }),
  }),
  mutant("sman.plugin/reads-folders", {
    violates: ["SMAN-PATH-004"],
    patch: forgiving("read_file", ({ relativePath }) => relativePath === "src/demo"),
  }),
  mutant("sman.plugin/shows-absolute-paths", {
    violates: ["SMAN-PATH-005"],
    cases: ["sman.plugin.read.missing"],
    patch: patch({ failure: (error, root) => `${rightPlugin.failure(error, root)} in ${root}` }),
  }),
];

function secretOf(root: string): string {
  return readFileSync(join(root, "link-to-file.txt"), "utf8");
}

/** Plugins whose tools answer or do what they should not. */
export const toolMutants: readonly Mutant[] = [...searches, ...readings, ...chains, ...changes, ...paths];
