import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { listenAcp } from "@editwire/acp/node";
import { createAgent, toAcp } from "@editwire/agent";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lineWith } from "../../../scripts/testing/lines.js";
import { scripted } from "../../agent/test/scripted-agent.js";
import { agents, editwire } from "./commands.js";
import { exec, start } from "./run-exec.js";

/** The events that `--json` prints. */
const events = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("editwire exec", () => {
  it.each(["acp", "eca", "kaiak"] as const)("prints what an agent of %s says", async (protocol) => {
    const { code, stdout } = await exec(["--protocol", protocol, "say", "--", ...agents[protocol]]);
    expect(stdout).toBe("Looking around.\n");
    expect(code).toBe(0);
  });

  it("prompts an agent of Helix-Zed, which dials", async () => {
    const args = ["--protocol", "helix-zed", "--agent", "ws://127.0.0.1:0", "--id", "ses_1", "--profile", "v2026"];
    const child = start(...args, "say");
    const url = (await lineWith(child.stderr, /connects to \S+$/)).replace(/.* /, "");
    const [command = "", ...rest] = agents.helixZed(url);
    const agent = spawn(command, rest, { stdio: "ignore" });
    onTestFinished(() => void agent.kill());
    expect(await text(child.stdout)).toBe("Looking around.\n");
  });

  it("rejects what the agent asks for, and says how to allow it", async () => {
    const { code, stdout, stderr } = await exec(["edit", "--", ...agents.acp]);
    expect(stdout).toBe("Left as it was.\n");
    expect(stderr).toContain("not allowed: Edit a.ts (--permission edit=allow_once allows it)");
    expect(code).toBe(0);
  });

  it("allows the kinds of tools that its option names", async () => {
    const { stdout } = await exec(["--permission", "read=reject_once,edit=allow_once", "edit", "--", ...agents.acp]);
    expect(stdout).toBe("Edited.\n");
  });

  it("takes the prompt from stdin, and in the place of -", async () => {
    expect((await exec(["--", ...agents.acp], "say\n")).stdout).toBe("Looking around.\n");
    const { stdout } = await exec(["--json", "Review:", "-", "--", ...agents.acp], "a\nb\n");
    expect(events(stdout)[1]).toEqual({ type: "user", content: [{ type: "text", text: "Review:\n\na\nb" }] });
  });

  it("prints each event as JSON, from the session to the end", async () => {
    const { stdout } = await exec([
      "--json",
      "--mode",
      "plan",
      "--model",
      "large",
      "say",
      "usage",
      "--",
      ...agents.acp,
    ]);
    expect(events(stdout)).toMatchObject([
      { type: "session", protocol: "acp", agent: { name: "scripted" }, modeId: "plan", modelId: "large" },
      { type: "user" },
      { type: "text", text: "Looking around." },
      { type: "usage", usage: { context: { used: 100, size: 1_000 } } },
      { type: "stop", stopReason: "end_turn" },
    ]);
  });

  it("says in JSON why there is no session", async () => {
    const { code, stdout } = await exec(["--json", "hi", "--", "no-such-agent"]);
    const error = { message: expect.stringContaining("no such command") as string };
    expect(events(stdout)).toEqual([{ type: "stop", stopReason: "error", error }]);
    expect(code).toBe(127);
  });

  it("goes on with a session", async () => {
    const agent = createAgent(scripted);
    const listener = await listenAcp(toAcp(agent));
    onTestFinished(() => listener.close());
    const first = await exec(["--json", "--agent", listener.url, "say"]);
    const { sessionId } = events(first.stdout)[0] as { sessionId: string };
    const second = await exec(["--json", "--agent", listener.url, "--session", sessionId, "title"]);
    expect(events(second.stdout)[0]).toMatchObject({ sessionId });
    expect((await agent.listSessions()).map((session) => session.title)).toEqual(["The title"]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("cancels the turn at %s", async (signal, expected) => {
    const child = start("--json", "tool", "--", ...agents.acp);
    let stdout = "";
    child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
    await vi.waitFor(() => expect(stdout).toContain('"in_progress"'), 20_000);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([expected, null]);
    expect(events(stdout).at(-1)).toEqual({ type: "stop", stopReason: "cancelled" });
  });

  it("cancels the turn when its reader has gone", async () => {
    const child = start("say", "tool", "say", "--", ...agents.acp);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(code).toBe(1);
    expect(stderr).toContain("nobody reads the answer any more");
  });

  it("lists the agents of a registry", async () => {
    const folder = await mkdtemp(join(tmpdir(), "editwire-exec-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "registry.json");
    const entry = { id: "mine", name: "Mine", version: "1.0.0", distribution: { npx: { package: "mine@1.0.0" } } };
    await writeFile(file, JSON.stringify({ version: "1.0.0", agents: [entry] }));
    const [command = "", ...rest] = editwire("agents", "list", "--registry", file);
    const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
    expect(await text(child.stdout)).toBe("mine  npx  Mine 1.0.0\n");
  });
});
