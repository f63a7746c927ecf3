// Judges agents on the SDKs of others, in the languages whose toolchains are found. Every line of their baselines was
// judged by hand. A toolchain that is missing is one line. The clients of the languages fetch the SDKs.
// node --import tsx --conditions=@editwire/source scripts/real.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "./gate/judge.js";
import { realTargets } from "./gate/real.js";

const folder = mkdtempSync(join(tmpdir(), "conformance-real-"));
let failed = 0;
try {
  for (const target of realTargets(folder)) {
    if (target.skip !== undefined) {
      console.log(`skip  ${target.name}: ${target.skip}`);
      continue;
    }
    const { problems, sum } = await judge(target);
    failed += problems.length;
    console.log([`${problems.length === 0 ? "ok  " : "FAIL"}  ${target.name}: ${sum}`, ...problems].join("\n      | "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
