import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { type Json, ToolFailure } from "../reference/tool-failure.js";
import { forgiving, given, patch, shown } from "./plugin-patch.js";

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
  changing(
    "SMAN-CHANGE-001",
    "searches-trimmed",
    (text, search, replace) => edited(text, search.trim(), replace),
    "SMAN-CHANGE-002",
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

/** Plugins that change what they should not, or leave their project. */
export const changeMutants: readonly Mutant[] = [...changes, ...paths];
