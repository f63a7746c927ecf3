import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { mutant } from "../src/core/mutant.js";
import { readRepro, writeRepro } from "../src/fuzz/repro.js";
import { checkTrace } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { type FuzzFailure, type FuzzMode, replaySteps, runFuzz } from "../src/fuzz/run-fuzz.js";
import { openReference } from "../src/mutants/references.js";
import { type AgentBehavior, v2026Agent, rightAgent } from "../src/protocols/helix-zed/reference/agent-behavior.js";
import { type HostBehavior, rightHost } from "../src/protocols/helix-zed/reference/host-behavior.js";

const protocol = findProtocol("helix-zed");
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function peer(role: string, patch: object) {
  const { target, close } = await openReference(
    protocol,
    role,
    mutant(`helix-zed.${role}/changed`, { violates: [], patch: { ...patch } }),
    undefined,
  );
  closes.push(close);
  return { protocol, role, target, behaviors: "commands", timeScale: 0.3, shrinkRuns: 40, seed: 7 } as const;
}
const agent = (patch: Partial<AgentBehavior>) => peer("agent", patch);
const host = (patch: Partial<HostBehavior>) => peer("host", patch);
const tries = async (target: ReturnType<typeof peer>, modes: readonly FuzzMode[], runs: number) =>
  runFuzz({ ...(await target), modes, runs });

/** The steps of a failure as they are read from its file. */
function kept(failure: FuzzFailure | undefined, role: string) {
  if (failure === undefined) throw new Error("expected a failure");
  const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  try {
    const file = join(folder, "failure.ndjson");
    writeFileSync(
      file,
      writeRepro(failure, {
        protocol: "helix-zed",
        role,
        behaviors: "commands",
        framing: "line",
        seed: 7,
        command: [role],
      }),
    );
    return readRepro(file).steps;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what is wrong unseen, and has nothing to say from then on in turns that run. */
function harmed(): Partial<AgentBehavior> {
  let isHarmed = false;
  return {
    isChat(data) {
      const isRight = rightAgent.isChat(data);
      isHarmed ||= !isRight;
      return isRight;
    },
    added: (turn, message) => (isHarmed && turn.text.includes("chunks") ? [] : rightAgent.added(turn, message)),
  };
}

describe("the fuzzer of Helix-Zed agents", () => {
  test.each([
    ["the specification", {}],
    ["v2026", v2026Agent],
  ])("finds nothing in the reference in the dialect of %s", async (_name, patch) => {
    expect(await tries(agent(patch), ["messages", "life"], 6)).toMatchObject({
      outcome: "passed",
      runs: { messages: 6, life: 6 },
      failures: [],
    });
  });

  test("finds a message that an agent dies of, keeps no more of it than needed, and plays it again", async () => {
    const dies: Partial<AgentBehavior> = { survives: (what) => what !== "bad-data" };
    const { failures, outcome } = await tries(agent(dies), ["messages"], 100);
    expect(outcome).toBe("violated");
    const steps = kept(failures[0], "agent");
    expect(steps).toMatchObject([{ do: "message" }]);
    expect((await replaySteps(await agent(dies), steps))?.problem).toContain("the connection was closed");
    expect(await replaySteps(await agent({}), steps)).toBeUndefined();
  });

  test("finds what one session's trouble does to another", async () => {
    const { failures } = await runFuzz({ ...(await agent(harmed())), modes: ["messages"], runs: 100, shrinkMs: 0 });
    expect(failures[0]?.problem).toContain("another session was harmed");
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await tries(agent({ keepsThreads: false }), ["life"], 200);
    expect(failures[0]?.problem).toContain("HELIX-THREAD-006");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(expect.arrayContaining(["chat", "finish", "drop"]));
    expect(failures[0]?.steps.length).toBeLessThan(12);
  });
});

describe("the fuzzer of Helix-Zed hosts", () => {
  test("finds nothing in the reference, whatever is tried", async () => {
    expect(await tries(host({}), ["messages", "life"], 15)).toMatchObject({
      outcome: "passed",
      runs: { messages: 15, life: 15 },
      failures: [],
    });
  });

  test("finds a message that a host dies of, keeps no more of it than needed, and plays it again", async () => {
    const dies: Partial<HostBehavior> = {
      onEvent: ({ name, data }) => (name === "message_added" && typeof data["content"] !== "string" ? "die" : "take"),
    };
    const { failures } = await tries(host(dies), ["messages"], 100);
    const steps = kept(failures[0], "host");
    expect(steps).toMatchObject([{ do: "message", message: { event_type: "message_added" } }]);
    expect((await replaySteps(await host(dies), steps))?.problem).toContain("the connection was closed");
    expect(await replaySteps(await host({}), steps)).toBeUndefined();
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await tries(host({ again: (id) => [id, id] }), ["life"], 100);
    expect(failures[0]?.problem).toContain("HELIX-SEND-002");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(["chat", expect.stringMatching(/drop|redial/)]);
  });

  test("finds what is kept otherwise than it was said", async () => {
    const { failures } = await tries(
      host({
        grows: () => true,
        interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
      }),
      ["life"],
      200,
    );
    expect(failures[0]?.problem).toContain("another text than the agent sent");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(expect.arrayContaining(["chat", "end", "late"]));
  });
});

describe("the monitors of Helix-Zed, as the fuzzer found them wanting", () => {
  const thread = "8405cd2a-24ae-4b3f-9c11-0242ac120002";
  const ids = { session_id: "ses_1", acp_thread_id: thread };
  const chat = (request_id: string, acp_thread_id: string | null) => ({
    from: "host",
    message: { type: "chat_message", data: { helix_session_id: "ses_1", acp_thread_id, message: "Hello", request_id } },
  });
  const event = (event_type: string, data: object) => ({
    from: "agent",
    message: { session_id: "ses_1", event_type, data: { acp_thread_id: thread, ...data } },
  });
  const created = event("context_created", { helix_session_id: "ses_1" });
  const completed = (request_id: string) => event("message_completed", { ...ids, message_id: "m1", request_id });
  const dropped = { from: "suite", kind: "event", name: "dropped" };
  const failing = (role: string, ...lines: readonly object[]) => [
    ...new Set(
      checkTrace(protocol, role, lines.map((line) => JSON.stringify(line)).join("\n")).checks.flatMap(
        ({ req, verdict }) => (verdict === "fail" ? [req] : []),
      ),
    ),
  ];

  test("a thread is reported again to a host that asks once more on another connection", () => {
    expect(
      failing("agent", chat("r1", null), created, completed("r1"), dropped, chat("r1", null), created, completed("r1")),
    ).toEqual([]);
    expect(
      failing("agent", chat("r1", null), created, completed("r1"), chat("r1", null), created, completed("r1")),
    ).toEqual(["HELIX-THREAD-006"]);
  });

  test("what a host sends once more may cross its end", () => {
    expect(
      failing("host", chat("r1", null), created, dropped, completed("r1"), chat("r1", thread), chat("r2", thread)),
    ).toEqual([]);
    expect(failing("host", chat("r1", null), created, chat("r2", thread))).toEqual(["HELIX-SEND-004"]);
  });
});
