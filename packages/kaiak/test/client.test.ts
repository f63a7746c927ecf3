import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type Diagnostic,
  errorNameOf,
  isInvalidParams,
  isSessionInUse,
  isSessionNotFound,
  type KaiakClientOptions,
  type KaiakServer,
  type KaiakServerTurn,
  RemoteError,
  type KaiakTurnEvent,
} from "@editwire/kaiak";
import { spawnKaiak } from "@editwire/kaiak/node";
import { kaiakPair } from "@editwire/kaiak/testing";
import { bundle } from "../../../scripts/testing/bundle.js";

const { server, oddities } = await bundle(import.meta.url, {
  server: "fixtures/server.ts",
  oddities: "fixtures/oddities.ts",
});
const folder = mkdtempSync(join(tmpdir(), "editwire-kaiak-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const configuration = { workspace: { working_dir: folder } };
const incident = (message: string) => ({ id: "i", rule_id: "r", message });

async function start(options: KaiakClientOptions = {}) {
  const client = await spawnKaiak([process.execPath, server, "stdio"], options);
  onTestFinished(() => client.close());
  await client.configure(configuration);
  return client;
}

async function eventsOf(turn: AsyncIterable<KaiakTurnEvent>): Promise<KaiakTurnEvent[]> {
  const events: KaiakTurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

describe("a client of a real process", () => {
  it("B41: yields the events of a run in order, then its result", async () => {
    const client = await start();
    const session = client.newSession({ sessionId: "s" });
    const turn = session.prompt([incident("go 2")]);
    const events = await eventsOf(turn);
    expect(events.map(({ type }) => type)).toEqual([
      "progress",
      "thought",
      "tool_call",
      "tool_call",
      "tool_call",
      "text",
      "text",
      "text",
      "progress",
      "system",
      "stop",
    ]);
    const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(1);
    expect(calls.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
    const result = { success: true, output: "class Ä {}" };
    expect(calls.at(-1)).toMatchObject({ title: "read", name: "read_file", result });
    expect(await turn.result).toMatchObject({ session_id: "s", status: "completed", incident_count: 1 });
    expect(session.state.entries.map(({ type }) => type)).toEqual(["request", "thought", "tool_call", "message"]);
    expect(session.state.entries.at(-1)).toMatchObject({ type: "message", text: "é0é1done" });
    expect(session.state).toMatchObject({ running: false, progress: { percentage: 10, phase: "end" } });
    expect(await session.delete()).toMatchObject({ status: "deleted", cleanup_summary: { temp_files_removed: 2 } });
    await expect(session.delete()).rejects.toSatisfy(isSessionNotFound);
  });

  it("B43: maps the server's errors, and keeps their data", async () => {
    const client = await start();
    const running = client.newSession({ sessionId: "s" }).prompt([incident("wait")]);
    for await (const event of running) if (event.type === "progress") break;
    expect(await running.stopReason).toBe("cancelled");
    const other = client.newSession({ sessionId: "t" });
    const turn = other.prompt([incident("wait")]);
    const busy = client.connection.request("kaiak/generate_fix", { session_id: "t", incidents: [incident("go")] });
    const error: unknown = await busy.catch((reason: unknown) => reason);
    expect(isSessionInUse(error)).toBe(true);
    expect(errorNameOf(error)).toBe("SessionInUse");
    expect(error).toMatchObject({ data: { session_id: "t" } });
    await turn.cancel();
    expect((await turn.result).status).toBe("cancelled");
    await expect(client.configure({ workspace: { working_dir: "/no/such" } })).rejects.toMatchObject({ code: -32014 });
  });

  it("runs with the server's own configuration until a client sends one", async () => {
    const directories: string[] = [];
    const { client } = await kaiakPair(
      { prompt: async ({ session }) => void directories.push(session.configuration.workspace.working_dir) },
      { server: { configuration: { workspace: { working_dir: "/first" } } } },
    );
    await client.newSession().prompt([incident("go")]).stopReason;
    await client.configure({ workspace: { working_dir: "/second" } });
    await client.newSession().prompt([incident("go")]).stopReason;
    expect(directories).toEqual(["/first", "/second"]);
  });

  it("recognizes both codes of wrong params", () => {
    const codes = [-32602, -32011, -32603].map((code) => isInvalidParams(new RemoteError(code, "invalid incidents")));
    expect(codes).toEqual([true, true, false]);
  });

  it("cancels by a signal, and the session is free when the turn has ended", async () => {
    const client = await start();
    const session = client.newSession();
    expect(session.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    const controller = new AbortController();
    const turn = session.prompt([incident("wait")], { signal: controller.signal });
    const stop = session.subscribe(({ progress }) => {
      if (progress === undefined) return;
      stop();
      expect(() => session.prompt([incident("go")])).toThrow("has a running turn");
      controller.abort();
    });
    expect(await turn.stopReason).toBe("cancelled");
    expect(await session.prompt([incident("go")]).stopReason).toBe("end_turn");
  });

  it.each(["fail", "throw"])("ends as error when the run fails (%s)", async (what) => {
    const client = await start();
    const turn = client.newSession().prompt([incident(what)]);
    const events = await eventsOf(turn);
    expect(events.at(-2)).toMatchObject({ type: "error", error: { recoverable: false } });
    expect(events.at(-1)).toEqual({ type: "stop", stopReason: "error" });
    expect((await turn.result).status).toBe("failed");
  });

  it("answers a question by respond, once", async () => {
    const client = await start();
    const turn = client.newSession().prompt([incident("propose")]);
    const seen: unknown[] = [];
    for await (const event of turn) {
      if (event.type === "file_modification") seen.push(event.modification.diff, event.modification.requires_approval);
      if (event.type === "text") seen.push(event.text);
      if (event.type !== "question") continue;
      expect(event.question).toMatchObject({
        type: "file_approval",
        options: ["approve", "deny", "edit"],
        timeoutMs: 300_000,
      });
      await expect(event.respond("perhaps")).rejects.toMatchObject({ code: -32011 });
      await event.respond("approve");
      await expect(event.respond("deny")).rejects.toThrow("already has an answer");
    }
    expect(seen).toEqual(["-a\n+b", true, "answer: approve"]);
  });

  it("answers a question by its handler, after its event", async () => {
    const order: string[] = [];
    const client = await start({
      async question({ prompt }) {
        order.push(`asked ${prompt}`);
        return "deny";
      },
    });
    for await (const event of client.newSession().prompt([incident("ask")]))
      if (event.type === "question" || event.type === "text") order.push(event.type === "text" ? event.text : "event");
    expect(order).toEqual(["event", "asked Which?", "answer: deny"]);
  });

  it("B45: rejects a turn whose server dies, with its exit code", async () => {
    const client = await start();
    const turn = client.newSession().prompt([incident("die")]);
    await expect(turn.stopReason).rejects.toMatchObject({
      code: "closed",
      message: expect.stringContaining("code 3") as string,
    });
    expect(await client.closed).toBeInstanceOf(Error);
  });

  it("B07, B42, B44, B46, B47, B48: tolerates a real server's log lines and sparse fields, and ends it", async () => {
    const diagnostics: Diagnostic[] = [];
    const client = await spawnKaiak([process.execPath, oddities], {
      noise: "resync",
      graceMs: 50,
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
      onError: () => {},
    });
    const events = await eventsOf(client.newSession({ sessionId: "s" }).prompt([incident("go")]));
    expect(events.map((event) => ("text" in event ? `${event.type} ${event.text}` : event.type))).toEqual([
      "text a",
      "tool_call",
      "thought b",
      "stop",
    ]);
    const ids = diagnostics.map(({ id }) => id);
    for (const id of ["rpc.noise", "unknown-notification", "no-partial", "thinking"]) expect(ids).toContain(id);
    await client.close();
    await client.closed;
  });
});

describe("in memory", () => {
  const wait: KaiakServer = {
    prompt: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve())),
  };

  it("ends a cancelled turn within its grace when the server does not", async () => {
    const { client } = await kaiakPair(
      {
        async prompt(turn) {
          await turn.text("started");
          return new Promise(() => {});
        },
      },
      { client: { cancelGraceMs: 20 }, server: { cancelGraceMs: 60_000 } },
    );
    await client.configure({ workspace: { working_dir: "/" } });
    const turn = client.newSession().prompt([incident("x")]);
    for await (const event of turn) if (event.type === "text") await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    await expect(turn.result).rejects.toMatchObject({ code: "aborted" });
  });

  it.each(["new", "known"])("does not delete a %s session right behind the request for its run", async (what) => {
    const { client } = await kaiakPair({ prompt: async () => {}, newSession: () => {} });
    await client.configure({ workspace: { working_dir: "/" } });
    const params = { session_id: "s", incidents: [incident("x")] };
    const fix = () => client.connection.request("kaiak/generate_fix", params);
    if (what === "known") await fix();
    const run = fix();
    const deletion = client.connection.request("kaiak/delete_session", { session_id: "s" });
    await expect(deletion).rejects.toMatchObject({ code: expect.toBeOneOf([-32005, -32016]) });
    expect(await run).toMatchObject({ status: "completed" });
  });

  it.each([
    ["created", "newSession", -32005],
    ["deleted", "deleteSession", -32004],
  ] as const)("refuses a run for a session that is being %s", async (_what, handler, code) => {
    let go = (): void => {};
    const { client } = await kaiakPair({
      prompt: async () => {},
      [handler]: () => new Promise<void>((resolve) => (go = resolve)),
    });
    await client.configure({ workspace: { working_dir: "/" } });
    const session = client.newSession({ sessionId: "s" });
    const params = { session_id: "s", incidents: [incident("x")] };
    if (handler === "deleteSession") await session.prompt([incident("x")]).stopReason;
    const first = handler === "newSession" ? session.prompt([incident("x")]).stopReason : session.delete();
    const refused = client.connection.request("kaiak/generate_fix", params);
    await expect(refused).rejects.toMatchObject({ code, data: { session_id: "s" } });
    go();
    await first;
    expect((await client.connection.request("kaiak/generate_fix", params)).status).toBe("completed");
    await client.close();
  });

  it("close cancels the running turns first", async () => {
    const { client } = await kaiakPair(wait);
    await client.configure({ workspace: { working_dir: "/" } });
    const turn = client.newSession().prompt([incident("x")]);
    await client.close();
    expect(await turn.stopReason).toBe("cancelled");
  });

  it("shakes hands as language servers do when it should", async () => {
    const { client } = await kaiakPair(wait, { client: { lspHandshake: true, clientInfo: { name: "editor" } } });
    expect(client.info?.capabilities?.executeCommandProvider?.commands).toContain("kaiak/generate_fix");
  });

  it("refuses wrong calls with what was expected", async () => {
    const { client } = await kaiakPair(wait);
    expect(() => client.newSession({ sessionId: "" })).toThrow("expected sessionId to have 1 to 255 characters");
    await expect(client.newSession().prompt([]).stopReason).rejects.toThrow(
      "kaiak/generate_fix: params.incidents: expected at least one incident",
    );
    expect(() => client.newSession().prompt(5 as never)).toThrow(
      new TypeError("session.prompt: expected incidents to be an array, received the number 5"),
    );
    await expect(kaiakPair({} as KaiakServer)).rejects.toThrow("expected the server to have a function prompt(turn)");
  });

  it("a handler that sends after the end gets WireError closed", async () => {
    let kept: KaiakServerTurn | undefined;
    const { client } = await kaiakPair({ prompt: async (turn) => void (kept = turn) });
    await client.configure({ workspace: { working_dir: "/" } });
    expect(await client.newSession().prompt([incident("x")]).stopReason).toBe("end_turn");
    expect(() => kept?.text("late")).toThrow("has ended");
    await expect(kept?.ask({ prompt: "Still there?" })).rejects.toMatchObject({ code: "closed" });
  });

  it.each([
    ["denied", "rejected"],
    ["timeout", "failed"],
  ])("a tool call whose status is %s has ended, and the run's end does not end it again", async (status, shown) => {
    const { client } = await kaiakPair({
      async prompt(turn) {
        const call = await turn.toolCall({ name: "shell_command" }, "pending");
        await call.update(status);
      },
    });
    await client.configure({ workspace: { working_dir: "/" } });
    const events = await eventsOf(client.newSession().prompt([incident("x")]));
    const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
    expect(calls.map((call) => [call.toolCallId, call.status])).toEqual([
      ["call_1", "pending"],
      ["call_1", shown],
    ]);
  });

  it("keeps a bounded state of a run that streams very much", async () => {
    const chunk = "x".repeat(262_144);
    const { client } = await kaiakPair({
      async prompt(turn) {
        for (let index = 0; index < 64; index++) await turn.text(chunk, { partial: true });
      },
    });
    await client.configure({ workspace: { working_dir: "/" } });
    const session = client.newSession();
    for await (const event of session.prompt([incident("x")])) void event;
    const chars = session.state.entries.reduce((sum, entry) => sum + ("text" in entry ? entry.text.length : 0), 0);
    expect(chars).toBeGreaterThanOrEqual(1_048_576);
    expect(chars).toBeLessThanOrEqual(2 * 1_048_576);
  });
});
