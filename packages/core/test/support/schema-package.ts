import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { bundle } from "../../../../scripts/testing/bundle.js";
import {
  type AnySchema,
  connect,
  type Deviation,
  methodOf,
  methodsOf,
  type Part,
  type Profile,
  type Protocol,
  toJsonSchema,
  validatorOf,
} from "../../src/index.js";
import { type Example, type Fixture, fixturesOf, frozen, methodOfFile } from "./fixtures.js";
import { peerDouble, type Receive, receiverOf } from "./receiver.js";

/** A value that does not fit, and the first place in it that does not. */
interface Invalid {
  readonly part: Part;
  readonly value: unknown;
  readonly path: string;
}

/** A value that a peer writes in another form than the model, and the value that is read from it. */
interface Deviating {
  /** The row of the table of deviations. */
  readonly id: string;
  readonly profile: string | readonly string[];
  readonly method: string;
  readonly part: Part;
  readonly wire: unknown;
  /** Absent where the value is usable without a repair, so that only strict mode minds. */
  readonly repaired?: unknown;
  /** The value that the dialect reads without a repair. Default: the value as it was sent. */
  readonly decoded?: unknown;
}

/** A schema package, as its tests see it. */
export interface SchemaPackage {
  readonly protocol: Protocol;
  /** Its dialects by name, in the order in which the README's table has them. */
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Every value that fits: the files of `valid`, and the published examples. */
  readonly valid: readonly Fixture<Example>[];
  readonly invalid: readonly Fixture<Invalid>[];
  readonly deviating: readonly Fixture<Deviating>[];
  readonly receive: Receive;
  /** The params of a notification as a connection of this dialect sends them. */
  readonly send: (profile: Profile, method: string, params: unknown) => unknown;
  /** The schema of a part of a fixture's method. */
  readonly schemaOf: (name: string, part: Part) => AnySchema;
  readonly url: (path: string) => URL;
  /** The folder of this protocol in a package with several ones, such as `v2/`. */
  readonly part: string;
}

/**
 * Reads the fixtures of a schema package; `from` is the `import.meta.url` of a file in its `test/support`. A package
 * with several protocols has what belongs to one in the folder `part`, such as `v2/`.
 */
export function schemaPackage(
  from: string,
  protocol: Protocol,
  profiles: Readonly<Record<string, Profile>>,
  part = "",
): SchemaPackage {
  const { examples, fixtures } = fixturesOf(from, part);
  const published = examples();
  const params = new Map(
    published.flatMap(({ name, content: { part, value } }) =>
      part === "params" ? [[methodOfFile(name), value] as const] : [],
    ),
  );
  return {
    protocol,
    profiles,
    valid: [...fixtures<Example>("valid"), ...published],
    invalid: fixtures<Invalid>("invalid"),
    deviating: fixtures<Deviating>("deviations"),
    receive: receiverOf(protocol, (method) => params.get(method)),
    send(profile, method, params) {
      const peer = peerDouble();
      const self = methodOf(protocol, method)?.from ?? "";
      void connect(protocol, self, peer, {}, { profile }).notify(method as never, params as never);
      return peer.sent;
    },
    schemaOf(name, part) {
      const def = methodOf(protocol, methodOfFile(name));
      if (def === undefined || (part === "result" && def.kind !== "request"))
        throw new Error(`${name} belongs to no method`);
      return part === "result" && def.kind === "request" ? def.result : def.params;
    },
    url: (path) => new URL(`../../${path}`, from),
    part,
  };
}

/** Every schema package: its schemas, and what its README says of them. */
export function testSchemaPackage(schema: SchemaPackage): void {
  testSchemas(schema);
  describe("README", () => testReadme(schema));
}

/** Tests values that fit and that do not, the deviations, and the published data. */
export function testSchemas(schema: SchemaPackage): void {
  describe("model", () => testModel(schema));
  describe("deviations", () => testDeviations(schema));
  describe("rows of the deviations", () => testRows(schema));
  describe("lists that are null", () => testNullLists(schema));
  describe("published", () => testPublished(schema));
}

function testModel({ protocol, valid, invalid, schemaOf }: SchemaPackage): void {
  test.each(valid)("$name fits, and nothing of it is lost", ({ name, content: { part, value } }) => {
    const schema = schemaOf(name, part);
    expect(validatorOf(schema).issues(value, part)).toEqual([]);
    expect(validatorOf(schema).fits(value)).toBe(true);
    expect(z.parse(schema, value)).toEqual(value);
  });

  test.each(invalid)("$name does not fit, and the place is named", ({ name, content: { part, value, path } }) => {
    const validator = validatorOf(schemaOf(name, part));
    expect(validator.fits(value)).toBe(false);
    expect(validator.issues(value, part).map((issue) => issue.path)).toEqual([path]);
  });

  test.each(methodsOf(protocol))("%s has an example of each of its parts", (method, { kind }) => {
    const parts = valid.flatMap(({ name, content: { part } }) =>
      name.includes(".example-") && methodOfFile(name) === method ? [part] : [],
    );
    expect([...new Set(parts)]).toEqual(kind === "request" ? ["params", "result"] : ["params"]);
  });
}

function testDeviations({ profiles, deviating, receive }: SchemaPackage): void {
  const runs = deviating.flatMap(({ name, content }) =>
    [content.profile].flat().map((profile) => ({ name, profile, content, in: profiles[profile] as Profile })),
  );

  test.each(runs)("$name in $profile", async ({ content, in: profile }) => {
    const { id, method, part, wire, repaired, decoded = wire } = content;
    const { value, diagnostics } = await receive(profile, method, part, frozen(wire));
    expect(value).toEqual(repaired ?? decoded);
    const reported = diagnostics.map((diagnostic) => ({ id: diagnostic.id, method: diagnostic.method }));
    if (repaired === undefined) expect(reported).toEqual([]);
    else expect(reported).toContainEqual({ id, method });
  });

  test.each(runs)("$name in $profile is refused by its id in strict mode", async ({ content, in: profile }) => {
    const { id, method, part, wire } = content;
    await expect(receive(profile, method, part, frozen(wire), true)).rejects.toThrow(`${method}: ${part}: ${id}: `);
  });
}

function testRows({ protocol, profiles, valid, deviating }: SchemaPackage): void {
  const rows = Object.values(profiles).flatMap(({ deviations = [] }) => deviations);

  test("each has a fixture", () => {
    const covered = new Set(deviating.map(({ content }) => content.id));
    expect(rows.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });

  test("each says what is sent, where and by whom", () => {
    for (const row of rows) {
      expect(row.summary).toMatch(/^[^.]+$/);
      expect(row.seen).not.toBe("");
      for (const method of row.methods) expect(methodOf(protocol, method), row.id).toBeDefined();
    }
  });

  test("none fails on a value of another shape, or claims a repair that it does not make", () => {
    for (const value of [...deviating.map(({ content }) => content.wire), ...otherShapes]) {
      for (const row of rows)
        if (row.repair) expect(row.matches(value), row.id).toBe(row.repair(value) !== value);
        else expect(row.matches(value), row.id).toBeTypeOf("boolean");
    }
  });

  test("none with a repair matches what the model takes", () => {
    const matching = valid.flatMap(({ name, content: { part, value } }) =>
      rows.flatMap((row) =>
        row.repair && row.part === part && row.methods.includes(methodOfFile(name)) && row.matches(value)
          ? [`${name}: ${row.id}`]
          : [],
      ),
    );
    expect(matching).toEqual([]);
  });
}

/** Every list of every example, in every dialect. */
function testNullLists({ protocol, profiles, valid, receive, schemaOf, send }: SchemaPackage): void {
  const lists = valid.flatMap(({ name, content: { part, value } }) =>
    listsIn(value).map((path) => ({ name, part, value, path, place: path.join(".") })),
  );

  test.each(lists)("$place of $name is read as empty, or as absent", async ({ name, part, value, path }) => {
    const method = methodOfFile(name);
    const withNull = withValue(value, path, null);
    const validator = validatorOf(schemaOf(name, part));
    if (validator.fits(withNull) || !validator.fits(withValue(value, path, []))) return; // null is a value there
    for (const profile of Object.values(profiles)) {
      const read = (wire: unknown) => receive(profile, method, part, frozen(wire)).catch(() => undefined);
      const empty = await read(withValue(value, path, []));
      if (empty === undefined) continue; // another dialect's message
      const { value: given, diagnostics } = await receive(profile, method, part, frozen(withNull));
      const absent = await read(withValue(value, path, undefined));
      expect([empty.value, absent?.value]).toContainEqual(given);
      const isRequired = absent === undefined || absent.diagnostics.length > empty.diagnostics.length;
      if (isRequired) expect(diagnostics.length).toBeGreaterThan(empty.diagnostics.length);
    }
  });

  test("is refused when it is sent", () => {
    for (const { name, part, value, path } of lists) {
      const withNull = withValue(value, path, null);
      const isSent = methodOf(protocol, methodOfFile(name))?.kind === "notification" && part === "params";
      if (!isSent || validatorOf(schemaOf(name, part)).fits(withNull)) continue;
      for (const profile of Object.values(profiles))
        expect(() => send(profile, methodOfFile(name), withNull), name).toThrow("params.");
    }
  });
}

type Path = readonly (string | number)[];

/** The places of the lists in a value. */
function listsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    listsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) && path.length > 0 ? [path, ...inside] : inside;
}

/** A copy with another value at a place; a field that gets `undefined` is left out. */
function withValue(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  const inner = withValue(copy[key], rest, other);
  if (inner === undefined && !Array.isArray(value)) delete copy[key];
  else copy[key] = inner;
  return copy;
}

const otherShapes = [
  undefined,
  null,
  1,
  "x",
  [],
  {},
  { update: null },
  { content: [] },
  { outcome: 1 },
  { params: [] },
];

function testPublished({ protocol, part, url }: SchemaPackage): void {
  test("schema.json is what the table says", () => {
    const published: unknown = JSON.parse(readFileSync(url(`${part}schema.json`), "utf8"));
    expect(published, "run the package's script `schema`").toEqual(toJsonSchema(protocol));
  });
}

function testReadme({ profiles, url }: SchemaPackage): void {
  const programs = readdirSync(url("test/readme")).filter((file) => file.endsWith(".ts"));
  test.each(programs)("the README's program %s prints what the README says", async (file) => {
    const { program } = await bundle(url("test/schema-package.ts").href, { program: `readme/${file}` });
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(readFileSync(url("README.md"), "utf8")).toContain(`\`\`\`console\n${stdout}\`\`\``);
  });

  test("the README lists every deviation with its fate in each dialect", () => {
    const readme = readFileSync(url("README.md"), "utf8");
    const listed = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
    const rows = Object.values(profiles).flatMap(({ deviations = [] }) => deviations);
    const nameOf = ({ id, summary }: Pick<Deviation, "id" | "summary">): string => `${id}: ${summary}`;
    expect(new Set(listed.map(([, id = "", summary = ""]) => nameOf({ id, summary: plain(summary) })))).toEqual(
      new Set(rows.map(nameOf)),
    );
    for (const [, id = "", summary = "", ...fates] of listed) {
      expect(fates, id).toEqual(
        Object.values(profiles).map(
          (profile) => fateIn(profile, { id, summary: plain(summary) }) ?? expect.stringMatching(notInTable),
        ),
      );
    }
  });
}

/** Remarks in a dialect's README about a form that is not in the dialect's table. */
const notInTable = /^(own form|allowed|refused)$/;

/** The text of a cell without its Markdown. */
function plain(cell: string): string {
  return cell.replaceAll("`", "").replaceAll("\\_", "_");
}

/** The effect of a row in the table of a dialect. */
function fateIn({ deviations = [] }: Profile, { id, summary }: Pick<Deviation, "id" | "summary">): string | undefined {
  const row = deviations.find((other) => other.id === id && other.summary === summary);
  return row && (row.repair ? "repaired" : "kept");
}
