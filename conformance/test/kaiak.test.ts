import { describe, expect, test } from "vitest";
import { checkTrace } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { findProtocol } from "../src/protocols/all.js";
import { writeTrace } from "../src/trace/file.js";
import { Conversation } from "../src/core/talk/conversation.js";
import { Fatal } from "../src/core/talk/fatal.js";
import { judgeOf } from "../src/core/talk/judge.js";
import { openTalk } from "../src/core/talk/open-talk.js";
import { scaledTime } from "../src/core/talk/time.js";
import { behaviors } from "../src/protocols/kaiak/behaviors.js";
import { referenceServer } from "../src/protocols/kaiak/reference/server.js";
import { incident } from "../src/protocols/kaiak/samples.js";
import { answering, serverRole } from "../src/protocols/kaiak/server-role.js";
import { Trace } from "../src/trace/trace.js";
import { memoryTarget } from "../src/wire/memory.js";

const kaiak = findProtocol("kaiak");
const registry = kaiak.registry();

describe("the registry of Kaiak", () => {
  test("is complete", () => {
    expect(registryProblems(registry, kaiak)).toEqual([]);
  });

  test("has a row for every finding B01 to B48", () => {
    const known = new Set(registry.requirements.flatMap(({ aka }) => aka));
    const wanted = Array.from({ length: 48 }, (_, index) => `B${String(index + 1).padStart(2, "0")}`);
    expect(wanted.filter((id) => id !== "B39" && !known.has(id))).toEqual([]);
  });

  test("judges nothing in a role that the requirement does not bind", () => {
    const wrong = kaiak.cases.flatMap(({ id, role, emits }) =>
      emits
        .filter((req) => ![role, "both"].includes(registry.byId.get(req)?.role ?? ""))
        .map((req) => `${id} judges ${req}`),
    );
    expect(wrong).toEqual([]);
  });

  test("demands no more than a should for what the specification leaves open", () => {
    const levels = ["KAIAK-ASK-001", "KAIAK-SESSION-006", "KAIAK-LIFE-001", "KAIAK-FIX-013", "KAIAK-CALL-031"].map(
      (id) => registry.byId.get(id)?.level,
    );
    expect(new Set(levels)).toEqual(new Set(["should"]));
  });
});

describe("the envelope of Kaiak", () => {
  const { request, notification, classify } = kaiak.envelope;

  test("carries commands, and nothing else", () => {
    const carried = request(1, "kaiak/configure", { a: 1 });
    expect(carried).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "workspace/executeCommand",
      params: { command: "kaiak/configure", arguments: [{ a: 1 }] },
    });
    expect(classify(carried)).toEqual({ kind: "request", id: 1, method: "kaiak/configure", params: { a: 1 } });
    expect(request(2, "kaiak/configure", undefined)).toMatchObject({ params: { arguments: [] } });
    expect(notification("kaiak/stream/error", {})).toMatchObject({ method: "kaiak/stream/error", params: {} });
    expect(request(3, "initialize", {})).toMatchObject({ method: "initialize" });
  });

  test("leaves what carries no command as it is", () => {
    const odd = { jsonrpc: "2.0", id: 1, method: "workspace/executeCommand", params: { command: 7 } };
    expect(classify(odd)).toMatchObject({
      kind: "request",
      method: "workspace/executeCommand",
      params: { command: 7 },
    });
  });
});

/** A conversation with the reference server, configured. */
async function open() {
  const trace = new Trace();
  const link = await memoryTarget(referenceServer()).open({
    trace,
    framing: "header",
    faults: [],
    graceMs: 100,
    env: {},
  });
  const conversation = new Conversation(link, kaiak.envelope, judgeOf(kaiak));
  const talk = openTalk({ conversation, time: scaledTime(), deadline: 2_000, fatal: new Fatal() });
  conversation.handshake = await serverRole.handshake(talk, { name: "spec" });
  const run = async (message: string): Promise<readonly string[]> => {
    const session_id = "11111111-1111-4111-8111-111111111111";
    const stop = answering(talk, session_id);
    await talk.send.request("kaiak/generate_fix", { session_id, incidents: [{ ...incident, message }] }).result();
    stop();
    return talk.rest().map(({ method }) => method.replace("kaiak/stream/", ""));
  };
  return { trace, run };
}

describe("the reference server of Kaiak", () => {
  test.each([
    ["conf:text {}", ["progress", "ai_response", "progress", "system"]],
    ['conf:chunks {"count":2}', ["progress", "ai_response", "ai_response", "progress", "system"]],
    ['conf:slow {"ms":5}', ["progress", "ai_response", "progress", "system"]],
    ["conf:tool-ok {}", ["progress", "tool_call", "tool_call", "tool_call", "progress", "system"]],
    ["conf:ask {}", ["progress", "user_interaction", "ai_response", "progress", "system"]],
    ["conf:modify {}", ["progress", "file_modification", "user_interaction", "ai_response", "progress", "system"]],
    ["conf:error {}", ["progress", "error", "ai_response", "progress", "system"]],
    ["conf:fail {}", ["progress", "error"]],
    ["just words", ["progress", "ai_response", "progress", "system"]],
  ])("%s is a run of %j", async (command, kinds) => {
    const { run } = await open();
    expect(await run(command)).toEqual(kinds);
  });

  test("its traffic satisfies every monitor, from a file", async () => {
    const { trace, run } = await open();
    for (const { name } of behaviors) await run(`conf:${name} {"ms":1}`);
    const report = checkTrace(kaiak, "server", writeTrace(trace.entries));
    expect(report.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(report.checks.length).toBeGreaterThan(20);
  });
});
