import { fileURLToPath } from "node:url";
import type { Diagnostic } from "@editwire/core";
import { expect, it, onTestFinished } from "vitest";
import type { AcpClient } from "../src/index.js";
import { spawnAcp } from "../src/node.js";

const program = fileURLToPath(new URL("fixtures/noisy-agent.mjs", import.meta.url));

interface Noisy {
  readonly agent: AcpClient;
  readonly diagnostics: Diagnostic[];
}

/** Starts an agent that writes `noise`, without a line break, before the message that `at` names. */
async function start(noise: string, at: string): Promise<Noisy> {
  const diagnostics: Diagnostic[] = [];
  const agent = await spawnAcp([process.execPath, program, noise, at], {
    permission: async () => "allow_once",
    onDiagnostic: (each) => void diagnostics.push(each),
    onError: () => {},
  });
  onTestFinished(() => agent.close());
  return { agent, diagnostics };
}

const places = ["start", "text", "permission", "answer"];
const noises = {
  "a terminal title": "\u001b]0;ready\u0007",
  "a shell profile's text": "Now using node v20.11.0",
  "a byte order mark": "\uFEFF",
};

it.each(places.flatMap((at) => Object.entries(noises).map(([name, noise]) => [at, name, noise] as const)))(
  "loses nothing when an agent writes, before its %s, %s without a line break",
  async (at, _name, noise) => {
    const { agent, diagnostics } = await start(noise, at);
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("hi");
    expect(await turn.readText()).toBe("the answer");
    expect(await turn.stopReason).toBe("end_turn");
    // A mark at the very start of the stream is no noise.
    const expected = at === "start" && noise === "\uFEFF" ? [] : ["rpc.glued"];
    expect(diagnostics.map(({ id }) => id)).toEqual(expected);
  },
);

it("does not show twice what an agent logs on stdout before it sends it", async () => {
  const { agent, diagnostics } = await start("log", "text");
  const session = await agent.newSession({ cwd: "/" });
  expect(await session.prompt("hi").readText()).toBe("the answer");
  expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.noise"]);
});

it("takes the answer from behind text that may quote it", async () => {
  const { agent } = await start("Loading… ", "answer");
  const session = await agent.newSession({ cwd: "/" });
  expect(await session.prompt("hi").stopReason).toBe("end_turn");
});

it("fails a prompt at once when its answer is broken", async () => {
  const { agent } = await start("NaN", "answer");
  const session = await agent.newSession({ cwd: "/" });
  await expect(session.prompt("hi").readText()).rejects.toThrow(
    /^session\/prompt: the answer cannot be read: the message is not readable as JSON: /,
  );
  expect(await session.prompt("hi").readText()).toBe("the answer"); // it breaks the first one only
});
