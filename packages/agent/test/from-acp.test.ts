import type { AcpAgent } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { acpPair } from "@editwire/acp/testing";
import { afterEach, expect, it } from "vitest";
import { createAgent, fromAcp, RemoteError, type SessionView, toAcp } from "../src/index.js";
import { scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

it("is closed at once while its agent starts, which is ended", async () => {
  let started = (_pid: number): void => {};
  const running = new Promise<number>((resolve) => (started = resolve));
  const mute = [process.execPath, "--eval", "console.error(process.pid); setInterval(() => {}, 1_000)"];
  const errors: unknown[] = [];
  const gateway = fromAcp(
    (handlers) => spawnAcp(mute, { ...handlers, graceMs: 100, onStderr: (text) => started(Number(text)) }),
    { onError: (error) => errors.push(error) },
  );
  const connected = gateway.connected();
  connected.catch(() => {});
  const pid = await running;
  await gateway.close();
  await expect(connected).rejects.toThrow("The agent behind the gateway could not be started");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(errors).toEqual([]);
});

it("prompts after the turn what an agent that takes one prompt at a time refuses during it", async () => {
  const prompts: string[] = [];
  let end = (): void => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const far = toAcp(
    createAgent({
      ...scripted,
      async prompt(turn) {
        prompts.push(turn.promptText);
        if (turn.promptText === "first") await isOver;
      },
    }),
  );
  const reported: string[] = [];
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, {
    onDiagnostic: ({ id, message }) => {
      reported.push(`${id} ${message}`);
      end();
    },
  });
  cleanups.push(() => gateway.close());
  await gateway.connected();
  const session = await gateway.newSession({ cwd: "/p" });
  const running = session.prompt("first");
  await expect.poll(() => prompts).toEqual(["first"]);
  expect(session.steer("second")).toBe(true);
  await running;
  await expect.poll(() => prompts).toEqual(["first", "second"]);
  expect(reported).toEqual([expect.stringContaining("agent.not-carried acp: a message for the running turn")]);
});

it("says the details of an error, which agents of the official SDK have beside the words for any error", async () => {
  const data = { details: "no licence" };
  const far = toAcp(
    createAgent({
      prompt() {
        throw new RemoteError(-32_603, "Internal error", data);
      },
    }),
  );
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
  cleanups.push(() => gateway.close());
  const session = await gateway.newSession({ cwd: "/p" });
  const error = { code: -32_603, message: "Internal error: no licence", data };
  expect(await session.prompt("go")).toEqual({ stopReason: "error", error });
});

it("hides a deleted session that the agent cannot delete", async () => {
  const loaded: string[] = [];
  const far: AcpAgent = {
    prompt: async () => {},
    loadSession({ sessionId }) {
      loaded.push(sessionId);
      return { history: [] };
    },
    listSessions: () => ({
      sessions: [
        { sessionId: "kept", cwd: "/p" },
        { sessionId: "unwanted", cwd: "/p" },
      ],
    }),
  };
  const reported: string[] = [];
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, {
    onDiagnostic: ({ id, message }) => reported.push(`${id} ${message}`),
  });
  cleanups.push(() => gateway.close());
  await gateway.deleteSession("unwanted");
  expect(reported).toEqual(["agent.not-carried acp: the deletion of a session of the far agent is not carried"]);
  expect((await gateway.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["kept"]);
  expect(await gateway.loadSession("unwanted")).toBeUndefined();
  expect(await gateway.loadSession("kept")).toBeDefined();
  expect(loaded).toEqual(["kept"]);
});

it("asks for a call with what the question adds to it", async () => {
  const rawInput = { command: "rm -r build" };
  const content = [{ type: "diff" as const, path: "/p/a.ts", oldText: "a", newText: "b" }];
  const far: AcpAgent = {
    async prompt(turn) {
      await turn.update({
        sessionUpdate: "tool_call",
        toolCallId: "1",
        title: "Terminal",
        status: "pending",
        rawInput: {},
      });
      await turn.requestPermission({ toolCallId: "1", title: "rm -r build", rawInput, content });
      await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" });
    },
  };
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
  cleanups.push(() => gateway.close());
  const session = await gateway.newSession({ cwd: "/p" });
  const asked: unknown[] = [];
  const view: SessionView = {
    name: "view",
    event: () => {},
    async permission({ toolCall }) {
      asked.push(toolCall);
      return "allow_once";
    },
  };
  expect(await session.prompt("go", { view })).toEqual({ stopReason: "end_turn" });
  expect(asked).toMatchObject([{ title: "rm -r build", input: rawInput, contents: content }]);
});

it("says which tool call asks", async () => {
  const far = createAgent({
    async prompt(turn) {
      const call = await turn.toolCall({ title: "Ask" });
      await turn.ask("Which?", { options: ["a"], toolCallId: call.state.toolCallId });
      await call.complete();
    },
  });
  const gateway = fromAcp(async (handlers) => (await acpPair(toAcp(far), { client: handlers })).client);
  cleanups.push(() => gateway.close());
  const session = await gateway.newSession({ cwd: "/p" });
  const asking: (string | undefined)[] = [];
  session.attach({
    name: "editor",
    event: () => {},
    question: async ({ toolCallId }) => (asking.push(toolCallId), "a"),
  });
  await session.prompt("go");
  const called = session.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall.toolCallId] : []));
  expect(called).toHaveLength(1);
  expect(asking).toEqual(called);
});
