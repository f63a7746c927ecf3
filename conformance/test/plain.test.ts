import { describe, expect, test } from "vitest";
import { acp, eca, kaiak, memoryTarget, runConformance, type RunOptions, type RunReport, sman } from "../src/index.js";
import { FrameCutter } from "../src/wire/framing.js";
import { toy, toyCase, toyServer } from "./toy.js";

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** One turn of an agent. */
interface Turn {
  /** Aborted when the turn is cancelled. */
  readonly cancelled: AbortSignal;
  readonly prompt: string;
  say(text: string): void;
  answer(answer: Answer): void;
}

const ended = (stopReason: string): Answer => ({ result: { stopReason } });

/** An agent of the official dialect that knows no behaviors of the suite: all that it does is a turn. */
function plainAgent(take: (turn: Turn) => void) {
  return memoryTarget((pipe) => {
    const cutter = new FrameCutter();
    const turns = new Map<string, AbortController>();
    let sessions = 0;
    const send = (message: object): void =>
      pipe.write(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
    const answer = (id: unknown, method: unknown, params: Record<string, unknown>): void => {
      if (method === "initialize") return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      if (method === "session/new") return send({ id, result: { sessionId: `s${++sessions}` } });
      const sessionId = String(params["sessionId"]);
      if (method === "session/cancel") return turns.get(sessionId)?.abort();
      if (method !== "session/prompt")
        return id === undefined ? undefined : send({ id, error: { code: -32601, message: "Method not found" } });
      const turn = new AbortController();
      turns.set(sessionId, turn);
      take({
        cancelled: turn.signal,
        prompt: JSON.stringify(params["prompt"]),
        say: (text) =>
          send({
            method: "session/update",
            params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
          }),
        answer: (given) => send({ id, ...given }),
      });
    };
    pipe.listen({
      data(chunk) {
        for (const cut of cutter.push(chunk)) {
          if (!cut.ok) continue;
          const { id, method, params = {} } = cut.message as Record<string, unknown>;
          answer(id, method, params as Record<string, unknown>);
        }
      },
      end: () => pipe.end(),
    });
  });
}

const turnCases = ["turn.text", "turn.long-prompt", "turn.next", "turn.side-by-side", "turn.content-*", "cancel.*"];

function judge(take: (turn: Turn) => void, options: Partial<RunOptions> = {}): Promise<RunReport> {
  return runConformance({
    protocol: acp,
    role: "agent",
    profile: "v1",
    seed: 1,
    filter: turnCases.map((id) => `acp.agent.${id}`),
    target: plainAgent(take),
    ...options,
  });
}

const echo = ({ prompt, say, answer }: Turn): void => {
  say(prompt);
  answer(ended("end_turn"));
};

const verdictOf = (report: RunReport, check: string) =>
  report.cases.flatMap(({ checks }) => checks).find(({ id }) => id === `acp.agent.${check}`);

describe("an ACP agent that gets plain prompts", () => {
  test("passes if its turns are right, and the report says what was not judged", async () => {
    const report = await judge(echo);
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    expect(report.cases.map(({ id }) => id)).toEqual([
      "calibration",
      "acp.agent.turn.text",
      "acp.agent.cancel.running",
      "acp.agent.turn.content-1-resource_link",
      "acp.agent.turn.long-prompt",
      "acp.agent.turn.next",
      "acp.agent.turn.side-by-side",
    ]);
    expect(report.notJudged?.cases).toContain("acp.agent.cancel.permission-open");
    expect(report.notJudged?.behaviors).toEqual(expect.arrayContaining(["slow", "ask-permission"]));
    expect(report.notJudged?.requirements).toContain("ACP-CANCEL-002");
    expect(report.notJudged?.requirements).not.toContain("ACP-TURN-001");
  });

  test("may end its turn before the cancel, or by another reason", async () => {
    expect(verdictOf(await judge(echo), "cancel.running#ACP-CANCEL-001")?.verdict).toBe("not-applicable");
    const report = await judge(({ answer }) => answer(ended("refusal")));
    expect(report).toMatchObject({ outcome: "passed" });
    expect(verdictOf(report, "turn.text#ACP-TURN-002")?.verdict).toBe("pass");
  });

  test("violates the specification if it goes on after a cancel", async () => {
    const filter = ["acp.agent.cancel.running"];
    const counts = ({ say, answer }: Turn): void => {
      say("1");
      setTimeout(() => answer(ended("end_turn")), 400);
    };
    const ignores = await judge(counts, { filter, timeScale: 0.1 });
    expect(ignores).toMatchObject({ outcome: "violated" });
    expect(verdictOf(ignores, "cancel.running#ACP-CANCEL-001")).toMatchObject({
      verdict: "fail",
      actual: { stopReason: "end_turn" },
    });
    const obeys = await judge(
      ({ say, answer, cancelled }) => {
        say("1");
        cancelled.addEventListener("abort", () => answer(ended("cancelled")));
      },
      { filter },
    );
    expect(verdictOf(obeys, "cancel.running#ACP-CANCEL-001")?.verdict).toBe("pass");
  });

  test("violates the specification if it answers no prompt, or says that nobody cancelled", async () => {
    const filter = ["acp.agent.turn.text"];
    const silent = await judge(() => {}, { filter, timeScale: 0.01 });
    expect(verdictOf(silent, "turn.text#ACP-TURN-001")?.verdict).toBe("fail");
    const cancelled = await judge(({ answer }) => answer(ended("cancelled")), { filter });
    expect(verdictOf(cancelled, "turn.text#ACP-TURN-002")?.verdict).toBe("fail");
  });

  test("is not accused for a model that it does not reach, but for a session that takes no second prompt", async () => {
    const error = { code: -32603, message: "no API key" };
    const without = await judge(({ answer }) => answer({ error }));
    expect(without).toMatchObject({ outcome: "incomplete" });
    expect(verdictOf(without, "turn.text#ACP-TURN-001")).toMatchObject({
      verdict: "blocked",
      message: expect.stringMatching(/a plain session\/prompt was refused with -32603 "no API key"/),
    });
    let turns = 0;
    const once = await judge(({ answer }) => answer(turns++ === 0 ? ended("end_turn") : { error }), {
      filter: ["acp.agent.turn.next"],
    });
    expect(verdictOf(once, "turn.next#ACP-TURN-008")?.verdict).toBe("fail");
  });
});

describe("a reference that gets plain prompts passes", () => {
  test.each([
    ["an ACP agent", acp, "agent"],
    ["an ECA server", eca, "server"],
    ["a Kaiak server", kaiak, "server"],
  ] as const)("%s", async (_name, protocol, role) => {
    const serve = protocol.reference[role]?.serve?.();
    if (serve === undefined) throw new Error("no reference");
    const report = await runConformance({ protocol, role, seed: 1, timeScale: 0.1, target: memoryTarget(serve) });
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    const verdicts = report.cases.filter(({ verdict }) => verdict === "blocked" || verdict === "fail");
    expect(verdicts.map(({ id, reason }) => [id, reason])).toEqual([]);
    expect(report.notJudged?.cases.length).toBeGreaterThan(10);
  });
});

test("a role whose cases need no behavior is judged as a whole", () => {
  const needy = sman.cases.filter(({ needs = [] }) => needs.length > 0);
  expect(needy).toEqual([]);
});

test("a target with some behaviors is not judged by cases that need others", async () => {
  const judged = toyCase("judged", ["TOY-MUST"], (t) => t.pass("TOY-MUST"), { needs: ["text"] });
  const other = toyCase("other", ["TOY-MUST-2"], (t) => t.pass("TOY-MUST-2"), { needs: ["plan"], plain: true });
  const report = await runConformance({
    protocol: toy([judged, other]),
    role: "server",
    target: memoryTarget(toyServer()),
    behaviors: { mode: "commands", names: ["text"], say: (name) => name },
  });
  expect(report).toMatchObject({
    outcome: "passed",
    notJudged: { cases: [other.id], behaviors: ["plan"], requirements: ["TOY-MUST-2"] },
  });
});
