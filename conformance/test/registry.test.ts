import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Registry } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { findProtocol } from "../src/protocols/all.js";
import { packageRoot } from "../src/core/registry/package-root.js";
import { makeRegistry, pinsOf } from "../src/core/registry/registry.js";

const acp = findProtocol("acp");
const registry = acp.registry();
const spec = readFileSync(join(packageRoot(), "specs/acp.md"), "utf8");
const pages = registry.statements.filter(({ profile }) => profile !== undefined);
const remake = (change: Partial<Parameters<typeof makeRegistry>[0]>): Registry =>
  makeRegistry({ ...registry, spec, pages, ...change });
const problems = (changed: Registry, users: Partial<Parameters<typeof registryProblems>[1]> = {}): string[] => {
  const before = new Set(registryProblems(registry, acp));
  return registryProblems(changed, { ...acp, vectors: () => acp.vectors(), ...users }).filter(
    (problem) => !before.has(problem),
  );
};
const edited = (from: string, to: string): Registry => {
  expect(spec).toContain(from);
  return remake({ spec: spec.replace(from, to) });
};

describe("the registry of ACP", () => {
  test("is complete", () => {
    expect(registryProblems(registry, acp)).toEqual([]);
  });

  test("has a row for every finding S01 to S47", () => {
    const known = new Set(registry.requirements.flatMap(({ aka }) => aka));
    const wanted = Array.from({ length: 47 }, (_, index) => `S${String(index + 1).padStart(2, "0")}`);
    expect(wanted.filter((id) => !known.has(id))).toEqual([]);
  });

  test("judges nothing in a role that the requirement does not bind", () => {
    const wrong = acp.cases.flatMap(({ id, role, emits }) =>
      emits
        .filter((req) => ![role, "both"].includes(registry.byId.get(req)?.role ?? ""))
        .map((req) => `${id} judges ${req}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("registry check", () => {
  test("an unchanged copy has no new problems", () => {
    expect(problems(remake({}))).toEqual([]);
  });

  test("a sentence that is new is neither pinned nor claimed", () => {
    expect(problems(edited("## 2. JSON-RPC Basics\n", "## 2. JSON-RPC Basics\n\nAgents sing.\n"))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^2:s3: is new in the spec/),
        expect.stringMatching(/^2:s3: is neither quoted nor excluded/),
      ]),
    );
  });

  test("a statement that changed no longer has its pin, and its quotes are not there", () => {
    expect(problems(edited("Always `1`", "Always `2`"))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^5\.1:t2r1: was changed/),
        expect.stringMatching(/^ACP-INIT-001: .* does not stand at 5\.1:t2r1/),
      ]),
    );
  });

  test("a statement that was removed leaves its pin and its quotes behind", () => {
    expect(problems(edited("| mcpCapabilities.sse | `false` |\n", ""))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^5\.1:t3r7: is no longer in the spec/)]),
    );
  });

  test("a row without a check, and one without an oracle or a reason", () => {
    expect(problems(registry, { monitors: [] }).filter((problem) => problem.startsWith("ACP-RPC-003"))).toEqual([
      "ACP-RPC-003: no monitor judges it",
    ]);
    const [first] = registry.requirements;
    if (first === undefined) throw new Error("the registry is empty");
    const requirements = registry.requirements.map((row) =>
      row === first ? { ...row, oracle: "none" as const } : row,
    );
    expect(problems(remake({ requirements }))).toContain(`${first.id}: expected an oracle, or a reason in excluded`);
  });

  test("a check of a requirement that is not there", () => {
    const [one] = acp.cases;
    if (one === undefined) throw new Error("there are no cases");
    expect(problems(registry, { cases: [...acp.cases, { ...one, emits: ["ACP-NONE-001"] }] })).toEqual([
      `case ${one.id}: judges ACP-NONE-001, which is not in the registry`,
    ]);
  });

  test("a statement that is claimed and excluded", () => {
    expect(problems(remake({ exclusions: [...registry.exclusions, { at: "2:s1", reason: "because" }] }))).toEqual([
      "2:s1: is both quoted and excluded",
    ]);
  });

  test("a duplicate id is refused", () => {
    expect(() => remake({ requirements: [...registry.requirements, ...registry.requirements.slice(0, 1)] })).toThrow(
      /twice/,
    );
  });

  test("a role or a profile that does not exist, and a stated requirement without a quote", () => {
    const requirements = registry.requirements.map((row) =>
      row.id === "ACP-INIT-001" ? { ...row, role: "judge", profiles: ["v3"], quotes: [] } : row,
    );
    expect(problems(remake({ requirements }))).toEqual(
      expect.arrayContaining([
        'ACP-INIT-001: names the unknown role "judge"',
        'ACP-INIT-001: names the unknown profile "v3"',
        expect.stringMatching(/^ACP-INIT-001: expected a quote/),
      ]),
    );
  });

  test("a quote that binds a role that its requirement does not", () => {
    const requirements = registry.requirements.map((row) =>
      row.id === "ACP-INIT-001"
        ? { ...row, quotes: row.quotes.slice(0, 1).map((one) => ({ ...one, at: "5.1:s1", role: "client" })) }
        : row,
    );
    expect(problems(remake({ requirements }))).toContain(
      'ACP-INIT-001: its quote 5.1:s1 binds "client", which the requirement does not',
    );
  });

  test("pinning takes the spec as it is", () => {
    expect(pinsOf(spec).statements).toEqual(registry.pins);
  });
});

describe("the core", () => {
  test("imports no protocol", () => {
    const folder = join(packageRoot(), "src/core");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(50);
    const importers = files.filter((name) =>
      /from "(\.\.\/)+protocols\//.test(readFileSync(join(folder, name), "utf8")),
    );
    expect(importers).toEqual([]);
  });
});

describe("findProtocol", () => {
  test("names the protocols when there is none of a name", () => {
    expect(() => findProtocol("smtp")).toThrow(
      'unknown protocol "smtp"; the suite has acp, eca, helix-zed, kaiak, sman',
    );
  });
});
