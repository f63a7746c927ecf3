import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Part } from "../../src/index.js";

/** A JSON file of fixtures, by its path below the folder that was asked for. */
export interface Fixture<T> {
  readonly name: string;
  readonly content: T;
}

/** A valid message of `fixtures.json`. */
export interface Example {
  readonly part: Part;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads a package's `test/fixtures`; `from` is the `import.meta.url` of a file in its `test/support`. A package with
 * several protocols has what belongs to one in the folder `part`, such as `v2/`.
 */
export function fixturesOf(from: string, part = "") {
  const root = fileURLToPath(new URL(`../fixtures/${part}`, from));
  const text = (file: string): string => readFileSync(join(root, file), "utf8");
  return {
    /** Every JSON file below a folder. */
    fixtures: <T>(folder: string): Fixture<T>[] =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => ({ name, content: JSON.parse(text(join(folder, name))) as T })),
    /** The examples of `fixtures.json`, which is published: named like the files of `valid`. */
    examples: (): Fixture<Example>[] => examplesIn(fileURLToPath(new URL(`../../${part}fixtures.json`, from))),
    text,
  };
}

function examplesIn(file: string): Fixture<Example>[] {
  const methods = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<Part, unknown>>;
  return Object.entries(methods).flatMap(([method, parts]) =>
    (Object.entries(parts) as [Part, unknown][]).flatMap(([part, given]) =>
      [given].flat().map((value, index) => ({
        name: `${method.replaceAll("/", "__")}/${part}.example-${index + 1}`,
        content: { part, value: value as Example["value"] },
      })),
    ),
  );
}

/** The method that a fixture belongs to, by its folder. */
export function methodOfFile(name: string): string {
  return (name.split(/[/\\]/)[0] ?? "").replaceAll("__", "/");
}

/** Freezes a value all the way down, so that writing to it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
