import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ignoreRules, type Verdict } from "../../src/workspace/gitignore.js";
import { tempFolder } from "../support/temp-folder.js";

const token = fc.constantFrom(
  ...["a", "b", "*", "**", "?", "/", "\\*", "[ab]", "[!a]", "[^b]", "\\", "[", "]", "!", "#", " ", ".", "a", "/"],
  ...["[[:alpha:]]", "[a-b]", "\\a", "\\/", "c/", "**/"],
);
/** Git takes `**` inside of a name for folders, too, although its documentation says otherwise. */
const pattern = fc
  .array(token, { minLength: 1, maxLength: 6 })
  .map((tokens) => tokens.join(""))
  .filter((glob) => !/[^/*]\*\*/.test(glob.replace(/^!/, "")));
const name = fc
  .array(fc.constantFrom("a", "b", ".", "c", "*", "[", "]", "!"), { minLength: 1, maxLength: 3 })
  .map((letters) => letters.join(""))
  .filter((letters) => letters !== "." && letters !== "..");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

it("judges files as Git does", async () => {
  const root = await tempFolder();
  execFileSync("git", ["init", "--quiet", root]);
  const gitIgnores = (patterns: string, paths: readonly string[]): boolean[] => {
    writeFileSync(join(root, ".gitignore"), patterns);
    const flags = ["check-ignore", "--no-index", "--verbose", "--non-matching", "--stdin", "-z"];
    const { stdout } = spawnSync("git", ["-C", root, ...flags], { input: `${paths.join("\0")}\0`, encoding: "utf8" });
    const fields = stdout.split("\0");
    return paths.map((_, index) => /^[^!]/.test(fields[index * 4 + 2] ?? ""));
  };
  const folders = ["aa/a", "aa/b/a", "aa/b/c/a", "b/aa/a", "a"];
  const judge = ignoreRules("aa\\/**/a\n"); // a slash is a slash, also behind a backslash
  expect(folders.map((each) => verdictOf(judge, each) === "ignored")).toEqual(gitIgnores("aa\\/**/a\n", folders));
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), fc.array(path, { minLength: 1 }), (lines, paths) => {
      const patterns = `${lines.join("\n")}\n`;
      const judge = ignoreRules(patterns);
      const ignored = paths.map((each) => verdictOf(judge, each) === "ignored");
      expect(ignored).toEqual(gitIgnores(patterns, paths));
    }),
    { numRuns: 800, seed: 39 },
  );
});

/** The verdict of a walk, which does not enter a folder that is ignored. */
function verdictOf(judge: ReturnType<typeof ignoreRules>, file: string): Verdict {
  const names = file.split("/");
  for (let depth = 1; depth < names.length; depth++)
    if (judge(names.slice(0, depth).join("/"), true) === "ignored") return "ignored";
  return judge(file, false);
}

it("takes linear time for patterns that others backtrack on", () => {
  const judge = ignoreRules(`${"*a".repeat(100)}*b\n**/${"**/a/".repeat(50)}b\n`);
  for (const letters of ["a".repeat(250), "a/".repeat(120)]) expect(judge(`${letters}c`, false)).toBeUndefined();
  expect(judge(`${"a".repeat(100)}b`, false)).toBe("ignored");
});
