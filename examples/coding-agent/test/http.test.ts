import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { dialAcp, type AcpTurnEvent } from "@editwire/acp";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { sampleCopy } from "./support/temp-folder.js";

const { agent } = await bundle(import.meta.url, { agent: "../src/main.ts", ...toolWorker });

/** The agent as a process of its own that listens, and everything that it wrote to stderr. */
function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcessWithoutNullStreams; log(wanted: RegExp): Promise<string> } {
  const inherited = { ...process.env, OPENAI_BASE_URL: "", OPENAI_API_KEY: "", CODING_AGENT_MODEL: "", ACP_TOKEN: "" };
  const child = spawn(process.execPath, [agent, "acp", "serve", ...args], { env: { ...inherited, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let written = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written += text));
  return {
    child,
    async log(wanted) {
      while (!wanted.test(written)) await once(child.stderr, "data");
      return written;
    },
  };
}

const urlIn = (log: string): string => /http:\/\/\S+:\d+$/m.exec(log)?.[0] ?? "";

it("serves two clients over HTTP, behind a token, and ends when told to", async () => {
  const { child, log } = start(["--port", "0"], { ACP_TOKEN: "t0ken" });
  const url = urlIn(await log(/serving ACP at .*\n/));
  await expect(dialAcp(url, { paths: "spec" })).rejects.toThrow("401");

  const cwd = await sampleCopy();
  const first = await dialAcp(url, {
    paths: "spec",
    token: "t0ken",
    strict: true,
    permission: async () => "allow_once",
  });
  const session = await first.newSession({ cwd });
  await session.setMode("safe");
  const events: AcpTurnEvent[] = [];
  for await (const event of session.prompt("Fix the failing test.")) events.push(event);
  expect(events.at(-1)).toEqual({ type: "stop", stopReason: "end_turn" });
  expect(await readFile(join(cwd, "src/stay.js"), "utf8")).toContain("a.from < b.to");
  await first.close();

  const second = await dialAcp(url, { paths: "spec", token: "t0ken", retryMs: 0 });
  const again = await second.loadSession({ sessionId: session.id, cwd });
  const shown = again.history.map((event) => (event.type === "tool_call" ? event.toolCall.title : ""));
  expect(shown).toContain("Edit src/stay.js");

  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  await second.closed;
});

it.each([
  [
    "without a token where other machines can reach it",
    ["--host", "0.0.0.0"],
    /^coding-agent: .*expected a token or authenticate: other machines can reach 0\.0\.0\.0$/m,
  ],
  [
    "where it cannot",
    ["--host", "192.0.2.1", "--token", "t"],
    /^coding-agent: cannot listen on http:\/\/192\.0\.2\.1:9000: /m,
  ],
])("does not listen %s", async (_name, args, message) => {
  const { child, log } = start(args);
  const exited = once(child, "exit");
  await log(message);
  expect(await exited).toEqual([1, null]);
});
