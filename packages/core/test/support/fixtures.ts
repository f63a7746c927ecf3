import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A JSON file of fixtures, by its path below the folder that was asked for. */
export interface Fixture<T> {
  readonly name: string;
  readonly content: T;
}

/** Reads a package's `test/fixtures`; `from` is the `import.meta.url` of a file in its `test/support`. */
export function fixturesOf(from: string) {
  const root = fileURLToPath(new URL("../fixtures/", from));
  const text = (file: string): string => readFileSync(join(root, file), "utf8");
  return {
    /** Every JSON file below a folder. */
    fixtures: <T>(folder: string): Fixture<T>[] =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => ({ name, content: JSON.parse(text(join(folder, name))) as T })),
    text,
  };
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
