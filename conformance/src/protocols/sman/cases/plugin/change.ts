import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";

/** A change of a file, and the file after it. */
interface Change {
  readonly name: string;
  readonly title: string;
  readonly req: string;
  readonly before: string;
  readonly search: string;
  readonly replace: string;
  /** Default: as before, because the change has to fail. */
  readonly after?: string | undefined;
}

const text = "alpha\nbeta\n\tgamma  \n\ndelta, größer 漢\n";

const changes: readonly Change[] = [
  {
    name: "words",
    title: "a passage that occurs once is replaced, and nothing else changes",
    req: "SMAN-CHANGE-001",
    before: text,
    search: "beta",
    replace: "BETA and more",
    after: text.replace("beta", "BETA and more"),
  },
  {
    name: "lines",
    title: "a passage of several lines is replaced",
    req: "SMAN-CHANGE-001",
    before: text,
    search: "beta\n\tgamma  \n",
    replace: "one\ntwo\nthree\n",
    after: "alpha\none\ntwo\nthree\n\ndelta, größer 漢\n",
  },
  {
    name: "literal",
    title: "a passage is plain text even if it looks like a pattern",
    req: "SMAN-CHANGE-001",
    before: "a+b $1 (c)\naab $1 (c)\n",
    search: "a+b $1 (c)",
    replace: "$& $1 $$ \\n",
    after: "$& $1 $$ \\n\naab $1 (c)\n",
  },
  {
    name: "dots",
    title: "a passage is plain text even if it would match another one as a pattern",
    req: "SMAN-CHANGE-001",
    before: "a.b = 1\naxb = 2\n",
    search: "a.b",
    replace: "c",
    after: "c = 1\naxb = 2\n",
  },
  {
    name: "delete",
    title: "an empty replaceContent deletes the passage",
    req: "SMAN-CHANGE-002",
    before: "one two three\n",
    search: " two",
    replace: "",
    after: "one three\n",
  },
  {
    name: "windows",
    title: "CRLF line endings are kept, and match LF",
    req: "SMAN-CHANGE-003",
    before: "one\r\ntwo\r\nthree\r\nfour\r\n",
    search: "two\nthree",
    replace: "2\n3",
    after: "one\r\n2\r\n3\r\nfour\r\n",
  },
  {
    name: "open-end",
    title: "a last line without a line break stays without one",
    req: "SMAN-CHANGE-001",
    before: "one\ntwo",
    search: "one",
    replace: "1",
    after: "1\ntwo",
  },
  {
    name: "not-found",
    title: "a passage that does not occur is a failure, and the file does not change",
    req: "SMAN-CHANGE-004",
    before: text,
    search: "omega",
    replace: "OMEGA",
  },
  {
    name: "other-case",
    title: "a passage in another letter case does not match",
    req: "SMAN-CHANGE-004",
    before: text,
    search: "BETA",
    replace: "x",
  },
  {
    name: "ambiguous",
    title: "a passage that occurs twice is a failure, and the file does not change",
    req: "SMAN-CHANGE-005",
    before: "same\nother\nsame\n",
    search: "same",
    replace: "changed",
  },
  {
    name: "indented",
    title: "a passage with another indentation is found, and its replacement has the file's indentation",
    req: "SMAN-CHANGE-006",
    before: "class A {\n        if (a) {\n            b();\n        }\n}\n",
    search: "if (a) {\n    b();\n}",
    replace: "if (c) {\n    d();\n}",
    after: "class A {\n        if (c) {\n            d();\n        }\n}\n",
  },
];

/** A text without what a formatter may change, which the specification lets apply_change do. */
const plain = (one: string): string =>
  one
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trimEnd();

const formatted = ({ req }: Change): boolean => req === "SMAN-CHANGE-001";

const fields = ({ search, replace }: Change, relativePath: string) => ({
  relativePath,
  searchContent: search,
  replaceContent: replace,
});

const PARALLEL = 8;

/** How apply_change changes and creates files. */
export const changeCases: readonly Case[] = defineCases({
  ...defineCases.each(changes, (change) => ({
    [`change.${change.name}`]: {
      title: change.title,
      emits: [change.req, ...(formatted(change) ? ["SMAN-CHANGE-011"] : [])],
      async run(t) {
        const { req, before, after = before } = change;
        const path = t.newFile(before);
        if (change.after === undefined) await t.fails(req, "apply_change", fields(change, path));
        else await t.succeeds(req, "apply_change", fields(change, path));
        const actual = t.project.read(path);
        const findings = { expected: JSON.stringify(after), actual };
        const isFormatted = actual !== after && formatted(change) && plain(actual ?? "") === plain(after);
        t.check(req, actual === after || isFormatted, findings);
        if (formatted(change)) t.check("SMAN-CHANGE-011", !isFormatted, findings);
      },
    },
  })),
  ...defineCases.each(["absent", "empty"], (how) => ({
    [`change.create-${how}`]: {
      title: `a file is created, with its folders, if searchContent is ${how}`,
      emits: ["SMAN-CHANGE-007"],
      async run(t) {
        const path = t.newFile().replace("work/", "work/new/folder/");
        const search = how === "empty" ? { searchContent: "" } : {};
        const replaceContent = "created\n漢\n";
        await t.succeeds("SMAN-CHANGE-007", "apply_change", { relativePath: path, replaceContent, ...search });
        t.check("SMAN-CHANGE-007", t.project.read(path) === replaceContent, {
          expected: JSON.stringify(replaceContent),
          actual: t.project.read(path),
        });
      },
    },
  })),
  "change.exists": {
    title: "creating a file does not replace an existing one",
    emits: ["SMAN-CHANGE-008"],
    async run(t) {
      const path = t.newFile("precious\n");
      await t.fails("SMAN-CHANGE-008", "apply_change", { relativePath: path, replaceContent: "new\n" });
      t.check("SMAN-CHANGE-008", t.project.read(path) === "precious\n", {
        expected: "the file as it was",
        actual: t.project.read(path),
      });
    },
  },
  "change.described": {
    title: "a description changes nothing",
    emits: ["SMAN-CHANGE-009"],
    async run(t) {
      const path = t.newFile("one\n");
      const change = { relativePath: path, searchContent: "one", replaceContent: "two", description: "three" };
      await t.succeeds("SMAN-CHANGE-009", "apply_change", change);
      t.check("SMAN-CHANGE-009", t.project.read(path) === "two\n", { expected: "two", actual: t.project.read(path) });
    },
  },
  "change.parallel": {
    title: "changes of one file at the same time are applied, or fail, each as a whole",
    emits: ["SMAN-CHANGE-010"],
    async run(t) {
      const names = Array.from({ length: PARALLEL }, (_, index) => `part-${index}`);
      const path = t.newFile(names.map((name) => `${name} old\n`).join(""));
      const calls = names.map((name) =>
        t.call("apply_change", { relativePath: path, searchContent: `${name} old`, replaceContent: `${name} new` }),
      );
      const results: Record<string, unknown>[] = [];
      for (const call of calls) results.push(await t.require("SMAN-CHANGE-010", call.result()));
      const wanted = names.map((name, index) => `${name} ${results[index]?.["success"] === true ? "new" : "old"}\n`);
      t.check("SMAN-CHANGE-010", t.project.read(path) === wanted.join(""), {
        expected: wanted.join(""),
        actual: t.project.read(path),
      });
    },
  },
});
