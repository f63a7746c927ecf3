import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { checkTrace, runConformance } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { findProtocol } from "../src/protocols/all.js";
import { writeTrace } from "../src/trace/file.js";
import { Conversation } from "../src/core/talk/conversation.js";
import { Fatal } from "../src/core/talk/fatal.js";
import { judgeOf } from "../src/core/talk/judge.js";
import { openTalk } from "../src/core/talk/open-talk.js";
import { scaledTime } from "../src/core/talk/time.js";
import { behaviors } from "../src/protocols/eca/behaviors.js";
import { referenceServer } from "../src/protocols/eca/reference/server.js";
import { serverRole } from "../src/protocols/eca/server-role.js";
import { Trace } from "../src/trace/trace.js";
import { memoryTarget } from "../src/wire/memory.js";

const eca = findProtocol("eca");
const registry = eca.registry();

describe("the registry of ECA", () => {
  test("is complete", () => {
    expect(registryProblems(registry, eca)).toEqual([]);
  });

  test("has a row for every finding S1 to S43 and C1 to C22", () => {
    const known = new Set(registry.requirements.flatMap(({ aka }) => aka));
    const wanted = [
      ...Array.from({ length: 43 }, (_, index) => `S${index + 1}`),
      ...Array.from({ length: 22 }, (_, index) => `C${index + 1}`),
    ];
    expect(wanted.filter((id) => !known.has(id))).toEqual([]);
  });

  test("judges nothing in a role that the requirement does not bind", () => {
    const wrong = eca.cases.flatMap(({ id, role, emits }) =>
      emits
        .filter((req) => ![role, "both"].includes(registry.byId.get(req)?.role ?? ""))
        .map((req) => `${id} judges ${req}`),
    );
    expect(wrong).toEqual([]);
  });

  test("warns, and no more, where real servers deviate", () => {
    const levels = ["ECA-RPC-008", "ECA-RPC-011", "ECA-LIFE-004", "ECA-CHAT-004"].map(
      (id) => registry.byId.get(id)?.level,
    );
    expect(new Set(levels)).toEqual(new Set(["should"]));
    expect(registry.requirements.filter(({ id, level }) => id.startsWith("ECA-FORM") && level !== "should")).toEqual(
      [],
    );
  });
});

test("turns of two chats that end half a second after their texts are waited for", async () => {
  const late = memoryTarget((pipe) => {
    let written = Promise.resolve();
    referenceServer()({
      listen: (listener) => pipe.listen(listener),
      write: (chunk) => {
        const ms = Buffer.from(chunk).includes('"finished"') ? 500 : 0;
        written = written.then(() => sleep(ms)).then(() => pipe.write(chunk));
      },
      end: () => void written.then(() => pipe.end()),
      destroy: () => pipe.destroy(),
    });
  });
  const options = { protocol: eca, role: "server", target: late, behaviors: "commands", seed: 1 } as const;
  const { cases } = await runConformance({ ...options, filter: ["eca.server.chat.two"] });
  expect(cases.map(({ id, verdict }) => [id, verdict])).toContainEqual(["eca.server.chat.two", "pass"]);
});

/** A conversation with the reference server, initialized. */
async function open() {
  const trace = new Trace();
  const link = await memoryTarget(referenceServer()).open({
    trace,
    framing: "header",
    faults: [],
    graceMs: 100,
    env: {},
  });
  const conversation = new Conversation(link, eca.envelope, judgeOf(eca));
  const talk = openTalk({ conversation, time: scaledTime(), deadline: 2_000, fatal: new Fatal() });
  conversation.handshake = await serverRole.handshake(talk, { name: "spec" });
  const prompt = async (message: string, chatId = "chat-a"): Promise<unknown[]> => {
    talk.send.request("chat/prompt", { chatId, requestId: "1", message });
    await talk.expect.notify("chat/contentReceived", { chatId, content: { type: "progress", state: "finished" } });
    return talk
      .rest("chat/contentReceived", { chatId })
      .map(({ params }) => (params["content"] as { type: string }).type);
  };
  return { trace, talk, prompt };
}

describe("the reference server", () => {
  test.each([
    ["conf:text {}", ["text", "progress", "text", "usage"]],
    ['conf:chunks {"count":2}', ["text", "progress", "text", "text", "usage"]],
    ['conf:slow {"ms":5}', ["text", "progress", "text", "usage"]],
    ["conf:reason {}", ["text", "progress", "reasonStarted", "reasonText", "reasonFinished", "url", "text", "usage"]],
    ["conf:tool-ok {}", ["text", "progress", "toolCallPrepare", "toolCallRun", "toolCalled", "usage"]],
    ["conf:error {}", ["text", "progress", "text", "usage"]],
    ["just words", ["text", "progress", "text", "usage"]],
  ])("%s is a turn of %j", async (command, types) => {
    const { prompt } = await open();
    expect(await prompt(command)).toEqual(types);
  });

  test("has every behavior of the contract", async () => {
    for (const { name } of behaviors) {
      const { talk, prompt } = await open();
      const turn = prompt(`conf:${name} {"ms":1}`);
      if (name === "ask-approval") {
        const { params } = await talk.expect.notify("chat/contentReceived", { content: { type: "toolCallRun" } });
        talk.send.notify("chat/toolCallApprove", {
          chatId: "chat-a",
          toolCallId: (params["content"] as { id: string }).id,
        });
      }
      await turn;
    }
  });

  test("its traffic satisfies every monitor, live and from a file", async () => {
    const { trace, talk, prompt } = await open();
    await prompt("conf:tool-ok {}");
    const slow = prompt("conf:slow {}", "chat-b");
    await talk.expect.notify("chat/contentReceived", { content: { text: "working" } });
    talk.send.notify("chat/promptStop", { chatId: "chat-b" });
    await slow;
    await talk.send.request("chat/queryContext", { query: "", contexts: [] }).result();
    await talk.send.request("chat/delete", { chatId: "chat-b" }).result();
    const report = checkTrace(eca, "server", writeTrace(trace.entries));
    expect(report.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.checks.length).toBeGreaterThan(30);
  });
});

describe("what real programs write", () => {
  const said = (from: "client" | "server", method: string, params: unknown): string =>
    JSON.stringify({ from, message: { jsonrpc: "2.0", method, params } });
  const content = (one: Record<string, unknown>): string =>
    said("server", "chat/contentReceived", {
      chatId: "chat-1",
      role: "assistant",
      content: { id: "call_1", name: "shell", origin: "native", arguments: {}, ...one },
    });
  const prepared = content({ type: "toolCallPrepare", argumentsText: "{}", manualApproval: true });
  const run = content({ type: "toolCallRun", manualApproval: true });
  const asked = (id: number, method: string, params: unknown): string =>
    JSON.stringify({ from: "client", message: { jsonrpc: "2.0", id, method, params } });
  const failing = (role: string, lines: readonly string[], area = "ECA-TOOL-"): string[] =>
    checkTrace(eca, role, lines.join("\n"))
      .checks.filter(({ verdict, req }) => verdict === "fail" && req.startsWith(area))
      .map(({ req }) => req);

  test("an approval without a chat is a form of its own, and is about the call that it names", () => {
    const approves = (chatId: unknown, toolCallId = "call_1"): string =>
      said("client", "chat/toolCallApprove", { chatId, toolCallId });
    expect(failing("client", [prepared, run, approves(null)])).toEqual([]);
    expect(failing("client", [prepared, run, approves(null), approves(null)])).toEqual(["ECA-TOOL-020"]);
    expect(failing("client", [prepared, run, approves(null, "call_2")])).toEqual(["ECA-TOOL-020"]);
    expect(failing("client", [prepared, run, approves("chat-2")])).toEqual(["ECA-TOOL-020"]);
    const called = content({ type: "toolCalled", error: false, outputs: [] });
    expect(failing("server", [prepared, run, approves(null), called])).toEqual([]);
    expect(failing("server", [prepared, run, approves(null, "call_2"), called])).toEqual(["ECA-TOOL-003"]);
  });

  test("a model's id may come again in a later turn", () => {
    const rejected = content({ type: "toolCallRejected", reason: "user" });
    const prompt = asked(7, "chat/prompt", { chatId: "chat-1", message: "again" });
    const rejects = said("client", "chat/toolCallReject", { chatId: "chat-1", toolCallId: "call_1" });
    const turn = [prepared, run, rejects, rejected];
    expect(failing("server", [...turn, prompt, ...turn])).toEqual([]);
    expect(failing("server", [...turn, ...turn])).toEqual(["ECA-TOOL-001"]);
  });
  test("a chat that is opened again is replayed, behind the end of its last turn", () => {
    const text = content({ type: "text", text: "Hello" });
    const finished = said("server", "chat/contentReceived", {
      chatId: "chat-1",
      role: "system",
      content: { type: "progress", state: "finished", text: "" },
    });
    const turn = [asked(1, "chat/prompt", { chatId: "chat-1", message: "Hello" }), text, finished];
    expect(failing("server", [...turn, asked(2, "chat/open", { chatId: "chat-1" }), text], "ECA-TURN-")).toEqual([]);
    expect(failing("server", [...turn, text], "ECA-TURN-")).toEqual(["ECA-TURN-010"]);
  });

  test("nothing is wrong with what the specification does not have: prompts of servers, cursors", () => {
    const server = { type: "mcp", name: "everything", command: "node", args: [], status: "running", tools: [] };
    const updated = (more: object): string => said("server", "tool/serverUpdated", { ...server, ...more });
    const prompts = [{ name: "args-prompt", arguments: [{ name: "city", description: null }, { name: "state" }] }];
    const query = asked(1, "chat/queryContext", { query: "", contexts: [] });
    const answer = (context: object): string =>
      JSON.stringify({ from: "server", message: { jsonrpc: "2.0", id: 1, result: { contexts: [context] } } });
    expect(failing("server", [updated({ prompts }), query, answer({ type: "cursor" })], "ECA-SCHEMA-")).toEqual([]);
    expect(failing("server", [updated({ name: 1 }), query, answer({ type: "file" })], "ECA-SCHEMA-")).toEqual([
      "ECA-SCHEMA-tool/serverUpdated:params",
      "ECA-SCHEMA-chat/queryContext:result",
    ]);
  });
});
