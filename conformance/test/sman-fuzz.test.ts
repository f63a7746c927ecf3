import { afterEach, describe, expect, test } from "vitest";
import { mutant } from "../src/core/mutant.js";
import { findProtocol } from "../src/protocols/all.js";
import { type FuzzMode, runFuzz } from "../src/fuzz/run-fuzz.js";
import { openReference } from "../src/mutants/references.js";
import { type BackendBehavior, rightBackend } from "../src/protocols/sman/reference/backend-behavior.js";
import { type PluginBehavior, rightPlugin } from "../src/protocols/sman/reference/plugin-behavior.js";

const protocol = findProtocol("sman");
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function fuzzed(role: string, patch: object, modes: readonly FuzzMode[], runs: number) {
  const changed = mutant(`sman.${role}/changed`, { violates: [], patch: { ...patch } });
  const { target, close } = await openReference(protocol, role, changed, undefined);
  closes.push(close);
  return runFuzz({ protocol, role, target, timeScale: 0.3, shrinkMs: 300, seed: 7, modes, runs });
}
const plugin = (patch: Partial<PluginBehavior>, modes: readonly FuzzMode[], runs: number) =>
  fuzzed("plugin", patch, modes, runs);
const backend = (patch: Partial<BackendBehavior>, modes: readonly FuzzMode[], runs: number) =>
  fuzzed("backend", patch, modes, runs);

describe("the fuzzer of sman", () => {
  test.each(["plugin", "backend"])("finds nothing in the reference %s", async (role) => {
    const { failures, error, runs } = await fuzzed(role, {}, ["messages", "life"], 40);
    expect(failures.map(({ problem, steps }) => [problem, steps])).toEqual([]);
    expect({ error, runs }).toEqual({ error: undefined, runs: { messages: 40, life: 40 } });
  });

  test("finds a plugin that dies of a wrong call", async () => {
    const { failures } = await plugin({ survives: (odd) => odd !== "bad-call" }, ["messages"], 100);
    expect(failures[0]?.mode).toBe("messages");
  });

  test("finds a plugin that forgets calls when there are several", async () => {
    let count = 0;
    const schedule: PluginBehavior["schedule"] = (work, call) =>
      void (++count % 7 > 0 && rightPlugin.schedule(work, call));
    expect((await plugin({ schedule }, ["life"], 60)).failures[0]?.mode).toBe("life");
  });

  test("finds a backend that mixes up results", async () => {
    let last: unknown;
    const outcome: BackendBehavior["outcome"] = (fields) => {
      const before = last ?? fields["result"];
      last = fields["result"];
      return rightBackend.outcome({ ...fields, result: before });
    };
    const { failures } = await backend({ outcome }, ["life"], 60);
    expect(failures[0]?.problem).toContain("another result than its own");
  });

  test("finds a backend that dies of a result that is not a string", async () => {
    const outcome: BackendBehavior["outcome"] = (fields) => {
      if (Array.isArray(fields["result"])) throw new TypeError("result");
      return rightBackend.outcome(fields);
    };
    const odd: BackendBehavior["odd"] = (what) => (what === "id" ? "die" : "drop");
    expect((await backend({ outcome, odd }, ["messages"], 100)).failures[0]?.mode).toBe("messages");
  });
});
