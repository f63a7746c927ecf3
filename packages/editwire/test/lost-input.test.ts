import { fileURLToPath } from "node:url";
import { spawnAcp } from "@editwire/acp/node";
import { expect, it } from "vitest";
import { editwire } from "./commands.js";

const agent = fileURLToPath(new URL("../../acp/test/fixtures/noisy-agent.mjs", import.meta.url));

/** The text of two turns over a bridge, and the bridge's stderr, with an agent that writes `noise` before each text. */
async function twoTurns(noise: string, ...flags: string[]): Promise<[texts: string[], stderr: string]> {
  let stderr = "";
  const bridge = editwire("bridge", "--from", "acp", "--to", "acp", ...flags, "--");
  const client = await spawnAcp([...bridge, process.execPath, agent, noise, "text"], {
    permission: async () => "allow_once",
    onStderr: (text) => (stderr += text),
  });
  const session = await client.newSession({ cwd: "/" });
  const texts = [await session.prompt("one").readText(), await session.prompt("two").readText()];
  await client.close();
  return [texts, stderr];
}

const lost = (text: string): string => `editwire: skipped text that is not a message: ${text}`;

it("says once, on one line, that it skips what an agent writes", async () => {
  const [texts, stderr] = await twoTurns("log");
  expect(texts).toEqual(["the answer", "the answer"]);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(
      /^editwire: skipped text that is not a message: sent: \{.* \(said once; --verbose shows all\)$/,
    ),
    "",
  ]);
});

it("says it each time with --verbose", async () => {
  const [, stderr] = await twoTurns("log", "--verbose");
  expect(stderr.split(lost("sent: ")).length).toBe(3);
});

it("loses and says nothing when the noise is attached to a message", async () => {
  expect(await twoTurns("\u001b]0;ready\u0007")).toEqual([["the answer", "the answer"], ""]);
});
