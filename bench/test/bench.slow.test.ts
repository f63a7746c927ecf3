import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPrograms, type Programs } from "../src/build.js";
import { measureInProcess } from "../src/measure.js";
import type { Options } from "../src/options.js";
import { runBench } from "../src/run.js";
import { overPipes } from "../src/workloads/workload.js";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "editwire-"))));
afterAll(() => rm(folder, { recursive: true }));

const base: Options = { workloads: [], rounds: 1, scale: 0.001, growth: false, writeReadme: false };
const aMinute = 60_000;

async function run(
  options: Partial<Options>,
): Promise<{ text: string; document: { results: { workload: string; contenders: Record<string, object> }[] } }> {
  const json = join(folder, `${Math.random()}.json`);
  let text = "";
  await runBench({ ...base, json, ...options }, { out: (printed) => (text += printed), note: () => {} });
  return { text, document: JSON.parse(await readFile(json, "utf8")) as never };
}

describe("the bench, end to end at a tiny scale", () => {
  it("has every contender handle the same updates", { timeout: aMinute }, async () => {
    const { text, document } = await run({ workloads: ["flood-mixed"] });
    const [result] = document.results;
    expect(Object.keys(result?.contenders ?? {}).sort()).toEqual(
      [...overPipes, "editwire/acp", "editwire/acp-v1"].sort(),
    );
    expect(text).toMatch(/flood-mixed rate editwire\/acp /);
    expect(text).toMatch(/reached +flood-mixed rate, editwire\/acp \/ acp-sdk/);
  });

  it("floods with awaited sends, too", { timeout: aMinute }, async () => {
    const { text, document } = await run({ workloads: ["flood-mixed-awaited"] });
    const [result] = document.results;
    expect(Object.keys(result?.contenders ?? {})).toEqual([...overPipes, "editwire/acp", "editwire/acp-v1"]);
    expect(text).toMatch(/reached +flood-mixed-awaited rate, editwire\/acp \/ acp-sdk/);
  });

  it("measures every kind of workload", { timeout: aMinute }, async () => {
    const workloads = ["ping", "flood-ws", "decode-text", "encode", "unix-100", "bundle", "slow"];
    const { document } = await run({ workloads, only: ["editwire"], scale: 0.02, slowMegabytes: 0.1 });
    expect(document.results.map(({ workload }) => workload)).toEqual(workloads);
    for (const { contenders } of document.results) {
      const figures = Object.values(contenders["editwire"] ?? {}) as { median: number }[];
      expect(figures.length).toBeGreaterThan(0);
      for (const { median } of figures) expect(median).toEqual(expect.any(Number));
    }
  });

  it("measures the tools of an IDE on generated projects", { timeout: aMinute }, async () => {
    const { text, document } = await run({ workloads: ["grep", "call-chain"], scale: 0.002 });
    expect(document.results.map(({ contenders }) => Object.keys(contenders))).toEqual([
      ["editwire/ide-tools", "editwire/ide-tools-scan", "floor/ide-tools"],
      ["editwire/ide-tools"],
    ]);
    expect(text).toMatch(/reached +grep ms, editwire\/ide-tools \/ floor\/ide-tools/);
    expect(text).toMatch(/reached +call-chain changed, editwire\/ide-tools/);
  });

  it("imports entry points as they would be installed", { timeout: aMinute }, async () => {
    const { text } = await run({ workloads: ["import"], only: ["editwire/acp/node", "editwire/core/errors", "zod"] });
    expect(text).toMatch(/import ms editwire\/core\/errors +[\d.]+ ms/);
    expect(text).toMatch(/import ms, editwire\/acp\/node \/ zod/);
  });
});

describe("a measured process", () => {
  let programs: Programs;
  beforeAll(async () => void (programs = await buildPrograms()));
  afterAll(() => programs.remove());

  it("fails the run when the contender does not do the work", async () => {
    const job = { kind: "flood", contender: "nobody", corpus: 200, count: 1 } as const;
    await expect(measureInProcess(programs.measured, job, [])).rejects.toThrow("there is no contender nobody");
  });
});
