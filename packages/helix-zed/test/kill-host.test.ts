import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { type HelixZedInteraction, responseOf } from "../src/index.js";
import { helixZedHandler, dialHelixZed } from "../src/node.js";
import { sqliteStore } from "../src/sqlite.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { freePort } from "../../../scripts/testing/free-port.js";

type Finish = TestContext["onTestFinished"];

const { program } = await bundle(import.meta.url, { program: "fixtures/killed-host.ts" }, { external: ["libsql"] });

/** Runs the host in a process of its own until it dies or is through; what it printed, and how it ended. */
async function run(
  path: string,
  port: number,
  killAt: number,
  finish: Finish,
): Promise<{ signal: string | null; text: string; errors: string }> {
  const child = spawn(process.execPath, [program, path, String(port), String(killAt)]);
  finish(() => void child.kill("SIGKILL"));
  let text = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { signal, text, errors };
}

/** The next host, whose product retries what it does not know to be done; gives what the store says in the end. */
async function recover(
  path: string,
  port: number,
  finish: Finish,
): Promise<{ threadId: string | undefined; interactions: readonly HelixZedInteraction[] }> {
  const host = helixZedHandler({ store: sqliteStore(new Database(path)) });
  const server = createServer().on("upgrade", (request, socket, head) => host.upgrade(request, socket, head));
  server.listen(port, "127.0.0.1");
  finish(async () => {
    await host.close();
    server.close();
  });
  const session = await host.session("ses_1");
  await Promise.all(questions.map((i) => session.prompt(`question ${i}`, { requestId: `r${i}` }).interaction));
  return { threadId: session.state.threadId, interactions: await session.interactions() };
}

/** An agent that lives through it all, and the folder of the host. */
async function setUp(finish: Finish): Promise<{ path: string; port: number; runs: string[]; threads: () => number }> {
  const folder = mkdtempSync(join(tmpdir(), "helix-kill-"));
  finish(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const runs: string[] = [];
  let threads = 0;
  const agent = dialHelixZed(
    {
      newThread: () => `thread-${(threads += 1)}`,
      async prompt(turn) {
        runs.push(turn.requestId);
        for (const word of ["answer", " to ", turn.promptText]) {
          await turn.text(word);
          await new Promise(setImmediate);
        }
      },
    },
    {
      url: `ws://127.0.0.1:${port}`,
      sessionId: "ses_1",
      flushMs: 0,
      reconnect: { minMs: 20, maxMs: 80 },
      onError() {},
    },
  );
  finish(() => agent.close());
  return { path: join(folder, "host.db"), port, runs, threads: () => threads };
}

const questions = [0, 1, 2];
// load, the session, three messages, the thread, three completions
const calls = 9;

describe("a host that is killed", () => {
  it("calls its store at the moments that are tested below", async () => {
    const { path, port } = await setUp(onTestFinished);
    expect(await run(path, port, 0, onTestFinished)).toEqual({ signal: null, text: String(2 * calls), errors: "" });
  });

  it.concurrent.for(Array.from({ length: 2 * calls }, (_, i) => i + 1))(
    "at moment %i loses no interaction and doubles none",
    async (moment, { onTestFinished: finish }) => {
      const { path, port, runs, threads } = await setUp(finish);
      expect((await run(path, port, moment, finish)).signal).toBe("SIGKILL");
      const { threadId, interactions } = await recover(path, port, finish);
      expect(threadId).toBe("thread-1");
      expect(interactions.map(({ requestId, state }) => `${requestId} ${state}`)).toEqual(
        questions.map((i) => `r${i} complete`),
      );
      expect(interactions.map(responseOf)).toEqual(questions.map((i) => `answer to question ${i}`));
      expect([runs, threads()]).toEqual([["r0", "r1", "r2"], 1]);
    },
  );
});
