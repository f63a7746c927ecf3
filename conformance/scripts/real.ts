// Judges agents on the SDKs of others, in the languages whose toolchains are found, and has whole turns between their
// peers and ours. Every line of the baselines was judged by hand. A toolchain that is missing is one line. The clients
// of the languages fetch the SDKs. CI judges those in Python and Go. The SDK in Rust takes many minutes to compile, so
// it is judged before a release. node --import tsx --conditions=@editwire/source scripts/real.ts [python] [go] [rust]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "./gate/judge.js";
import { makePrograms, realTargets } from "./gate/real.js";
import { realTurns } from "./gate/real-turns.js";

const folder = mkdtempSync(join(tmpdir(), "conformance-real-"));
let failed = 0;
try {
  const programs = makePrograms(folder, process.argv.slice(2));
  const judged = realTargets(programs).map((target) => ({ ...target, run: () => judge(target) }));
  for (const { name, skip, run } of [...judged, ...(await realTurns(folder, programs))]) {
    if (skip !== undefined) {
      console.log(`skip  ${name}: ${skip}`);
      continue;
    }
    const { problems, sum } = await run();
    failed += problems.length;
    console.log([`${problems.length === 0 ? "ok  " : "FAIL"}  ${name}: ${sum}`, ...problems].join("\n      | "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
