import { describe, expect, test } from "vitest";
import { protocols, type Registry } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { clauseProblems, clausesWithoutMutants, gapProblems, knownGaps } from "../src/core/registry/clauses.js";
import { mutant } from "../src/core/mutant.js";
import { makeRegistry } from "../src/core/registry/registry.js";
import type { Quote, Requirement } from "../src/core/registry/requirement.js";

const roles = findProtocol("acp").roles;
const mutants = [
  mutant("toy.agent/silent", { violates: ["TOY-1"] }),
  mutant("toy.agent/slow", { violates: ["TOY-2"] }),
  mutant("toy.client/silent", { violates: ["TOY-1"] }),
  mutant("toy.agent/v1-silent", { violates: ["TOY-1"], profile: "v1" }),
];

/** A registry of one requirement with these quotes of a specification of three sentences. */
function registryWith(quotes: readonly Quote[], row: Partial<Requirement> = {}): Registry {
  const requirement: Requirement = {
    id: "TOY-1",
    level: "must",
    basis: "stated",
    role: "agent",
    text: "answers",
    quotes,
    cites: [],
    oracle: "case",
    profiles: [],
    transports: [],
    aka: [],
    ...row,
  };
  return makeRegistry({
    requirements: [requirement],
    exclusions: [],
    spec: "## 1. Answers\n\nIt answers. It answers once. It answers so.\n",
    pages: [{ anchor: "page:1", text: "It answers.", line: 1, profile: "v1" }],
    pins: {},
  });
}
const users = { mutants, roles };
const quote = (at: string, more: Partial<Quote> = {}): Quote => ({ at, text: "It answers", ...more });
const silent = ["toy.agent/silent"];

describe("clauses without a mutant", () => {
  test.each<[string, Quote[], Partial<Requirement>, string[]]>([
    ["a quote without mutants", [quote("1:s1")], {}, ["TOY-1 agent 1:s1"]],
    ["a quote with its mutant", [quote("1:s1", { mutants: silent })], {}, []],
    ["one of two quotes has a mutant", [quote("1:s1", { mutants: silent }), quote("1:s2")], {}, ["TOY-1 agent 1:s2"]],
    [
      "a requirement of both roles needs a mutant of each",
      [quote("1:s1", { mutants: silent })],
      { role: "both" },
      ["TOY-1 client 1:s1"],
    ],
    [
      "a quote that binds one role of a requirement of both",
      [quote("1:s1", { role: "agent", mutants: silent }), quote("1:s2", { role: "client" })],
      { role: "both" },
      ["TOY-1 client 1:s2"],
    ],
    [
      "a quote that repeats another one",
      [quote("1:s1", { mutants: silent }), quote("1:s2", { repeats: "1:s1" })],
      {},
      [],
    ],
    [
      "a quote of a profile's own document",
      [quote("1:s1", { mutants: silent })],
      { in: { v1: { basis: "stated", quotes: [quote("page:1")] } } },
      ["TOY-1 agent page:1"],
    ],
    ["a requirement that nothing judges", [quote("1:s1")], { oracle: "none" }, []],
  ])("%s", (_name, quotes, row, expected) => {
    expect(clausesWithoutMutants(registryWith(quotes, row), users)).toEqual(expected);
  });
});

describe("mutants of clauses", () => {
  test.each<[string, Quote[], string]>([
    ["one that does not exist", [quote("1:s1", { mutants: ["toy.agent/none"] })], "does not exist"],
    ["one that violates something else", [quote("1:s1", { mutants: ["toy.agent/slow"] })], "does not violate TOY-1"],
    [
      "one of another profile",
      [quote("1:s1", { mutants: ["toy.agent/v1-silent"] })],
      "is judged by the document of another profile",
    ],
    [
      "one that is that of another quote",
      [quote("1:s1", { mutants: silent }), quote("1:s2", { mutants: silent })],
      "is the mutant of 1:s1 already",
    ],
    ["a repetition of nothing", [quote("1:s1", { repeats: "1:s3" })], "repeats 1:s3, which is not a clause"],
    ["a repetition of itself", [quote("1:s1", { repeats: "1:s1" })], "repeats 1:s1, which is not a clause"],
  ])("%s", (_name, quotes, problem) => {
    expect(clauseProblems(registryWith(quotes), users)).toEqual([expect.stringContaining(problem)]);
  });
});

test("two requirements that quote the same words need mutants that tell them apart", () => {
  const quotes = [quote("1:s1", { mutants: ["toy.agent/both"] })];
  const rows = ["TOY-1", "TOY-2"].flatMap((id) => registryWith(quotes, { id }).requirements);
  const problems = (violates: readonly string[]): string[] => {
    const both = [mutant("toy.agent/both", { violates: ["TOY-1", "TOY-2"] })];
    const apart = violates.map((id) => mutant(`toy.agent/only-${id}`, { violates: [id] }));
    const registry = { ...registryWith([]), requirements: rows };
    return clauseProblems(registry, { mutants: [...both, ...apart], roles });
  };
  const alone = (id: string, other: string): string =>
    `${id} agent 1:s1: ${other} quotes the same words, and no mutant violates ${id} alone`;
  expect(problems([])).toEqual([alone("TOY-1", "TOY-2"), alone("TOY-2", "TOY-1")]);
  expect(problems(["TOY-1"])).toEqual([alone("TOY-2", "TOY-1")]);
  expect(problems(["TOY-1", "TOY-2"])).toEqual([]);
});

test("a gap that is new, and one that is closed, are problems; a known one is none", () => {
  expect(gapProblems(["new", "known"], ["known", "closed"])).toEqual([
    expect.stringMatching(/^new: no mutant/),
    expect.stringMatching(/^closed: is listed as a gap/),
  ]);
});

test.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
  "the known gaps of %s are its gaps",
  (name, protocol) => {
    expect(gapProblems(clausesWithoutMutants(protocol.registry(), protocol), knownGaps(name))).toEqual([]);
  },
);
