import { execFile } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commands } from "./commands.js";

const require = createRequire(import.meta.url);
let home: string;
beforeEach(async () => (home = await realpath(await mkdtemp(join(tmpdir(), "editwire-acpx-")))));
afterEach(() => rm(home, { recursive: true }));

describe.each([
  ["0.1.15", "acpx"],
  ["0.19.1", "acpx-newest"],
])("acpx %s", (_version, name) => {
  const cli = join(require.resolve(`${name}/package.json`), "../dist/cli.js");

  /** Runs one prompt through acpx and gives both directions of its wire. */
  async function exec(
    prompt: string,
    flags: readonly string[] = [],
    agent: readonly string[] = commands.agent,
  ): Promise<{ method?: string; result?: unknown; params?: { update?: unknown } }[]> {
    const shown = ["--cwd", home, "--format", "json", "--json-strict"];
    const args = [cli, "--agent", agent.join(" "), ...shown, ...flags, "exec", prompt];
    const run = promisify(execFile)(process.execPath, args, { env: { ...process.env, HOME: home } });
    // acpx exits non-zero if a permission was denied.
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  }

  it("prompts our agent and reads its answer", async () => {
    const wire = await exec("Hello from acpx");
    expect(wire.flatMap(({ params }) => (params?.update === undefined ? [] : [params.update]))).toEqual([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello from acpx" } },
    ]);
    expect(wire.at(-1)).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("gets the output of our agent's tools", async () => {
    const wire = await exec("output");
    const updates = wire.flatMap(({ params }) => (params?.update === undefined ? [] : [params.update]));
    expect(updates.at(-1)).toMatchObject({
      content: [{ type: "content", content: { type: "text", text: "line one" } }],
    });
  });

  it.each([
    ["--approve-all", "deleted"],
    ["--deny-all", "kept"],
  ])("%s decides about our agent's permission request", async (flag, said) => {
    const wire = await exec("permission", [flag]);
    expect(wire.some(({ method }) => method === "session/request_permission")).toBe(true);
    expect(JSON.stringify(wire)).toContain(said);
  });

  it("serves our agent files, a permission and a terminal in one turn", async () => {
    await writeFile(join(home, "a.txt"), "one\ntwo\nthree\n");
    const wire = await exec("without a form", ["--approve-all"], commands.fullAgent);
    expect(await readFile(join(home, "a.txt"), "utf8")).toBe("changed\n");
    const asked = wire.flatMap(({ method }) => (/^(fs|terminal)\//.test(method ?? "") ? [method] : []));
    expect(asked).toEqual([
      "fs/read_text_file",
      "fs/write_text_file",
      "terminal/create",
      "terminal/wait_for_exit",
      "terminal/output",
      "terminal/release",
    ]);
    expect(JSON.stringify(wire)).toContain("nobody: 42, 0");
    expect(wire.at(-1)).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});
