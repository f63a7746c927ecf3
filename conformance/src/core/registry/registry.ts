import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { readPages } from "./pages.js";
import type { Quote, Requirement } from "./requirement.js";
import { normalize, pin, type StatementOptions, statementsOf } from "./statements.js";
import { type Statement } from "./statement.js";

/** A statement of the spec that is not a requirement, and the reason. */
export interface Exclusion {
  readonly at: string;
  readonly reason: string;
}

/** The requirements of a protocol, and the spec that they quote. */
export interface Registry {
  readonly requirements: readonly Requirement[];
  readonly exclusions: readonly Exclusion[];
  readonly statements: readonly Statement[];
  /** Hash of each statement when the registry was last reviewed, by anchor. */
  readonly pins: Readonly<Record<string, string>>;
  /** Hash of the whole spec. */
  readonly specPin: string;
  readonly byId: ReadonlyMap<string, Requirement>;
}

const Quotes = z
  .array(
    z.strictObject({
      at: z.string(),
      text: z.string(),
      role: z.string().optional(),
      mutants: z.array(z.string()).optional(),
      repeats: z.string().optional(),
    }),
  )
  .default([]);
const Level = z.enum(["must", "should", "may"]);
const Basis = z.enum(["stated", "inferred", "interop"]);

const Row = z.strictObject({
  id: z.string().regex(/^[A-Z]+(-[A-Za-z0-9_/:]+)+$/),
  level: Level,
  basis: Basis,
  role: z.string(),
  text: z.string(),
  quotes: Quotes,
  cites: z.array(z.string()).default([]),
  oracle: z.enum(["case", "monitor", "vector", "none"]),
  excluded: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  transports: z.array(z.string()).default([]),
  aka: z.array(z.string()).default([]),
  in: z
    .record(z.string(), z.strictObject({ level: Level.optional(), basis: Basis.default("inferred"), quotes: Quotes }))
    .default({}),
});

/** A file of the registry. `defaults` is what its rows have that do not say otherwise. */
const File = z.strictObject({
  defaults: Row.pick({ level: true, basis: true, role: true, oracle: true }).partial().default({}),
  requirements: z.array(z.looseObject({})).default([]),
  exclusions: z.array(z.strictObject({ at: z.string(), reason: z.string() })).default([]),
});

/**
 * Reads a registry: every `*.yaml` of a folder, its `pins.json`, the spec, rows that are `derived` from the method
 * table, and the `pages` that define other profiles, by the name of the profile (see `readPages`). Throws a `TypeError`
 * that names the file and the row.
 */
export function readRegistry(
  folder: string,
  specFile: string,
  derived: readonly Requirement[] = [],
  pages: Readonly<Record<string, string>> = {},
): Registry {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const parsed = files.map((name) => {
    const path = join(folder, name);
    const { defaults, requirements, exclusions } = parsedBy(File, parse(readFileSync(path, "utf8")) ?? {}, path);
    const rows = requirements.map((row) => parsedBy(Row, { ...defaults, ...row }, `${path}: ${String(row["id"])}`));
    return { requirements: rows, exclusions };
  });
  const spec = readFileSync(specFile, "utf8");
  const { statements, examples } = JSON.parse(readFileSync(join(folder, "pins.json"), "utf8")) as Pins;
  return makeRegistry({
    requirements: [...parsed.flatMap(({ requirements }) => requirements), ...derived],
    exclusions: parsed.flatMap(({ exclusions }) => exclusions),
    spec,
    pages: Object.entries(pages).flatMap(([profile, file]) => readPages(file, profile)),
    pins: statements,
    examples,
  });
}

function parsedBy<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new TypeError(`${where}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Creates a registry from its parts. Throws a `TypeError` for a duplicate id. */
export function makeRegistry(
  parts: {
    requirements: readonly Requirement[];
    exclusions: readonly Exclusion[];
    spec: string;
    pages?: readonly Statement[];
    pins: Readonly<Record<string, string>>;
  } & StatementOptions,
): Registry {
  const byId = new Map<string, Requirement>();
  for (const row of parts.requirements) {
    if (byId.has(row.id)) throw new TypeError(`the requirement ${row.id} is in the registry twice`);
    byId.set(row.id, row);
  }
  const { requirements, exclusions, spec, pages = [], pins } = parts;
  const statements = [...statementsOf(spec, parts), ...pages];
  return { requirements, exclusions, statements, pins, specPin: pin(spec), byId };
}

/** The content of `pins.json`. */
export interface Pins extends StatementOptions {
  readonly spec: string;
  readonly statements: Readonly<Record<string, string>>;
}

/** Every quote of a requirement, in all its documents. */
export function allQuotes({ quotes: own, in: restated = {} }: Pick<Requirement, "quotes" | "in">): readonly Quote[] {
  return [...own, ...Object.values(restated).flatMap((one) => one.quotes)];
}

/** The pins of the current spec, for `pins.json`. */
export function pinsOf(spec: string, { examples }: StatementOptions = {}): Pins {
  return {
    spec: pin(spec),
    ...((examples ?? false) !== false && { examples }),
    statements: Object.fromEntries(statementsOf(spec, { examples }).map(({ anchor, text }) => [anchor, pin(text)])),
  };
}

/** Says whether a statement contains a quote, regardless of line breaks. */
export function quotes(statement: Statement, text: string): boolean {
  return normalize(statement.text).includes(normalize(text));
}
