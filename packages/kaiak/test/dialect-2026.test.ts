import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Diagnostic,
  errorNameOf,
  isSessionInUse,
  isSessionNotFound,
  kaiakProfiles,
  type KaiakServer,
  type KaiakTurnEvent,
} from "@editwire/kaiak";
import { spawnKaiak } from "@editwire/kaiak/node";
import { kaiakPair } from "@editwire/kaiak/testing";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type RawPeer, startRaw } from "./raw.js";

const programs = await bundle(import.meta.url, {
  ours: "fixtures/server.ts",
  theirs: "fixtures/server-2026.ts",
});
const { v2026, spec } = kaiakProfiles;
const workspace = { working_dir: process.cwd() };
const incident = (message = "m") => ({ id: "1", rule_id: "r", message, uri: "file:///A.java" });

async function eventsOf(turn: AsyncIterable<KaiakTurnEvent>): Promise<KaiakTurnEvent[]> {
  const events: KaiakTurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

describe("a client of a server of 2026", () => {
  const start = async (options: Parameters<typeof spawnKaiak>[1] = {}) => {
    const diagnostics: Diagnostic[] = [];
    const client = await spawnKaiak([process.execPath, programs.theirs], {
      noise: "resync",
      graceMs: 50,
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
      ...options,
    });
    onTestFinished(() => client.close());
    return { client, ids: () => new Set(diagnostics.map(({ id }) => id)) };
  };

  it("finds out the dialect by the first answer, and gives the same events as in the specification's", async () => {
    const { client, ids } = await start();
    const tools = { max_tool_calls: 5 };
    expect((await client.configure({ workspace, model: { provider: "p", model: "m" }, tools })).warnings).toEqual([
      "tools: the server's dialect does not have it",
    ]);
    expect(client.profile).toBe(v2026);
    expect(ids()).toEqual(new Set(["dialect", "rpc.noise"]));
    const session = client.newSession();
    const turn = session.prompt([incident()]);
    const events = await eventsOf(turn);
    expect(events.map(({ type }) => type)).toEqual([
      "system",
      "thought",
      "tool_call",
      "question",
      "tool_call",
      "text",
      "error",
      "stop",
    ]);
    const [before, after] = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
    expect(before).toMatchObject({ toolCallId: "t1", name: "text_editor", status: "in_progress" });
    expect(after).toEqual({ ...before, status: "completed", result: { success: true } });
    const question = events.find((event) => event.type === "question");
    expect(question).toMatchObject({
      question: { prompt: "Run text_editor?", options: ["allow_once", "always_allow", "deny"], timeoutMs: 300_000 },
    });
    const sent: unknown = JSON.parse(events.find((event) => event.type === "text")?.text ?? "");
    expect(sent).toMatchObject({
      workspace: workspace.working_dir,
      override_base_config: { model: { provider: "p" } },
    });
    expect(session.id).toBe("10000000-0000-4000-8000-000000000000");
    expect(await turn.result).toMatchObject({ session_id: session.id, status: "completed", incident_count: 1 });
  });

  it("names sessions as the server does, deletes them, and reads refusals in results as errors", async () => {
    const { client } = await start({ profile: v2026 });
    await client.configure({ workspace });
    const [one, two] = [client.newSession(), client.newSession()];
    const turns = [one.prompt([incident()]), two.prompt([incident()])];
    for (const turn of turns) expect((await turn.result).incident_count).toBe(1);
    expect([one.id, two.id]).toEqual(["0", "1"].map((end) => `10000000-0000-4000-8000-00000000000${end}`));
    expect(await one.prompt([incident()]).stopReason).toBe("end_turn");
    const asked = two.prompt([incident()]);
    for await (const event of asked)
      if (event.type === "question")
        await expect(event.respond("allow_once")).rejects.toMatchObject({
          message: "Response validation failed: No pending confirmation for id: t1",
        });
    expect(await one.delete()).toMatchObject({ status: "deleted", cleanup_summary: { temp_files_removed: 5 } });
    const again: unknown = await one.delete().catch((error: unknown) => error);
    expect(isSessionNotFound(again, client.profile)).toBe(true);
    const other = client.newSession({ sessionId: "elsewhere" }).prompt([incident()]);
    await expect(other.stopReason).rejects.toMatchObject({ code: -32003 });
  });

  it("cancels by a request, because the server ends on a notification", async () => {
    const { client } = await start({ profile: v2026, cancelGraceMs: 2_000 });
    await client.configure({ workspace });
    const session = client.newSession();
    const turn = session.prompt([incident()]);
    for await (const event of turn) if (event.type === "system") break;
    expect(await turn.stopReason).toBe("cancelled");
    expect(await session.prompt([incident()]).stopReason).toBe("end_turn");
  });

  it("refuses what the dialect cannot say before anything is sent", async () => {
    const { client } = await start({ profile: v2026 });
    const early = client.newSession().prompt([incident()]);
    await expect(early.stopReason).rejects.toThrow("call configure first");
    await client.configure({ workspace });
    const fileless = client.newSession().prompt([{ id: "1", rule_id: "r", message: "m" }]);
    await expect(fileless.stopReason).rejects.toThrow("params.incidents.0.uri: this dialect requires it");
  });

  it("does not look for another dialect in strict mode", async () => {
    const { client } = await start({ strict: true });
    await expect(client.configure({ workspace })).rejects.toMatchObject({ code: -32601 });
    expect(client.profile).toBe(spec);
  });
});

describe("a server in the dialect of 2026", () => {
  const start = (): RawPeer => {
    const { peer, child } = startRaw(programs.ours, "v2026");
    onTestFinished(() => void child.kill());
    return peer;
  };
  const run = (message: string, more: object = {}) => ({
    incidents: [{ id: "1", uri: "file:///A.java", message, description: "d" }],
    agent_config: { workspace: workspace.working_dir, override_base_config: null },
    ...more,
  });
  const data = (peer: RawPeer, kind: string) =>
    peer.next(({ method, params }) => method === "kaiak/generate_fix/data" && params?.["kind"] === kind);
  const payloadOf = ({ params }: Awaited<ReturnType<typeof data>>) => params?.["payload"];

  it("takes plain methods, names the session, and sends everything as kaiak/generate_fix/data", async () => {
    const peer = start();
    peer.send({ id: 1, method: "kaiak/generate_fix", params: run("go 2") });
    const { result } = await peer.reply(1);
    expect(result).toMatchObject({ status: "completed", incident_count: 1 });
    expect(result?.["created_at"]).toMatch(/^20/);
    const sent = peer.messages.filter(({ method }) => method !== undefined);
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(["kaiak/generate_fix/data"]));
    for (const { params } of sent) {
      expect(Object.keys(params ?? {}).sort()).toEqual(["kind", "payload", "request_id", "session_id"]);
      expect(params).toMatchObject({ session_id: result?.["session_id"], request_id: result?.["request_id"] });
    }
    expect(sent.map(({ params }) => params?.["kind"])).toEqual([
      "system",
      "thinking",
      "tool_call",
      "tool_call",
      "tool_response",
      "ai_message",
      "ai_message",
      "ai_message",
      "system",
      "system",
    ]);
    const [call, , response] = sent.slice(2, 5).map(payloadOf) as Record<string, unknown>[];
    expect(call).toMatchObject({ tool_name: "read_file", arguments: { file_path: "Ä.java" } });
    expect(response).toMatchObject({ id: call?.["id"], is_error: false, content_count: 1 });
    peer.send({ id: 2, method: "kaiak/generate_fix", params: run("go", { session_id: result?.["session_id"] }) });
    expect((await peer.reply(2)).result).toMatchObject({ session_id: result?.["session_id"] });
  });

  it("answers with its own error codes, and with results where the dialect has no error", async () => {
    const peer = start();
    peer.send({ id: 1, method: "workspace/executeCommand", params: { command: "kaiak/configure", arguments: [{}] } });
    expect((await peer.reply(1)).error).toMatchObject({ code: -32601, data: { method: "workspace/executeCommand" } });
    peer.send({ id: 2, method: "kaiak/generate_fix", params: run("go", { session_id: "unknown" }) });
    expect((await peer.reply(2)).error).toMatchObject({ code: -32003, data: { session_id: "unknown" } });
    peer.send({ id: 3, method: "kaiak/generate_fix", params: run("refuse") });
    expect((await peer.reply(3)).error).toMatchObject({ code: -32012, data: { provider: "odd" } });
    peer.send({ id: 4, method: "kaiak/delete_session", params: { session_id: "unknown" } });
    expect((await peer.reply(4)).result).toMatchObject({
      status: "deleted",
      cleanup_results: { session_removed: false, warnings: ["Session not found"] },
    });
    peer.send({ id: 5, method: "kaiak/client/user_message", params: { session_id: "unknown", kind: "user_input" } });
    expect((await peer.reply(5)).result).toMatchObject({ success: false, message: "Session not found" });
    peer.send({ id: 6, method: "kaiak/generate_fix", params: { incidents: run("go").incidents } });
    expect((await peer.reply(6)).error).toMatchObject({ code: -32014, data: { field: "configuration" } });
  });

  it("holds the session while a question is open, and takes its answer as a user message", async () => {
    const peer = start();
    peer.send({ id: 1, method: "kaiak/generate_fix", params: run("propose") });
    const { params } = await data(peer, "user_interaction");
    const { session_id, payload } = params ?? {};
    expect(payload).toMatchObject({
      interaction_type: "tool_confirmation",
      tool_name: "file_approval",
      arguments: {},
      prompt: "Apply the change to A.java?",
    });
    peer.send({ id: 2, method: "kaiak/generate_fix", params: run("go", { session_id }) });
    expect((await peer.reply(2)).error).toMatchObject({ code: -32013, data: { session_id } });
    peer.send({ id: 3, method: "kaiak/delete_session", params: { session_id, force: true } });
    expect((await peer.reply(3)).result).toMatchObject({
      status: "failed",
      cleanup_results: { session_removed: false },
    });
    const { id } = payload as { readonly id: string };
    const answer = { session_id, kind: "tool_confirmation", timestamp: "2026-01-05T10:00:00Z" };
    peer.send({
      id: 4,
      method: "kaiak/client/user_message",
      params: { ...answer, payload: { request_id: "other", action: "deny" } },
    });
    expect((await peer.reply(4)).result).toMatchObject({ success: false });
    peer.send({
      id: 5,
      method: "kaiak/client/user_message",
      params: { ...answer, payload: { request_id: id, action: "allow_once" } },
    });
    expect(payloadOf(await data(peer, "ai_message"))).toMatchObject({ role: "Assistant", text: "answer: approve" });
    await peer.reply(1);
    peer.send({ id: 6, method: "kaiak/delete_session", params: { inner: { session_id } } });
    expect((await peer.reply(6)).result).toMatchObject({ status: "deleted", cleanup_results: { files_removed: 2 } });
  });

  it("ends a run as cancelled on a control signal", async () => {
    const peer = start();
    peer.send({ id: 1, method: "kaiak/generate_fix", params: run("wait") });
    const { params } = await data(peer, "system");
    const signal = { session_id: params?.["session_id"], kind: "control_signal", timestamp: "2026-01-05T10:00:00Z" };
    peer.send({ id: 2, method: "kaiak/client/user_message", params: { ...signal, payload: { signal: "cancel" } } });
    expect((await peer.reply(1)).result).toMatchObject({ status: "cancelled" });
  });
});

/** The events of a run that has everything, without what differs from run to run. */
async function everything(profile: typeof spec): Promise<unknown[]> {
  const server: KaiakServer = {
    async prompt(turn) {
      await turn.progress({ percentage: 10, phase: "start", description: "Starting", total_steps: 2 });
      await turn.thought("hm");
      const call = await turn.toolCall({ name: "read", arguments: { path: "A" } }, "pending");
      await call.update("executing");
      await call.complete("text");
      await (await turn.toolCall({ name: "write", operation: "w" })).fail("denied");
      await turn.text("a", { partial: true, tokens: 1 });
      await turn.error({ error_code: "E", message: "m", recoverable: true });
      await turn.system({ message: "s", level: "warning", component: "c" });
      await turn.fileModification({ file_path: "A", operation: "modify", diff: "-a" });
      const change = { file_path: "B", operation: "create", risk_level: "low" } as const;
      const answers = [
        await turn.proposeFileModification(change),
        await turn.ask({ type: "tool_permission", prompt: "Run?", options: ["yes", "no"], timeoutMs: 5_000 }),
        await turn.ask({ prompt: "Which?", options: ["x", "y"], defaultResponse: "x" }),
        await turn.ask({ prompt: "Name?" }),
      ];
      await turn.text(answers.join(" "));
      await turn.error({ error_code: "F", message: "broken", recoverable: false });
    },
    deleteSession: () => ({ tempFilesRemoved: 3, errors: ["one is open"] }),
  };
  const { client } = await kaiakPair(server, { client: { profile }, server: { profile } });
  await client.configure({ workspace });
  const session = client.newSession();
  const turn = session.prompt([incident()]);
  const events: unknown[] = [];
  const given = ["approve", "no", "y", "Ann"];
  const calls: string[] = [];
  for await (const event of turn) {
    if (event.type === "question") await event.respond(given.shift() ?? "");
    if (event.type === "question") events.push({ ...event.question, questionId: "q", schema: undefined });
    else if (event.type === "file_modification") events.push({ ...event.modification, proposal_id: "p" });
    else if (event.type === "tool_call") {
      const { toolCallId, result, ...call } = event.toolCall;
      calls.push(toolCallId);
      events.push({ ...call, result: result && { ...result, execution_time: 0 } });
    } else events.push(event);
  }
  expect(calls.map((id) => calls.indexOf(id))).toEqual([0, 0, 0, 3, 3]);
  expect(await turn.result).toMatchObject({ status: "failed", session_id: session.id, incident_count: 1 });
  events.push((await session.delete()).cleanup_summary.errors);
  await client.close();
  return events;
}

it("the events of both dialects are the same", async () => {
  const events = await everything(spec);
  expect(events).toContainEqual({ type: "text", text: "approve no y Ann", partial: false });
  expect(events).toContainEqual(["one is open"]);
  expect(withoutExtras(await everything(v2026))).toEqual(withoutExtras(events));
});

/** Drops what `v2026` adds to the payload of a system message. */
function withoutExtras(events: readonly unknown[]): unknown {
  return JSON.parse(
    JSON.stringify(events, (key, value: unknown) => (key === "notification_type" ? undefined : value)),
  ) as unknown;
}

it("errors have the same names in both dialects", async () => {
  const names: unknown[] = [];
  for (const profile of [spec, v2026]) {
    const { client } = await kaiakPair(
      {
        async prompt(turn) {
          await turn.text("begun");
          return new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve()));
        },
      },
      { client: { profile }, server: { profile } },
    );
    await client.configure({ workspace });
    const session = client.newSession();
    const turn = session.prompt([incident()]);
    for await (const event of turn) {
      if (event.type !== "text") continue;
      const error: unknown = await session.delete().catch((reason: unknown) => reason);
      names.push(errorNameOf(error, profile), isSessionInUse(error, client.profile));
      await turn.cancel();
    }
    expect(await turn.stopReason).toBe("cancelled");
    await client.close();
  }
  expect(names).toEqual(["SessionInUse", true, "SessionInUse", true]);
});
