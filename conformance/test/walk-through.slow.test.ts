import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const suite = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(join(suite, "CONTRIBUTING-CASES.md"), "utf8");
const root = mkdtempSync(join(tmpdir(), "walk-"));
const clone = join(root, "conformance");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** One step: a file that is written or changed, or commands. */
interface Step {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** The steps of the section about a whole protocol, in their order. */
const steps = [
  ...guide.slice(guide.indexOf("### A whole protocol")).matchAll(/^```(\w+)(?: write=(\S+))?\n(.*?)^```$/gms),
].map(([, language = "", file, text = ""]): Step => ({ language, file, text }));

/** Applies the hunks of a diff without context: what stands behind `-` is replaced by what stands behind `+`. */
function changed(before: string, diff: string): string {
  const behind = (hunk: string, sign: string): string =>
    hunk
      .split("\n")
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join("\n");
  return diff.split("\n\n").reduce((text, hunk) => {
    expect(text).toContain(behind(hunk, "-"));
    return text.replace(behind(hunk, "-"), behind(hunk, "+"));
  }, before);
}

/** Runs a command of the guide, in which `conf` is the alias that the guide defines. Throws if it fails. */
function execute(command: string): string {
  const alias = /^alias conf='node (.*)'$/m.exec(guide)?.[1] ?? "";
  const [name, ...words] = command.replace(/^conf /, `node ${alias} `).split(" ");
  expect(name).toBe("node");
  return execFileSync(process.execPath, words, { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function follow({ language, file, text }: Step): readonly string[] {
  if (file === undefined) return text.trim().split("\n").map(execute);
  const path = join(clone, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, language === "diff" ? changed(readFileSync(path, "utf8"), text) : text);
  return [];
}

test("the steps of the guide make a whole protocol in a clone", { timeout: 300_000 }, () => {
  for (const name of ["src", "specs", "package.json"])
    cpSync(join(suite, name), join(clone, name), { recursive: true });
  for (const [from, to] of [
    [join(suite, "node_modules"), join(clone, "node_modules")],
    [join(suite, "../node_modules"), join(root, "node_modules")],
  ] as const)
    symlinkSync(from, to, "junction");
  const [pinned, checked, killed, ran] = steps.flatMap(follow);
  expect(pinned).toBe("");
  expect(checked).toContain("3 statements, 5 requirements, 0 clauses without a mutant, 0 problems");
  expect(killed).toContain("killed");
  expect(ran).toContain("conformant");
});
