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

/** The message that a fixture's folder is named after. */
export function messageOf(name: string): string {
  return name.split(/[/\\]/)[0] ?? "";
}
