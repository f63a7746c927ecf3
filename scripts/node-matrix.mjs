// Runs the packages' tests on other versions of Node, fetched by npx: node scripts/node-matrix.mjs [MAJOR…]
// In the short form: `npm test` has tested what takes long.
import { fileURLToPath } from "node:url";
import { run } from "./lib/run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24"];

for (const version of versions) {
  const command = "node --version && node node_modules/vitest/vitest.mjs run packages/";
  const { code, output } = await run("npx", ["--yes", "-p", `node@${version}`, "-c", command], {
    cwd: root,
    env: { EDITWIRE_SHORT: "1" },
  });
  const ran = new RegExp(`^v${version}\\.`, "m").test(output);
  if (code !== 0 || !ran) process.exitCode = 1;
  console.log(
    code === 0 && ran ? `Node ${version}: passed` : `Node ${version}: ${ran ? "failed" : "did not start"}\n${output}`,
  );
}
