import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { agents, editwire } from "./commands.js";

const emacs = process.env["EMACS_PATH"] ?? "emacs";
const version = /^GNU Emacs (\d+)/.exec(spawnSync(emacs, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1];
const isThere = Number(version) >= 28;
if (!isThere)
  process.stderr.write(`skipping the test of Emacs at the bridge: needs Emacs 28, found ${version ?? "none"}\n`);

const program = fileURLToPath(new URL("fixtures/eca-client.el", import.meta.url));

/** The library `jsonrpc` of Emacs frames and parses by itself; the client on top of it is in the fixture. */
it.skipIf(!isThere)("Emacs prompts an agent of ACP as an editor of ECA, and approves its tool call", async () => {
  const home = await mkdtemp(join(tmpdir(), "editwire-emacs-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const bridge = editwire("bridge", "--from", "eca", "--to", "acp", "--", ...agents.acp);
  const args = ["-Q", "--batch", "--load", program, "--", ...bridge];
  const options = { cwd: home, env: { ...process.env, HOME: home }, timeout: 250_000 };
  const { stdout } = await promisify(execFile)(emacs, args, options);
  const lines = stdout.trim().split("\n");
  expect(lines.pop()).toBe("exit 0");
  const contents = lines.map((line) => JSON.parse(line) as { type: string; text?: string });
  const texts = contents.flatMap(({ type, text = "" }) => (type === "text" ? [text] : []));
  expect(texts.join("")).toMatch(/^say edit\s+Looking around\.[^]*Edited\./);
  const calls = contents.filter(({ type }) => type.startsWith("toolCall")).map(({ type }) => type);
  expect(calls.at(0)).toBe("toolCallPrepare");
  expect(calls.at(-1)).toBe("toolCalled");
  expect(contents.at(-1)).toMatchObject({ type: "progress", state: "finished" });
});
