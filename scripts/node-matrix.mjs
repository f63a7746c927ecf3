// Runs tests on another version of Node, fetched by npx: node scripts/node-matrix.mjs MAJOR [FOLDER…]
// The default is packages/.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./lib/run.mjs";
import { readTestReport } from "./lib/test-report.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [version = "24", ...given] = process.argv.slice(2);
const folders = given.length > 0 ? given : ["packages/"];
const folder = mkdtempSync(join(tmpdir(), "node-matrix-"));
const report = join(folder, "report.json");
const vitest = `node node_modules/vitest/vitest.mjs run ${folders.join(" ")} --reporter=default --reporter=json`;
const command = `node --version && ${vitest} --outputFile.json=${report}`;
const { code, output } = await run("npx", ["--yes", "-p", `node@${version}`, "-c", command], { cwd: root });
const ran = new RegExp(`^v${version}\\.`, "m").test(output);
const { passed, failures } = readTestReport(report);
if (code === 0 && ran) {
  console.log(`Node ${version}: ${passed} tests passed`);
} else {
  process.exitCode = 1;
  const said = failures.length > 0 ? failures : [output];
  console.log([`Node ${version}: ${ran ? "failed" : "did not start"}`, ...said].join("\n"));
}
rmSync(folder, { recursive: true });
