import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { helixZedProfiles, type HelixZedTurnEvent, responseOf } from "../src/index.js";
import type { HelixZedHandlerOptions } from "../src/node.js";
import { sqliteStore } from "../src/sqlite.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import type { Order, Report } from "./fixtures/killed-agent.js";
import { startHost } from "./support/hosts.js";

const { program } = await bundle(import.meta.url, { program: "fixtures/killed-agent.ts" });

/** An agent in a process of its own. */
class AgentProcess {
  readonly #child: ChildProcess;
  readonly #reports: Report[] = [];
  #wake = (): void => {};
  #stderr = "";

  constructor(port: number, profile = "spec") {
    this.#child = fork(program, [`ws://127.0.0.1:${port}`, profile], { silent: true, execArgv: [] });
    this.#child.stderr?.on("data", (data: Buffer) => {
      this.#stderr += data.toString();
      this.#wake();
    });
    this.#child.on("message", (message: Report) => {
      this.#reports.push(message);
      this.#wake();
    });
    onTestFinished(() => this.kill());
  }

  /** The next report that has this field; those before it are dropped. */
  async next<Field extends "asked" | "connected">(field: Field): Promise<Extract<Report, Record<Field, unknown>>> {
    for (;;) {
      const report = this.#reports.shift();
      if (report === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if (field in report) return report as Extract<Report, Record<Field, unknown>>;
    }
  }

  /** Waits for a turn and says what it does. */
  async turn(order: Order): Promise<string> {
    const { asked } = await this.next("asked");
    this.#child.send(order);
    return asked;
  }

  /** Waits until the agent has written this to stderr. */
  async writes(text: string): Promise<void> {
    while (!this.#stderr.includes(text)) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** A host of this process with SQLite. It saves a growing answer at once, so that each half answer reaches the disk. */
async function setUp(options: HelixZedHandlerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "helix-kill-agent-"));
  const path = join(folder, "host.db");
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const started = await startHost({ store: sqliteStore(database), saveMs: 1, ...options });
  return { ...started, path, session: await started.host.session("ses_1") };
}

/** Reads a turn until its answer has this text. */
async function readTo(events: AsyncIterator<HelixZedTurnEvent>, text: string): Promise<void> {
  for (;;) {
    const { value } = (await events.next()) as { value: HelixZedTurnEvent };
    if (value.type === "message" && value.message.content === text) return;
  }
}

describe("an agent that is killed in mid-answer", () => {
  it("ten times leaves no half answer in the record of a request that the next agent completes", async () => {
    const { port, session } = await setUp();
    const half = ["a half ", "answer "];
    const whole = ["a whole ", "answer ", "to the user"];
    let agent = new AgentProcess(port);
    const ids = Array.from({ length: 10 }, (_, i) => `r${i}`);
    for (const requestId of ids) {
      const turn = session.prompt("Hello", { requestId });
      const events = turn[Symbol.asyncIterator]();
      expect(await agent.turn({ texts: half, ending: "hang" })).toBe(requestId);
      await readTo(events, half.join(""));
      agent.kill();
      agent = new AgentProcess(port);
      expect(await agent.turn({ texts: whole, ending: "return" })).toBe(requestId);
      const seen: HelixZedTurnEvent[] = [];
      for await (const event of { [Symbol.asyncIterator]: () => events }) seen.push(event);
      expect(seen.map(({ type }) => type)).toContain("restart");
      expect(responseOf(await turn.interaction)).toBe(whole.join(""));
    }
    expect((await session.interactions()).map((one) => [one.requestId, one.state, responseOf(one)])).toEqual(
      ids.map((requestId) => [requestId, "complete", whole.join("")]),
    );
  });

  it("keeps its half answer in the record until another agent answers", async () => {
    const { port, event, session } = await setUp();
    const agent = new AgentProcess(port);
    const turn = session.prompt("Hello");
    await agent.turn({ texts: ["a half "], ending: "hang" });
    await readTo(turn[Symbol.asyncIterator](), "a half ");
    const gone = event("disconnected");
    agent.kill();
    await gone;
    expect((await session.interactions()).map((one) => [one.state, responseOf(one)])).toEqual([["waiting", "a half "]]);
  });
});

describe("two agent processes under one id", () => {
  it("do not both answer: the second one is refused, and takes over when the first one is killed", async () => {
    const { port, session } = await setUp();
    const first = new AgentProcess(port);
    expect(await first.next("connected")).toEqual({ connected: true });
    const second = new AgentProcess(port);
    const refused = await second.next("connected");
    expect(refused).toMatchObject({ connected: false, reason: expect.stringContaining("409") as string });
    const one = session.prompt("one");
    await first.turn({ texts: ["from the first"], ending: "return" });
    expect(responseOf(await one.interaction)).toBe("from the first");
    first.kill();
    const two = session.prompt("two");
    expect(await second.turn({ texts: ["from the second"], ending: "return" })).toBe(two.requestId);
    expect(responseOf(await two.interaction)).toBe("from the second");
    expect((await session.interactions()).map(({ messages }) => messages.length)).toEqual([1, 1]);
  });
});

describe("the error of a handler", () => {
  it.each(["spec", "v2026"] as const)("never leaves the agent's process in the profile %s", async (name) => {
    const secret = "ENOENT: /home/user/.config/key s3cr3t-key";
    const { port, path, session } = await setUp({ profile: helixZedProfiles[name], readyTimeoutMs: 5_000 });
    const agent = new AgentProcess(port, name);
    const turn = session.prompt("Hello");
    await agent.turn({ texts: [secret], ending: "throw" });
    const { state, error } = await turn.interaction;
    expect([state, error]).toEqual(name === "spec" ? ["complete", undefined] : ["error", "Internal error"]);
    await agent.writes(secret);
    for (const file of [path, `${path}-wal`]) expect(readFileSync(file, "latin1")).not.toContain("s3cr3t");
  });
});
