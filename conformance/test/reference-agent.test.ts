import { describe, expect, test } from "vitest";
import { checkTrace } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { writeTrace } from "../src/trace/file.js";
import { Conversation } from "../src/core/talk/conversation.js";
import { Fatal } from "../src/core/talk/fatal.js";
import { judgeOf } from "../src/core/talk/judge.js";
import { openTalk } from "../src/core/talk/open-talk.js";
import { scaledTime } from "../src/core/talk/time.js";
import { agentRole } from "../src/protocols/acp/agent-role.js";
import { behaviors } from "../src/protocols/acp/behaviors.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { Trace } from "../src/trace/trace.js";
import { memoryTarget } from "../src/wire/memory.js";

const acp = findProtocol("acp");

/** A conversation with the reference agent, initialized, with a session. */
async function open(framing: "line" | "header" = "line") {
  const trace = new Trace();
  const link = await memoryTarget(referenceAgent()).open({ trace, framing, faults: [], graceMs: 100, env: {} });
  const conversation = new Conversation(link, acp.envelope, judgeOf(acp));
  const talk = openTalk({ conversation, time: scaledTime(), deadline: 2_000, fatal: new Fatal() });
  conversation.handshake = await agentRole.handshake(talk, { name: "spec" });
  const { sessionId } = await talk.send.request("session/new", { cwd: "/tmp", mcpServers: [] }).result();
  const prompt = (text: string) => talk.send.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  /** The session's updates so far, without the echo of the prompt. */
  const updates = () =>
    talk
      .rest("session/update")
      .map(({ params }) => params["update"] as Record<string, unknown>)
      .filter(({ sessionUpdate }) => sessionUpdate !== "user_message_chunk");
  return { trace, talk, prompt, updates, sessionId: String(sessionId) };
}

const text = (updates: readonly Record<string, unknown>[]): string =>
  updates.map(({ content }) => (content as { text?: string } | undefined)?.text ?? "").join("");

describe("the reference agent", () => {
  test.each<[string, string, (updates: Record<string, unknown>[]) => void]>([
    ["conf:text {}", "end_turn", (updates) => expect(text(updates)).toBe("ok")],
    ['conf:text {"text":"hi there"}', "end_turn", (updates) => expect(text(updates)).toBe("hi there")],
    [
      'conf:chunks {"count":3}',
      "end_turn",
      (updates) => expect(updates.map((update) => text([update]))).toEqual(["1 ", "2 ", "3 "]),
    ],
    ['conf:slow {"ms":5}', "end_turn", (updates) => expect(text(updates)).toBe("working")],
    [
      "conf:tool-ok {}",
      "end_turn",
      (updates) => expect(updates.map(({ status }) => status)).toEqual(["in_progress", "in_progress", "completed"]),
    ],
    [
      "conf:tool-fail {}",
      "end_turn",
      (updates) => expect(updates.map(({ status }) => status)).toEqual(["in_progress", "failed"]),
    ],
    [
      "conf:plan {}",
      "end_turn",
      (updates) => expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(["plan", "plan"]),
    ],
    ['conf:long {"size":100000}', "end_turn", (updates) => expect(text(updates)).toHaveLength(100_000)],
    ["conf:refuse {}", "refusal", (updates) => expect(updates).toEqual([])],
    ["conf:max-tokens {}", "max_tokens", (updates) => expect(updates).toEqual([])],
    ["conf:max-turn-requests {}", "max_turn_requests", (updates) => expect(updates).toEqual([])],
    ["just words", "end_turn", (updates) => expect(text(updates)).toBe("just words")],
  ])("%s ends with %s", async (command, stopReason, check) => {
    const { prompt, updates } = await open();
    expect(await prompt(command).result()).toEqual({ stopReason });
    check(updates());
  });

  test("fails on demand", async () => {
    const { prompt } = await open();
    expect(await prompt("conf:error {}").error(-32603)).toMatchObject({ message: "prompt execution failed" });
  });

  test.each([
    ["allow_once", "completed"],
    ["reject_once", "failed"],
  ])("asks for permission; %s makes it %s", async (optionId, status) => {
    const { talk, prompt, updates } = await open();
    const turn = prompt("conf:ask-permission {}");
    talk.reply(await talk.expect.request("session/request_permission"), { outcome: { outcome: "selected", optionId } });
    expect(await turn.result()).toEqual({ stopReason: "end_turn" });
    expect(updates().at(-1)).toMatchObject({ status });
  });

  test("has every behavior of the contract", async () => {
    for (const { name } of behaviors) {
      const { talk, prompt, updates } = await open();
      talk.answer("session/request_permission", () => ({ result: { outcome: { outcome: "cancelled" } } }));
      await prompt(`conf:${name} {"ms":1}`).response();
      expect(text(updates()), name).not.toContain("conf:");
    }
  });

  test("answers in the framing of the first message", async () => {
    for (const framing of ["line", "header"] as const) {
      const { trace } = await open(framing);
      const framings = trace.entries.flatMap((entry) =>
        entry.kind === "message" && entry.from === "target" ? [entry.frame?.framing] : [],
      );
      expect(new Set(framings)).toEqual(new Set([framing]));
    }
  });

  test("its traffic satisfies every monitor, live and from a file", async () => {
    const { trace, talk, prompt, sessionId } = await open();
    await prompt("conf:tool-ok {}").result();
    const slow = prompt("conf:slow {}");
    await talk.expect.notify("session/update", { update: { content: { text: "working" } } });
    await prompt("again").error(-32600);
    talk.send.notify("session/cancel", { sessionId });
    expect(await slow.result()).toEqual({ stopReason: "cancelled" });
    await talk.send.request("session/set_mode", { sessionId, modeId: "safe" }).result();
    await talk.send.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] }).result();
    const report = checkTrace(acp, "agent", writeTrace(trace.entries));
    expect(report.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.checks.length).toBeGreaterThan(15);
  });
});
