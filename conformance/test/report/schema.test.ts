import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryTarget, runConformance } from "../../src/index.js";
import { serveOf } from "../../src/mutants/references.js";
import { patchOf } from "../../src/core/mutant.js";
import { findProtocol } from "../../src/protocols/all.js";
import { jsonReport, readReport } from "../../src/report/json.js";
import { reportJsonSchema } from "../../src/report/schema.js";
import { toyProtocol, toyRun } from "./reports.js";

const published = readFileSync(new URL("../../schemas/report.schema.json", import.meta.url), "utf8");
const acp = findProtocol("acp");
const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ } });
const validate = ajv.compile(JSON.parse(published) as object);

describe("generated files are current; `npm run generate` writes them", () => {
  test("the schema of the JSON report", () => expect(JSON.parse(published)).toEqual(reportJsonSchema()));
});

describe("real reports are valid, and readable again", () => {
  const expectValid = (text: string): void => {
    expect(validate(JSON.parse(text)) || ajv.errorsText(validate.errors)).toBe(true);
    expect(isDeepStrictEqual(readReport(text, "it"), JSON.parse(text))).toBe(true);
  };

  test("of a run with every verdict, and with a baseline", async () => {
    expectValid(jsonReport(await toyRun(), { protocol: toyProtocol, traces: "all", command: "x", proven: [] }));
    expectValid(
      jsonReport(await toyRun({ baseline: [{ check: "*#TOY-MUST-2", expect: "fail", reason: "known" }] }), {
        protocol: toyProtocol,
      }),
    );
  });

  test("of targets that do not answer, answer garbage, and of an interrupted run", async () => {
    expectValid(jsonReport(await toyRun({ startMs: 50 }, () => []), { traces: "all" }));
    expectValid(
      jsonReport(await toyRun({}, () => ["text", null, 1, { jsonrpc: "2.0", id: {}, result: 1 }]), {
        protocol: toyProtocol,
        traces: "all",
      }),
    );
    const interrupted = await toyRun({ signal: AbortSignal.abort() });
    expect(interrupted.outcome).toBe("interrupted");
    expectValid(jsonReport(interrupted, { protocol: toyProtocol, traces: "all" }));
  });

  describe("of ACP agents", () => {
    const reference = acp.reference["agent"];
    const mutants = acp.mutants.filter(({ role }) => role === "agent").slice(0, 3);
    const run = (patch?: Readonly<Record<string, unknown>>) => {
      if (reference === undefined) throw new Error("no reference agent");
      const target = memoryTarget(serveOf(reference, patch));
      return runConformance({
        protocol: acp,
        role: "agent",
        behaviors: "commands",
        target,
        filter: ["acp.agent.initialize.*", "acp.agent.cancel.*"],
        timeScale: 0.2,
        quietScale: 0.1,
        seed: 1,
      });
    };
    let texts: string[];
    beforeAll(async () => {
      texts = await Promise.all(
        [run(), ...mutants.map((mutant) => run(patchOf(mutant)))].map(async (report) =>
          jsonReport(await report, { protocol: acp, traces: "all" }),
        ),
      );
    });

    test("right and broken ones", () => {
      expect(texts.length).toBe(4);
      for (const text of texts) expectValid(text);
    });
  });
});

test("the schema refuses what is not a report", () => {
  expect(validate({ version: 1 })).toBe(false);
  expect(validate([])).toBe(false);
});
