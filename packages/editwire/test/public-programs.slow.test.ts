import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { spawnEca } from "@editwire/eca/node";
import { afterEach, describe, expect, it } from "vitest";
import { agents, editwire } from "./commands.js";
import { exec } from "./run-exec.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** The programs are dependencies of the conformance suite. */
const require = createRequire(new URL("../../../conformance/package.json", import.meta.url));
const acpx = join(dirname(require.resolve("acpx/package.json")), "dist/cli.js");
/** The official SDK, in the version that acpx has: it comes with an example agent. */
const sdk = dirname(createRequire(acpx).resolve("@agentclientprotocol/sdk"));

describe("editwire bridge, with public programs", () => {
  it("lets acpx prompt a server of ECA, and asks it for permission", async () => {
    const home = await mkdtemp(join(tmpdir(), "editwire-acpx-"));
    cleanups.push(() => rm(home, { recursive: true }));
    const bridge = editwire("bridge", "--from", "acp", "--to", "eca", "--", ...agents.eca).join(" ");
    const args = [acpx, "--agent", bridge, "--approve-all", "--format", "json", "exec", "say edit"];
    const env = { ...process.env, HOME: home };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: home });
    expect(stdout).toContain("Looking around.");
    expect(stdout).toContain("Edited.");
    expect(stdout).toContain('"stopReason":"end_turn"');
  });

  it("lets an editor of ECA prompt the example agent of the official SDK", async () => {
    const command = [process.execPath, join(sdk, "examples/agent.js")];
    const asked: string[] = [];
    const client = await spawnEca(editwire("bridge", "--from", "eca", "--to", "acp", "--", ...command), {
      workspaceFolders: [{ name: "p", uri: "file:///p" }],
      permission: async ({ title }) => {
        asked.push(title);
        return "allow_once";
      },
    });
    cleanups.push(() => client.close());
    const session = client.newSession();
    await expect(session.prompt("Hello").stopReason).resolves.toBe("end_turn");
    const texts = session.state.entries.flatMap((entry) => (entry.type === "message" ? [entry.text] : []));
    expect(texts.join("\n")).toContain("I'll help you with that");
    expect(asked).toHaveLength(1);
  });
});

it("editwire exec prompts the example agent of the official SDK, and answers its permission request", async () => {
  const command = [process.execPath, join(sdk, "examples/agent.js")];
  const { code, stdout, stderr } = await exec(["--permission", "edit=allow_once", "Hello", "--", ...command]);
  expect(stdout).toContain("I'll help you with that");
  expect(stdout).toContain("successfully updated the configuration");
  expect(stderr).not.toContain("not allowed");
  expect(code).toBe(0);
});
