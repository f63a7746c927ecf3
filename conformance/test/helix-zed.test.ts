import { describe, expect, test } from "vitest";
import { registryProblems } from "../src/core/registry/check.js";
import { findProtocol } from "../src/protocols/all.js";

const helixZed = findProtocol("helix-zed");
const registry = helixZed.registry();
const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`);

describe("the registry of Helix-Zed", () => {
  test("is complete", () => {
    expect(registryProblems(registry, helixZed)).toEqual([]);
  });

  test("has a row for every finding A01 to A27 and H01 to H25", () => {
    const known = new Set(registry.requirements.flatMap(({ aka }) => aka));
    expect([...numbered("A", 27), ...numbered("H", 25)].filter((id) => !known.has(id))).toEqual([]);
  });

  test("claims every line of the specification's testing checklist", () => {
    const claimed = new Set(registry.requirements.flatMap(({ quotes }) => quotes.map(({ at }) => at)));
    expect(
      Array.from({ length: 10 }, (_, index) => `testing-checklist:l${index + 1}`).filter((at) => !claimed.has(at)),
    ).toEqual([]);
  });

  test("judges nothing in a role that the requirement does not bind", () => {
    const wrong = helixZed.cases.flatMap(({ id, role, emits }) =>
      emits
        .filter((req) => ![role, "both"].includes(registry.byId.get(req)?.role ?? ""))
        .map((req) => `${id} judges ${req}`),
    );
    expect(wrong).toEqual([]);
  });

  test("warns, and no more, about what the specification does not have", () => {
    const soft = registry.requirements.filter(({ id }) => /^HELIX-(READY|LOAD|CANCEL|ERROR|INTERRUPT)-/.test(id));
    expect(soft.length).toBeGreaterThan(8);
    expect(soft.filter(({ level }) => level !== "should")).toEqual([]);
  });

  test("fails for fields that are not as the specification has them", () => {
    const forms = registry.requirements.filter(({ id }) => id.startsWith("HELIX-FORM-"));
    const soft = forms.filter(({ level }) => level !== "must").map(({ id }) => id);
    expect(soft).toEqual(["HELIX-FORM-no-thread-id", "HELIX-FORM-addition", "HELIX-FORM-type"]);
  });
});
