import { beforeAll, describe, expect, test } from "vitest";
import { memoryTarget, runConformance } from "../src/index.js";
import { redacted } from "../src/core/verdict/redact.js";
import { jsonReport } from "../src/report/json.js";
import { htmlReport } from "../src/report/html.js";
import { junitReport } from "../src/report/junit.js";
import { type DocumentOptions, reportDocument } from "../src/report/document.js";
import { terminalReport } from "../src/report/terminal.js";
import { lookupIn } from "../src/core/registry/select-in.js";
import { writeTrace } from "../src/trace/file.js";
import { pong, toy, toyCase, toyServer } from "./toy.js";
import { writePage } from "../scripts/page.js";

beforeAll(writePage);

const secret = 'sk-"live"-4711';
const leaks = ({ id }: Record<string, unknown>) => [
  ...pong({ id }),
  { jsonrpc: "2.0", method: "note", params: { text: `my key is ${secret}` } },
];
const tells = toyCase(
  "tells",
  ["TOY-MUST"],
  async (t) => {
    const told = await t.expect.notify("note");
    t.check("TOY-MUST", false, { expected: "no secret", actual: told.params, message: `it said ${secret}` });
  },
  { isolation: "connection" },
);

describe("redacted", () => {
  const find = async () => {
    const protocol = toy([
      toyCase("asks", ["TOY-MUST"], async (t) => void (await t.send.request("ping", { secret }).result())),
      tells,
    ]);
    const report = await runConformance({
      protocol,
      role: "server",
      target: memoryTarget(toyServer(leaks), `server --key ${secret}`),
      faults: ["split:1"],
      timeScale: 0.2,
      seed: 1,
    });
    return { protocol, report };
  };
  const forms = [secret, JSON.stringify(secret).slice(1, -1), JSON.stringify(JSON.stringify(secret)).slice(3, -3)];

  test("takes a secret out of every report and trace, also where it went out byte by byte", async () => {
    const { protocol, report } = await find();
    const clean = redacted(report, ["", secret]);
    const documents: DocumentOptions = { protocol, traces: "all" };
    const document = reportDocument(clean, documents);
    const options = { lookup: lookupIn(protocol.registry()), command: "" };
    const texts = [
      jsonReport(clean, documents),
      junitReport(document),
      terminalReport(clean, options),
      ...clean.cases.map(({ trace }) => writeTrace(trace)),
    ];
    for (const text of [...texts, JSON.stringify(document)]) for (const form of forms) expect(text).not.toContain(form);
    for (const { trace } of clean.cases) {
      const bytes = Buffer.concat(
        trace.flatMap((entry) => (entry.kind === "bytes" ? [Buffer.from(entry.bytes)] : [])),
      ).toString();
      for (const form of forms) expect(bytes).not.toContain(form);
    }
    expect(jsonReport(clean, documents)).toContain("my key is [redacted]");
    expect(htmlReport([document])).not.toContain("4711");
  });

  test("leaves the run's own report, its counts and its verdicts as they are", async () => {
    const { report } = await find();
    const clean = redacted(report, [secret]);
    expect(clean.totals).toEqual(report.totals);
    expect(clean.exitCode).toBe(report.exitCode);
    expect(JSON.stringify(report.cases)).toContain("4711");
    expect(redacted(report, [])).toBe(report);
  });
});
