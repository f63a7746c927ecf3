import { join } from "node:path";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, type PluginContext } from "../../plugin-role.js";
import { secret } from "../../project-files.js";
import type { ToolName } from "../../samples.js";

const token = secret.slice("outside-secret ".length).trim();

/** Paths of files outside of the project. `{outside}` stands for the absolute path of the folder beside it. */
const leaving: Readonly<Record<string, string>> = {
  "dot-dot": "../outside/secret.txt",
  "inner-dot-dot": "src/../../outside/secret.txt",
  "dot-dot-from-nowhere": "nowhere/../../outside/secret.txt",
  "back-slashes": "..\\outside\\secret.txt",
  absolute: "{outside}/secret.txt",
  "two-slashes": "/{outside}/secret.txt",
  drive: "C:\\Windows\\win.ini",
  "null-character": "../outside/secret.txt\0.java",
  "null-character-inside": "README.md\0",
};

/** Paths that lead out of the project by a link. */
const linked: Readonly<Record<string, string>> = {
  "link-to-file": "link-to-file.txt",
  "link-to-folder": "link-to-folder/secret.txt",
};

/** Paths at which nothing may be made. */
const made: Readonly<Record<string, string>> = {
  "dot-dot": "../outside/made.txt",
  "new-folder": "../made/made.txt",
  "back-slashes": "..\\outside\\made.txt",
  absolute: "{outside}/made.txt",
};
/** Those of them that a plugin may take for paths below the project. */
const inside: ReadonlySet<string> = new Set(["back-slashes", "absolute"]);
const madeByLink: Readonly<Record<string, string>> = {
  "link-to-folder": "link-to-folder/made.txt",
  "link-to-nothing": "link-to-nothing.txt",
};

const pathTools = ["read_file", "grep_file", "apply_change"] as const;

/** Params of a tool about a file that should stay as it is. */
function params(tool: ToolName, relativePath: string): Record<string, unknown> {
  if (tool === "read_file") return { relativePath };
  if (tool === "grep_file") return { relativePath, pattern: "outside-secret" };
  return { relativePath, searchContent: "outside-secret", replaceContent: "changed" };
}

/** Calls a tool that has to refuse, and judges what it shows and what it did. */
async function refused(t: PluginContext, req: string, tool: ToolName, given: Record<string, unknown>): Promise<void> {
  const answer = await harmless(t, req, tool, given);
  t.check(req, answer["success"] === false, { message: "the call succeeded", expected: "a failure", actual: answer });
}

/** Calls a tool that must not leave the project, and judges what it shows and what it did. */
async function harmless(
  t: PluginContext,
  req: string,
  tool: ToolName,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const before = t.project.besides();
  const answer = await t.require(req, t.call(tool, given).result());
  const after = t.project.besides();
  const isShown = JSON.stringify(answer).includes(token);
  t.check(req, !isShown, { message: "a file outside is shown", expected: "nothing of it", actual: answer });
  t.check(req, JSON.stringify(after) === JSON.stringify(before), {
    message: "something was written outside the project",
    expected: Object.keys(before).join(", "),
    actual: after,
  });
  const { error } = answer;
  t.check("SMAN-PATH-005", !String(error).includes(join(t.project.root, "/")), {
    expected: "no absolute path",
    actual: error,
  });
  return answer;
}

function pathCases(paths: Readonly<Record<string, string>>, req: string, tools: readonly ToolName[]): readonly Case[] {
  return tools.flatMap((tool) =>
    Object.entries(paths).flatMap(([name, path]) =>
      defineCases({
        [`paths.${tool}-${name}`]: {
          title: `${tool} refuses a path that leads out of the project: ${name}`,
          emits: [req, "SMAN-PATH-005"],
          async run(t) {
            t.needs(!path.includes("link-") || t.project.hasLinks, "this system cannot create links");
            await refused(t, req, tool, params(tool, path.replace("{outside}", t.project.outside)));
          },
        },
      }),
    ),
  );
}

function makingCases(paths: Readonly<Record<string, string>>, req: string): readonly Case[] {
  return Object.entries(paths).flatMap(([name, path]) =>
    defineCases({
      [`paths.create-${name}`]: {
        title: `apply_change creates nothing outside the project: ${name}`,
        emits: [req, "SMAN-PATH-005"],
        async run(t) {
          t.needs(!path.includes("link-") || t.project.hasLinks, "this system cannot create links");
          const given = { relativePath: path.replace("{outside}", t.project.outside), replaceContent: "made\n" };
          await (inside.has(name) ? harmless : refused)(t, req, "apply_change", given);
        },
      },
    }),
  );
}

const moved = ["projectRoot", "project_root", "projectPath"];

/** How the tools keep to the project. */
export const pathCasesOfAll: readonly Case[] = [
  ...pathCases(leaving, "SMAN-PATH-001", pathTools),
  ...pathCases(linked, "SMAN-PATH-002", pathTools),
  ...makingCases(made, "SMAN-PATH-001"),
  ...makingCases(madeByLink, "SMAN-PATH-002"),
  ...defineCases({
    "paths.search-of-all": {
      title: "a search of all files shows none outside the project",
      emits: ["SMAN-PATH-002"],
      async run(t) {
        t.needs(t.project.hasLinks, "this system cannot create links");
        const text = await t.succeeds("SMAN-PATH-002", "grep_file", { pattern: "outside-secret" });
        t.check("SMAN-PATH-002", !text.includes(token), { expected: "nothing of it", actual: text });
      },
    },
    ...defineCases.each(moved, (name) => ({
      [`paths.moved-${name}`]: {
        title: `${name} in params, or at the root, does not move the project`,
        emits: ["SMAN-PATH-003"],
        async run(t) {
          const base = { [name]: t.project.outside };
          const call = {
            ...t.fields("read_file", { relativePath: "secret.txt", ...base }),
            ...base,
          };
          const answer = await t.require("SMAN-PATH-003", t.odd(call).result());
          const isShown = JSON.stringify(answer).includes(token);
          t.check("SMAN-PATH-003", !isShown, { expected: "nothing of a file outside", actual: answer });
          const inside = {
            ...t.fields("apply_change", { relativePath: "made.txt", replaceContent: "made\n", ...base }),
            ...base,
          };
          const before = t.project.besides();
          await t.require("SMAN-PATH-003", t.odd(inside).result());
          t.check("SMAN-PATH-003", JSON.stringify(t.project.besides()) === JSON.stringify(before), {
            message: "something was written outside the project",
            expected: Object.keys(before).join(", "),
            actual: t.project.besides(),
          });
        },
      },
    })),
    ...defineCases.each(["read_file", "apply_change"] as const, (tool) => ({
      [`paths.${tool}-folder`]: {
        title: `${tool} refuses a folder where it needs a file`,
        emits: ["SMAN-PATH-004"],
        async run(t) {
          const folder = { ...params(tool, "src/demo"), replaceContent: "x" };
          await t.fails("SMAN-PATH-004", tool, folder);
          await t.require("SMAN-PATH-004", t.works());
        },
      },
    })),
  }),
];
