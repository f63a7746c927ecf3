import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** Every JSON file below a folder of `test/fixtures`, by its path there. */
export function fixtures<T>(folder: string): { name: string; content: T }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, content: JSON.parse(readFileSync(join(root, folder, name), "utf8")) as T }));
}

/** A text file of `test/fixtures`. */
export function text(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Freezes a value all the way down, so that writing to it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** The method that a fixture belongs to, by its folder. */
export function methodOfFile(name: string): string {
  return (name.split(/[/\\]/)[0] ?? "").replaceAll("__", "/");
}
