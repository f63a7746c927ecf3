import { describe, expect, test } from "vitest";
import { runConformance } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { findProtocol } from "../src/protocols/all.js";
import { mutant } from "../src/core/mutant.js";
import { bases } from "../src/core/registry/requirement.js";
import { openWsReference } from "../src/mutants/ws-references.js";
import { openReference } from "../src/mutants/references.js";
import { rightBackend } from "../src/protocols/sman/reference/backend-behavior.js";
import { rightPlugin } from "../src/protocols/sman/reference/plugin-behavior.js";
import type { SmanBackendOptions } from "@editwire/sman";
import { listenBackend, v2 } from "./fixtures/backends/sman-steered.js";

const sman = findProtocol("sman");
const registry = sman.registry();
const roles = { backend: rightBackend, plugin: rightPlugin };

describe("the registry of sman", () => {
  test("is complete", () => {
    expect(registryProblems(registry, sman)).toEqual([]);
  });

  test("has a row for every finding C01 to C70", () => {
    const known = new Set(registry.requirements.flatMap(({ aka }) => aka));
    const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const wanted = [...range(1, 8), ...range(10, 29), ...range(40, 70)].map((n) => `C${String(n).padStart(2, "0")}`);
    expect(wanted.filter((id) => !known.has(id))).toEqual([]);
  });

  test("judges nothing in a role that the requirement does not bind", () => {
    const wrong = sman.cases.flatMap(({ id, role, emits }) =>
      emits
        .filter((req) => ![role, "both"].includes(registry.byId.get(req)?.role ?? ""))
        .map((req) => `${id} judges ${req}`),
    );
    expect(wrong).toEqual([]);
  });

  test("demands nothing that only some backends and plugins do", () => {
    const levels = ["SMAN-CHANGE-005", "SMAN-CHANGE-008", "SMAN-GREP-015", "SMAN-LINK-021", "SMAN-RESULT-025"].map(
      (id) => registry.byId.get(id)?.level,
    );
    expect(new Set(levels)).toEqual(new Set(["should"]));
  });
});

describe("the envelope of sman", () => {
  const { request, result, classify } = sman.envelope;

  test("has the fields of a call at the root, and those of a result in data", () => {
    const call = { type: "TOOL_CALL", toolCallId: "1", toolName: "grep_file", params: {}, webSocketSessionId: "s" };
    const { type: _, toolCallId: __, ...params } = call;
    expect(request("1", "TOOL_CALL", params)).toEqual(call);
    expect(classify(call)).toEqual({ kind: "request", id: "1", method: "TOOL_CALL", params });
    const answer = { type: "TOOL_RESULT", data: { toolCallId: "1", success: true } };
    expect(result("1", { success: true })).toEqual(answer);
    expect(classify(answer)).toEqual({ kind: "result", id: "1", result: { success: true } });
  });

  test.each([
    { type: "TOOL_CALL", data: { toolCallId: "1", toolName: "grep_file", params: {} } },
    { type: "TOOL_RESULT", toolCallId: "1", success: true },
    { type: "TOOL_RESULT", data: { success: true } },
    { toolCallId: "1" },
    [],
  ])("takes %j for no message", (message) => {
    expect(classify(message)).toMatchObject({ kind: "invalid" });
  });
});

describe.each(["backend", "plugin"] as const)("the mutants of the reference %s", (role) => {
  const mutants = sman.mutants.filter((one) => one.role === role);

  test("violate every requirement that binds it", () => {
    const violated = new Set(mutants.flatMap(({ violates }) => violates));
    const judged = registry.requirements.filter((row) => [role, "both"].includes(row.role) && row.oracle !== "none");
    expect(judged.filter(({ id }) => !violated.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test("use every switch", () => {
    const used = new Set(
      mutants.flatMap(({ patch }) => Object.keys(typeof patch === "function" ? patch() : (patch ?? {}))),
    );
    expect(Object.keys(roles[role]).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("a whole run", () => {
  test.each(["backend", "plugin"])("finds nothing in the reference %s", async (role) => {
    const { target, close } = await openReference(sman, role, undefined, undefined);
    const report = await runConformance({
      protocol: sman,
      role,
      target,
      seed: 1,
      jobs: 8,
      quietScale: 0.1,
      basis: bases,
    });
    await close();
    expect(report.cases.slice(1).filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(report.outcome).toBe("conformant");
  });

  test("finds nothing in our backend, over a real WebSocket", async () => {
    const listen = async () => {
      const { ready, close, ...control } = await listenBackend();
      return { ...ready, control, close };
    };
    const { target, close } = await openWsReference({ listen }, sman.ws, undefined);
    const report = await runConformance({ protocol: sman, role: "backend", target, seed: 1, jobs: 8, basis: bases });
    await close();
    expect(report.cases.slice(1).filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(report.outcome).toBe("conformant");
  });
});

test("a call that fails before its message was read is judged all the same", async () => {
  const hasty = mutant("sman.backend/hasty", { violates: [], patch: { timeoutMs: (ms = 30_000) => ms / 100 } });
  const { target, close } = await openReference(sman, "backend", hasty, undefined);
  const run = { protocol: sman, role: "backend", target, seed: 1, timeScale: 0.2, basis: bases };
  const report = await runConformance({ ...run, filter: ["sman.backend.match.late"] });
  await close();
  expect(report.cases.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ["not-applicable", undefined],
    ["pass", undefined],
  ]);
});

describe("the profile of sman 2.0", () => {
  const judged = async (options: SmanBackendOptions, profile: string) => {
    const listen = async () => {
      const { ready, close, ...control } = await listenBackend(options);
      return { ...ready, control, close };
    };
    const { target, close } = await openWsReference({ listen }, sman.ws, undefined);
    const run = { protocol: sman, role: "backend", target, profile, seed: 1, jobs: 8, basis: bases, timeScale: 0.2 };
    const report = await runConformance({ ...run, filter: ["sman.backend.v2.*", "sman.backend.match.unknown"] });
    await close();
    const odd = report.cases
      .flatMap(({ checks }) => checks)
      .filter(({ verdict }) => !["pass", "not-applicable"].includes(verdict));
    return {
      outcome: report.outcome,
      cases: report.cases.length,
      odd: [...new Set(odd.map(({ verdict, req }) => `${verdict} ${req}`))].sort(),
    };
  };

  test("has nothing against our backend of 2.0", async () => {
    expect(await judged(v2, "v2")).toMatchObject({ outcome: "passed", odd: [] });
  });

  test("warns a backend of the specification, and no more", async () => {
    const { outcome, odd } = await judged({}, "v2");
    expect(outcome).toBe("passed");
    expect(odd.filter((one) => !one.startsWith("warn SMAN-V2-"))).toEqual([]);
    expect(odd).toEqual(expect.arrayContaining(["warn SMAN-V2-003", "warn SMAN-V2-004", "warn SMAN-V2-008"]));
  });

  test("is nobody's business in the other", async () => {
    await expect(judged(v2, "spec")).rejects.toThrow(/no backend case matches "sman.backend.v2/);
    const added = registry.requirements.filter(({ id }) => id.startsWith("SMAN-V2-"));
    expect(added.filter(({ level, profiles }) => level === "must" || profiles.join() !== "v2")).toEqual([]);
  });
});
