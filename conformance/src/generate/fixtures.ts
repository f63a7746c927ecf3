import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { packageRoot } from "../core/registry/package-root.js";

/** The two parts of a message that a schema describes. */
export type MessagePart = "params" | "result";

/** Examples of every message, by its method. A part is one example or a list of them. */
export type Fixtures = Readonly<Record<string, Readonly<Partial<Record<MessagePart, unknown>>>>>;

/** Reads the `fixtures.json` that a schema package publishes. */
export function readFixtures(schemaPackage: string): Fixtures {
  const resolve = createRequire(join(packageRoot(), "package.json"));
  return JSON.parse(readFileSync(resolve.resolve(`${schemaPackage}/fixtures.json`), "utf8")) as Fixtures;
}

/** The examples of one part of a method, in its schema's form. Throws a `TypeError` when there is none. */
export function examplesOf(fixtures: Fixtures, method: string, part: MessagePart): readonly unknown[] {
  const given = Object.hasOwn(fixtures, method) ? fixtures[method]?.[part] : undefined;
  if (given === undefined) throw new TypeError(`fixtures.json has no ${part} of ${method}`);
  return Array.isArray(given) ? (given as unknown[]) : [given];
}
