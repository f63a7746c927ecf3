// Finds test files in the JSON report of `npm test` that are too slow for it: node scripts/check-slow.mjs REPORT
// In company a file may wait for others, so the longest run once more, each alone. Of that time only the part counts in
// which nothing waited for a processor: a busy machine makes no file slow.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./lib/run.mjs";
import { readTestReport } from "./lib/test-report.mjs";
import { report, root } from "./lib/workspace.mjs";

/** Files that take this many seconds in company are run alone, the longest of them. */
const SUSPECT_S = 20;
const SUSPECTS = 4;
/** The rule says ten seconds. Machines differ by this much. */
const LIMIT_S = 15;

const { durations } = readTestReport(process.argv[2] ?? "");
const suspects = durations
  .filter(({ ms }) => ms > SUSPECT_S * 1_000)
  .sort((one, other) => other.ms - one.ms)
  .slice(0, SUSPECTS);
const findings = [];
for (const { file } of suspects) {
  const seconds = await secondsAlone(file);
  if (seconds > LIMIT_S)
    findings.push(
      `${file} takes ${Math.round(seconds)} s alone; call it ${file.replace(/\.test\.ts$/, ".slow.test.ts")}`,
    );
}
report(
  "slow",
  findings,
  `${suspects.length} of ${durations.length} test files took more than ${SUSPECT_S} s in company`,
);

async function secondsAlone(file) {
  const folder = mkdtempSync(join(tmpdir(), "check-slow-"));
  const json = join(folder, "report.json");
  const [start, waited] = [performance.now(), waitedMs()];
  const args = ["vitest", "run", file, "--reporter=json", `--outputFile.json=${json}`];
  await run("npx", args, { cwd: root });
  const busy = (waitedMs() - waited) / (performance.now() - start);
  const [{ ms } = { ms: 0 }] = readTestReport(json).durations;
  rmSync(folder, { recursive: true });
  return (ms / 1_000) * (1 - busy);
}

/** Milliseconds in which a process of this machine waited for a processor, where the system counts them. */
function waitedMs() {
  const file = "/proc/pressure/cpu";
  const some = existsSync(file) ? /some .*total=(\d+)/.exec(readFileSync(file, "utf8")) : null;
  return Number(some?.[1] ?? 0) / 1_000;
}
