import { type AcpProfile, acpProfiles, type SessionUpdate } from "@editwire/acp-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { type AcpAgentOptions, serveAcp, type AcpTurnHandler } from "../src/index.js";
import type { AcpPermissionDecision } from "../src/agent/session-client.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const prompt = [{ type: "text", text: "go" }];
const inSpec = { profile: acpProfiles.spec };

async function open(
  handler: AcpTurnHandler,
  options: AcpAgentOptions = {},
): Promise<{ client: RawPeer; sessionId: string }> {
  const [left, right] = memoryPair();
  serveAcp(left, { prompt: handler }, options);
  const client = new RawPeer(right);
  await client.call("initialize", { protocolVersion: 1 });
  const { result } = await client.call("session/new", { cwd: "/a", mcpServers: [] });
  return { client, sessionId: (result as { sessionId: string }).sessionId };
}

const updates = (client: RawPeer): SessionUpdate[] =>
  client.received.flatMap(({ method, params }) =>
    method === "session/update" ? [params?.["update"] as SessionUpdate] : [],
  );

describe("updates of a turn", () => {
  it("P2, S28: reach the client in order and before the result, also those that nobody awaited", async () => {
    const { client, sessionId } = await open(async (turn) => {
      void turn.text("a ");
      void turn.thought("hm");
      void turn.plan([{ content: "Read", priority: "high", status: "pending" }]);
      void turn.text(" b");
    });
    await client.call("session/prompt", { sessionId, prompt });
    expect(updates(client)).toEqual([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a " } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
      { sessionUpdate: "plan", entries: [{ content: "Read", priority: "high", status: "pending" }] },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: " b" } },
    ]);
    expect(client.received.at(-1)?.result).toEqual({ stopReason: "end_turn" });
  });

  it("puts characters together that texts and thoughts cut in two", async () => {
    const { client, sessionId } = await open(async (turn) => {
      for (const unit of "a😀".split("")) void turn.thought(unit);
      for (const unit of "😀b".split("")) void turn.text(unit);
    });
    await client.call("session/prompt", { sessionId, prompt });
    const said = updates(client).map((update) => ("content" in update ? update.content : undefined));
    expect(said).toMatchObject([{ text: "a" }, { text: "😀" }, { text: "😀" }, { text: "b" }]);
  });

  it("S28: an update that does not fit is refused before it leaves", async () => {
    const { client, sessionId } = await open(async (turn) => {
      expect(() =>
        turn.update({
          sessionUpdate: "plan",
          entries: [{ content: "x", priority: "urgent" as "high", status: "pending" }],
        }),
      ).toThrow(/session\/update: params.update.entries.0.priority/);
    });
    expect((await client.call("session/prompt", { sessionId, prompt })).result).toEqual({ stopReason: "end_turn" });
    expect(updates(client)).toEqual([]);
  });

  it("S29: a tool call starts in_progress, and ends once", async () => {
    const { client, sessionId } = await open(async (turn) => {
      const call = await turn.toolCall({
        title: "Read a.ts",
        kind: "read",
        locations: [{ path: "/a/a.ts" }],
        rawInput: { path: "a.ts" },
      });
      await call.update({ content: [{ type: "content", content: { type: "text", text: "half" } }] });
      await call.complete({ rawOutput: "whole" });
      await call.fail({ rawOutput: "ignored" });
    }, inSpec);
    await client.call("session/prompt", { sessionId, prompt });
    const [announced, running, done, ...rest] = updates(client);
    const toolCallId = announced?.["toolCallId"];
    expect(announced).toEqual({
      sessionUpdate: "tool_call",
      toolCallId,
      title: "Read a.ts",
      kind: "read",
      locations: [{ path: "/a/a.ts" }],
      rawInput: { path: "a.ts" },
      status: "in_progress",
    });
    expect(running).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId,
      kind: "read",
      status: "in_progress",
      content: [{ type: "text", text: "half" }],
    });
    expect(done).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId,
      kind: "read",
      status: "completed",
      rawOutput: "whole",
    });
    expect(rest).toEqual([]);
  });

  it("writes tool content as the official dialect has it under the profile v1", async () => {
    const { client, sessionId } = await open(
      async (turn) =>
        (await turn.toolCall({ title: "t" })).complete({
          content: [{ type: "content", content: { type: "text", text: "out" } }],
        }),
      { profile: acpProfiles.v1 },
    );
    await client.call("session/prompt", { sessionId, prompt });
    expect(updates(client)[1]?.["content"]).toEqual([{ type: "content", content: { type: "text", text: "out" } }]);
  });

  it("S29: a tool call that is left open fails with its turn", async () => {
    const { client, sessionId } = await open(async (turn) => void (await turn.toolCall({ title: "t" })));
    await client.call("session/prompt", { sessionId, prompt });
    expect(updates(client).map(({ status }) => status)).toEqual(["in_progress", "failed"]);
  });

  it("P4: slows down with its client", async () => {
    let sent = 0;
    const [left, right] = memoryPair();
    serveAcp(left, {
      prompt: async (turn) => {
        while (!turn.signal.aborted && sent < 20_000) {
          await turn.text("x".repeat(1000));
          sent += 1;
        }
      },
    });
    let release = (): void => {};
    const blocked = new Promise<void>((resolve) => (release = resolve));
    let sessionId = "";
    let seen = 0;
    const finished = new Promise<unknown>((resolve) => {
      right.start({
        message(value) {
          const { id, result, method } = value as { id?: string; result?: { sessionId?: string }; method?: string };
          if (result?.sessionId !== undefined) sessionId = result.sessionId;
          if (method === "session/update") {
            seen += 1;
            if (seen === 1) return blocked;
          }
          if (id === "p") resolve(result);
        },
        malformed() {},
        closed() {},
      });
    });
    void right.send(JSON.stringify({ jsonrpc: "2.0", id: "i", method: "initialize", params: { protocolVersion: 1 } }));
    void right.send(
      JSON.stringify({ jsonrpc: "2.0", id: "n", method: "session/new", params: { cwd: "/a", mcpServers: [] } }),
    );
    while (sessionId === "") await new Promise(setImmediate);
    void right.send(
      JSON.stringify({ jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId, prompt } }),
    );
    while (seen === 0) await new Promise(setImmediate);
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    expect(sent).toBeLessThan(5_000);
    release();
    expect(await finished).toEqual({ stopReason: "end_turn" });
    expect(seen).toBe(20_000);
  });
});

describe("permissions of a turn", () => {
  async function ask(
    outcome: unknown,
  ): Promise<{ decision: AcpPermissionDecision | undefined; request: Record<string, unknown> | undefined }> {
    let decision: AcpPermissionDecision | undefined;
    const { client, sessionId } = await open(async (turn) => {
      const call = await turn.toolCall({ toolCallId: "c1", title: "Delete", kind: "delete" });
      decision = await turn.requestPermission(call);
    });
    const turn = client.call("session/prompt", { sessionId, prompt });
    const { id, params } = await client.take("session/request_permission");
    client.send({ jsonrpc: "2.0", id, result: { outcome } });
    await turn;
    return { decision, request: params };
  }

  it("S30: a request names the tool call and offers exactly allow_once and reject_once", async () => {
    const { request } = await ask({ outcome: "cancelled" });
    expect(request).toMatchObject({
      toolCall: { toolCallId: "c1", title: "Delete", kind: "delete", status: "pending" },
      options: [
        { optionId: "allow_once", name: "Allow", kind: "allow_once" },
        { optionId: "reject_once", name: "Reject", kind: "reject_once" },
      ],
    });
  });

  it.each([
    ["selected", "allow_once", true],
    ["selected", "reject_once", false],
    ["selected", "proceed_always", false],
    ["cancelled", undefined, false],
  ])("S31: %s %s allows: %s", async (outcome, optionId, allowed) => {
    const { decision } = await ask({ outcome, optionId });
    expect(decision?.allowed).toBe(allowed);
  });

  it("S32: a cancel while it is open ends the turn, and a late answer is harmless", async () => {
    const decisions: AcpPermissionDecision[] = [];
    const { client, sessionId } = await open(async (turn) => {
      decisions.push(await turn.requestPermission({ toolCallId: "c1" }));
      decisions.push(await turn.requestPermission({ toolCallId: "c2" }));
    });
    const turn = client.call("session/prompt", { sessionId, prompt });
    const { id } = await client.take("session/request_permission");
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
    client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
    expect((await client.call("authenticate", { methodId: "fence" })).result).toEqual({});
    expect(decisions).toEqual([
      { outcome: "cancelled", allowed: false },
      { outcome: "cancelled", allowed: false },
    ]);
    expect(client.received.filter(({ method }) => method === "session/request_permission")).toHaveLength(1);
  });
});

describe("what strict mode does not send", () => {
  const begins = { sessionUpdate: "tool_call", toolCallId: "t", title: "Read", status: "in_progress" } as const;
  const back = { sessionUpdate: "tool_call_update", toolCallId: "t", status: "pending" } as const;
  const { spec, v1 } = acpProfiles;

  it.each([
    [
      "a tool_call that begins as completed",
      spec,
      [{ ...begins, status: "completed" }],
      "session/update: params.update: D11: a tool_call that",
    ],
    [
      "an update back to pending",
      spec,
      [begins, back],
      'the tool call "t" is in_progress, and cannot be pending again',
    ],
    [
      "a rawInput that is an array",
      spec,
      [{ ...begins, rawInput: ["a"] }],
      "session/update: params.update: raw-input: a rawInput that is no",
    ],
    ["an update back to pending", v1, [begins, back], 'the tool call "t" is in_progress, and cannot be pending again'],
  ] as [string, AcpProfile, SessionUpdate[], string][])("is %s", async (_name, profile, given, message) => {
    for (const strict of [true, false]) {
      const errors: unknown[] = [];
      const { client, sessionId } = await open(
        async (turn) => {
          for (const update of given)
            await new Promise<void>((resolve) => resolve(turn.update(update))).catch((error: unknown) =>
              errors.push(error),
            );
        },
        { profile, strict },
      );
      await client.call("session/prompt", { sessionId, prompt });
      expect(updates(client)).toHaveLength(given.length - (strict ? 1 : 0));
      const refusal = { code: "invalid_params", message: expect.stringContaining(message) as string };
      expect(errors).toMatchObject(strict ? [refusal] : []);
    }
  });
});

describe("a tool call that has ended", () => {
  const call = (status: "in_progress" | "completed"): SessionUpdate => ({
    sessionUpdate: "tool_call_update",
    toolCallId: "t",
    status,
  });

  it.each([acpProfiles.spec, acpProfiles.v1])("does not go on in strict mode ($name)", async (profile) => {
    const errors: unknown[] = [];
    const { client, sessionId } = await open(
      async (turn) => {
        await turn.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Read", status: "in_progress" });
        await turn.update(call("completed"));
        await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "t", title: "Read a.txt" });
        try {
          await turn.update(call("in_progress"));
        } catch (error) {
          errors.push(error);
        }
      },
      { profile, strict: true },
    );
    await client.call("session/prompt", { sessionId, prompt });
    expect(errors).toMatchObject([
      {
        code: "invalid_params",
        message:
          'session/update: params.update.status: the tool call "t" ended as completed, and cannot be ' +
          "in_progress again; use a new toolCallId",
      },
    ]);
    expect(updates(client)).toHaveLength(3);
  });

  it("is left to the agent without strict mode", async () => {
    const { client, sessionId } = await open(async (turn) => {
      await turn.update(call("completed"));
      await turn.update(call("in_progress"));
    });
    await client.call("session/prompt", { sessionId, prompt });
    expect(updates(client)).toHaveLength(2);
  });
});
