import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "../../../core/mutant.js";
import { rightPlugin } from "../reference/plugin-behavior.js";
import { type Json, ToolFailure } from "../reference/tool-failure.js";
import { broken, each, forgiving, given, patch } from "./plugin-patch.js";

const { edited } = rightPlugin;

const changes: readonly Mutant[] = [
  ...broken(
    {
      "change-trims-the-file": [
        "CHANGE-011",
        { edited: (...all) => `${edited(...all).trimEnd()}\n` },
        { collateral: ["CHANGE-003"] },
      ],
      "change-reads-patterns": [
        "CHANGE-001",
        {
          edited: (text, search, replace) =>
            search.includes("$1") ? text.replace(search, replace) : edited(text, search, replace),
        },
      ],
      "change-counts-patterns": [
        "CHANGE-001",
        {
          edited(text, search, replace) {
            if (search.includes(".") && text.split(new RegExp(search)).length > 2) throw new ToolFailure("匹配不唯一");
            return edited(text, search, replace);
          },
        },
      ],
      "change-drops-trailing-spaces": ["CHANGE-011", { edited: (...all) => edited(...all).replaceAll(/ +$/gm, "") }],
      "change-applies-twice": [
        "CHANGE-001",
        { edited: (text, search, replace) => edited(text, search, search === "beta" ? replace + replace : replace) },
      ],
      "change-searches-trimmed": [
        "CHANGE-001",
        { edited: (text, search, replace) => edited(text, search.trim(), replace) },
        { collateral: ["CHANGE-002"] },
      ],
      "change-keeps-what-is-deleted": [
        "CHANGE-002",
        { edited: (text, search, replace) => (replace === "" ? text : edited(text, search, replace)) },
      ],
      "change-loses-line-ends": ["CHANGE-003", { edited: (...all) => edited(...all).replaceAll("\r\n", "\n") }],
      "change-succeeds-with-nothing": [
        "CHANGE-004",
        { edited: (text, search, replace) => (search === "omega" ? text : edited(text, search, replace)) },
      ],
      "change-ignores-case": [
        "CHANGE-004",
        {
          edited: (text, search, replace) =>
            search === "BETA" ? text.replace("beta", replace) : edited(text, search, replace),
        },
      ],
      "change-changes-all": [
        "CHANGE-005",
        {
          edited: (text, search, replace) =>
            text.includes("same") ? text.replaceAll(search, replace) : edited(text, search, replace),
        },
      ],
      "change-loses-indentation": [
        "CHANGE-006",
        {
          edited: (text, search, replace) =>
            text.startsWith("class A") ? `class A {\n${replace}\n}\n` : edited(text, search, replace),
        },
      ],
    },
    { cases: ["change.*"] },
  ),
  ...broken({
    "change-creates-nothing": [
      "CHANGE-007",
      forgiving("apply_change", ({ searchContent: search = "" }) => search === ""),
    ],
    "change-overwrites": ["CHANGE-008", { overwrites: true }],
    "change-writes-descriptions": [
      "CHANGE-009",
      given("apply_change", (params) =>
        params["description"] === undefined ? params : { ...params, replaceContent: params["description"] },
      ),
    ],
    "change-loses-changes": [
      "CHANGE-010",
      () => {
        // Each of them begins with the file as the first one saw it.
        let before: string | undefined;
        return patch({
          edited(text, search, replace) {
            if (!text.includes("part-")) return edited(text, search, replace);
            return edited((before ??= text), search, replace);
          },
        });
      },
    ],
  }),
];

/** The place of a path without any confinement. */
const anywhere = (root: string, path: string): string =>
  path.startsWith("/") ? path : join(root, path.replaceAll("\\", "/"));
const leaves = (what: RegExp) => (root: string, path: string) =>
  what.test(path) ? anywhere(root, path) : rightPlugin.file(root, path);
const pathCases = ["paths.*"];

const paths: readonly Mutant[] = broken({
  ...each(
    [
      ["leaves-by-dots", /^\.\.\//],
      ["leaves-by-inner-dots", /\/\.\.\//],
      ["leaves-by-back-slashes", /\\/],
      ["leaves-by-absolute-paths", /^\//],
    ] as const,
    ([name, what]) => ({
      [name]: ["PATH-001", { file: leaves(what) }, { collateral: ["PATH-005"], cases: pathCases }],
    }),
  ),
  "cuts-at-null-characters": [
    "PATH-001",
    { file: (root, path) => rightPlugin.file(root, path.replace(/\0.*/, "")) },
    { cases: ["paths.read_file-null-character-inside"] },
  ],
  ...each(
    [
      ["follows-links-to-files", /^link-to-file/],
      ["follows-links-to-folders", /^link-to-folder/],
      ["writes-through-links", /^link-to-nothing/],
    ] as const,
    ([name, what]) => ({ [name]: ["PATH-002", { file: leaves(what) }, { cases: pathCases }] }),
  ),
  "searches-through-links": [
    "PATH-002",
    { run: (tool, files, params) => `${rightPlugin.run(tool, files, params)}\n${secretOf(files.root)}` },
    { cases: ["paths.search-of-all"] },
  ],
  ...each(["projectRoot", "project_root", "projectPath"], (name) => ({
    [`moves-to-${name}`]: [
      "PATH-003",
      { root: (root, { params }) => String((params as Json)[name] ?? root) },
      { cases: pathCases },
    ],
  })),
  "reads-folders": ["PATH-004", forgiving("read_file", ({ relativePath }) => relativePath === "src/demo")],
  "shows-absolute-paths": [
    "PATH-005",
    { failure: (error, root) => `${rightPlugin.failure(error, root)} in ${root}` },
    { cases: ["read.missing"] },
  ],
});

function secretOf(root: string): string {
  return readFileSync(join(root, "link-to-file.txt"), "utf8");
}

/** Plugins that change what they should not, or leave their project. */
export const changeMutants: readonly Mutant[] = [...changes, ...paths];
