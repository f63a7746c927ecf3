import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../src/cli/run.js";
import { bin } from "./programs.js";
import { writePage } from "../scripts/page.js";

beforeAll(writePage);

interface Action {
  readonly inputs: Readonly<Record<string, { description: string; default?: string; required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { value: string }>>;
  readonly runs: {
    using: string;
    steps: readonly {
      id: string;
      shell: string;
      run: string;
      env: Readonly<Record<string, string>>;
      "working-directory": string;
    }[];
  };
}

const root = fileURLToPath(new URL("..", import.meta.url));
const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const [step] = action.runs.steps;
if (step === undefined) throw new TypeError("the action has no step");
const agent = `node ${relative(root, bin[1])} reference acp --role agent`;

describe("the GitHub Action", () => {
  test("hands every input to its step, and names only inputs and outputs that are there", () => {
    expect(action.runs.using).toBe("composite");
    const text = JSON.stringify([step.env, step["working-directory"]]);
    const named = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(action.inputs).sort());
    for (const { value } of Object.values(action.outputs))
      expect(step.run).toContain(`${/outputs\.([\w-]+) \}\}$/.exec(value)?.[1]}=`);
    for (const name of Object.keys(step.env)) expect(step.run).toMatch(new RegExp(`\\$${name}\\b`));
    // The content of an input must not become a part of the script.
    expect(step.run).not.toContain("${{");
  });

  test("uses flags that the command line has", () => {
    const flags = [...step.run.matchAll(/--([a-z-]+)/g)].map(([flag]) => flag);
    const ofNpx = ["--yes", "--package"];
    const known = [...ofNpx, ...runCommand(() => {}).options.map(({ long }) => long)];
    expect(flags.length).toBeGreaterThan(5);
    for (const flag of flags) expect(known).toContain(flag);
  });
});

describe("its script", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "conformance-action-"));
    // Stands in for npx, and runs the suite as it is.
    writeFileSync(
      join(folder, "npx"),
      `#!/usr/bin/env bash\necho "$1 $2 $3 $4" >"${folder}/npx.txt"\nshift 4\nexec "${bin.join('" "')}" "$@"\n`,
    );
    chmodSync(join(folder, "npx"), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs it as a runner does, with the defaults for what is not given. */
  function runs(inputs: Readonly<Record<string, string>>): {
    status: number | null;
    stdout: string;
    output: string;
    summary: string;
  } {
    const [output, summary] = [join(folder, "output"), join(folder, "summary")];
    for (const file of [output, summary]) writeFileSync(file, "");
    const values = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /inputs\.([\w-]+)/.exec(value)?.[1] ?? "";
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ""];
    });
    const env = {
      ...process.env,
      PATH: `${folder}:${process.env["PATH"]}`,
      ...Object.fromEntries(values),
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    };
    const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""], {
      cwd: root,
      env,
      encoding: "utf8",
    });
    return { status, stdout, output: readFileSync(output, "utf8"), summary: readFileSync(summary, "utf8") };
  }

  test("judges a command, and leaves its exit code, its reports and its summary", () => {
    const html = join(folder, "report.html");
    const { status, output, summary } = runs({
      role: "agent",
      command: agent,
      behaviors: "commands",
      arguments: "--filter 'acp.agent.session.n*w' acp.agent.session.cwd",
      html,
      version: "1.2.3",
    });
    expect(status).toBe(0);
    expect(output).toBe(`exit-code=0\nhtml=${html}\n`);
    expect(summary).toContain("acp agent: passed");
    expect(readFileSync(html, "utf8")).toContain("<html");
    expect(readFileSync(join(folder, "npx.txt"), "utf8")).toBe(
      "--yes --package @editwire/conformance@1.2.3 editwire-conformance\n",
    );
  });

  test("is not red for a good agent by its defaults, and judges with the version of its tag", () => {
    const { status, summary } = runs({ role: "agent", command: agent, arguments: "--limit 120", html: "" });
    expect(summary).toContain("acp agent: passed");
    expect(summary).toContain("not judged: ");
    expect(status).toBe(0);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(readFileSync(join(folder, "npx.txt"), "utf8")).toContain(`@editwire/conformance@${version} `);
  }, 120_000);

  test("judges by the given profile, fails with the suite's exit code, and executes no text of an input", () => {
    const { status, output, stdout } = runs({
      protocol: "eca",
      role: "server",
      profile: "v2026",
      unix: `/nonexistent $(touch ${folder}/harm)`,
      command: "",
      html: "",
    });
    expect(status).toBe(4);
    expect(stdout).toContain("eca server · v2026 ·");
    expect(output).toBe("exit-code=4\nhtml=\n");
    expect(stdout).toContain("target-error");
    expect(() => readFileSync(join(folder, "harm"))).toThrow();
  });
});
