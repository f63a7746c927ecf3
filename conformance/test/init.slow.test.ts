import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { readBaseline } from "../src/core/verdict/baseline.js";
import { bundle } from "../../scripts/testing/bundle.js";
import { bin } from "./programs.js";

const { codingAgent } = await bundle(import.meta.url, { codingAgent: "../../examples/coding-agent/src/main.ts" });

const env = { ...process.env, CODING_AGENT_MODEL: "conformance" };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-init-"));
  const reference = `process.argv.splice(2, 0, "reference", "acp", "--role", "agent");\n`;
  writeFileSync(
    join(folder, "agent.mjs"),
    `${reference}await import(${JSON.stringify(pathToFileURL(bin[1]).href)});\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const init = (...more: readonly string[]): { status: number | null; stderr: string; stdout: string } =>
  spawnSync(bin[0], [bin[1], "init", "acp", "--role", "agent", ...more], { cwd: folder, encoding: "utf8", env });
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const workflow = (): unknown => parse(text(".github/workflows/conformance.yml"));

test("init without a command and a package says what it expects", () => {
  expect(init()).toMatchObject({ status: 2, stderr: expect.stringContaining("expected a command after --, or a") });
});

test("init judges the bin of the package once, and writes a workflow and a baseline", () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", bin: { a: "./agent.mjs" } }));
  const { status, stderr } = init();
  expect(stderr).toContain("target: node ./agent.mjs\n");
  expect(stderr).toContain("no recipe: ");
  expect(status).toBe(0);
  expect(existsSync(join(folder, "conformance.json"))).toBe(false);
  expect(readBaseline(join(folder, "conformance-baseline.yaml"))).toEqual([]);
  expect(workflow()).toMatchObject({
    on: ["push", "pull_request"],
    jobs: {
      conformance: {
        steps: [
          { uses: "actions/checkout@v4" },
          { uses: "actions/setup-node@v4" },
          { run: "npm install" },
          { run: "npm run build --if-present" },
          {
            uses: expect.stringMatching(/^editwire\/editwire\/conformance@conformance-v\d+\.\d+\.\d+$/),
            with: { role: "agent", command: "node ./agent.mjs", baseline: "conformance-baseline.yaml" },
          },
        ],
      },
    },
  });
  expect(init()).toMatchObject({ status: 2, stderr: expect.stringContaining("would be replaced; --force does so") });
}, 300_000);

test("init finds that the model of an agent can be replaced, and what fails today passes with its baseline", () => {
  const command = [process.execPath, codingAgent, "acp", "--profile", "spec"];
  const { status, stderr } = init("--force", "--", ...command);
  expect(stderr).toContain("wrote conformance.json\n");
  expect(status).toBe(0);
  expect(JSON.parse(text("conformance.json"))).toMatchObject({ command, env: { OPENAI_BASE_URL: "{openai}" } });
  expect(workflow()).toMatchObject({
    jobs: {
      conformance: {
        steps: expect.arrayContaining([
          expect.objectContaining({ with: expect.objectContaining({ target: "conformance.json" }) }),
        ]),
      },
    },
  });
  const again = ["run", "acp", "--role", "agent", "--target", "conformance.json"];
  const judged = spawnSync(bin[0], [bin[1], ...again, "--baseline", "conformance-baseline.yaml"], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  expect(judged.stdout).toMatch(/^(passed|conformant) \(exit 0\): /m);
}, 600_000);
