import { WireError } from "@editwire/core";
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  type AgentEvent,
  createAgent,
  fromAcp,
  fromEca,
  fromKaiak,
  type SessionView,
  toAcp,
  toEca,
  toHelixZed,
  toKaiak,
} from "../src/index.js";
import { scripted } from "./scripted-agent.js";

/** A view that keeps the events, and answers as `answers` says. */
function viewOf(name: string, answers: Partial<SessionView> = {}): SessionView & { readonly events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  return { name, events, event: (event) => void events.push(event), ...answers };
}

const types = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type);

it("refuses wrong options of a prompt", async () => {
  const session = await createAgent({ prompt: async () => {} }).newSession({ cwd: "/" });
  await expect(session.prompt("go", { whenBusy: "later" as "queue" })).rejects.toThrow(/session\.prompt.*whenBusy/);
  await expect(session.prompt("go", { onstart() {} } as object)).rejects.toThrow(/session\.prompt.*onstart/);
});

describe("createAgent", () => {
  it("refuses what is not an agent", () => {
    expect(() => createAgent({} as never)).toThrow("createAgent: expected a function prompt(turn), received undefined");
    expect(() => createAgent({ ...scripted, maxSessions: -1 })).toThrow("maxSessions");
  });

  it("names what a function expected", async () => {
    const wrong = { prompt() {} } as never;
    expect(() => toAcp(wrong)).toThrow("toAcp: expected an agent, such as createAgent returns, received an object");
    expect(() => toEca(undefined as never)).toThrow("toEca: expected an agent");
    expect(() => toKaiak(wrong)).toThrow("toKaiak: expected an agent");
    expect(() => toHelixZed(wrong, { cwd: "/" })).toThrow("toHelixZed: expected an agent");
    expect(() => fromAcp(["codex-acp"] as never)).toThrow("fromAcp: expected a function that opens a client, received");
    expect(() => fromEca(undefined as never)).toThrow("fromEca: expected a function");
    expect(() => fromKaiak("kaiak" as never)).toThrow(
      "fromKaiak: expected a function that opens a client, received the",
    );
    const agent = createAgent(scripted);
    await expect(agent.newSession(undefined as never)).rejects.toThrow('newSession: expected { cwd: "/path" }');
    const session = await agent.newSession({ cwd: "/p" });
    await expect(session.prompt(5 as never)).rejects.toThrow(
      "prompt: expected a string or an array of content blocks, received the",
    );
    expect(await session.prompt("say")).toEqual({ stopReason: "end_turn" });
  });

  it("adds up what answers cost, for views that say what the session has cost", async () => {
    const dollars = (amount: number) => ({ amount, currency: "USD" });
    const agent = createAgent({
      async prompt(turn) {
        await turn.usage({ cost: dollars(0.25) });
        await turn.usage({ context: { used: 1, size: 9 } });
        await turn.usage({ cost: dollars(0.5) });
        await turn.usage({ cost: dollars(1), sessionCost: dollars(4) });
        await turn.usage({ cost: dollars(1) });
        await turn.usage({ cost: { amount: 3, currency: "EUR" } });
      },
    });
    const session = await agent.newSession({ cwd: "/p" });
    const view = viewOf("own");
    await session.prompt("go", { view });
    const costs = view.events.flatMap((event) => (event.type === "usage" ? [event.usage.sessionCost?.amount] : []));
    expect(costs).toEqual([0.25, undefined, 0.75, 4, 5, undefined]);
  });

  it("gives every event to every view, and keeps the messages", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    const [own, other] = [viewOf("own"), viewOf("other")];
    session.attach(other);
    const end = await session.prompt("say think plan usage", { view: own });
    expect(end).toEqual({ stopReason: "end_turn" });
    expect(types(own.events)).toEqual(["user", "text", "thought", "plan", "usage", "stop"]);
    expect(other.events).toEqual(own.events);
    expect(types(session.events)).toEqual(["user", "text", "thought", "plan"]);
    expect(session.usage?.context).toEqual({ used: 100, size: 1_000 });
    expect(await agent.listSessions()).toMatchObject([
      { sessionId: session.id, cwd: "/p", title: "say think plan usage" },
    ]);
  });

  it("joins text in its history, and keeps a tool call in its last state", async () => {
    const agent = createAgent({
      async prompt(turn) {
        for (const text of ["a", "b", "c"]) await turn.text(text);
        const call = await turn.toolCall({ title: "Read" });
        await turn.text("d");
        await call.complete({ output: 1 });
      },
    });
    const session = await agent.newSession({ cwd: "/p" });
    await session.prompt("go");
    expect(session.events).toMatchObject([
      { type: "user" },
      { type: "text", text: "abc" },
      { type: "tool_call", toolCall: { status: "completed", output: 1 } },
      { type: "text", text: "d" },
    ]);
  });

  it("asks every view, takes the first answer, and aborts the others", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    let aborted = false;
    const silent = viewOf("silent", {
      permission: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(void (aborted = true)));
        }),
    });
    const quick = viewOf("quick", { permission: async () => "allow_once" });
    session.attach(silent);
    session.attach(quick);
    await session.prompt("edit");
    const statuses = quick.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall.status] : []));
    expect(statuses).toEqual(["pending", "waiting", "in_progress", "completed"]);
    expect(aborted).toBe(true);
  });

  it("asks a view that comes while a question is open, and goes on with its answer", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    const waiting = viewOf("waiting", {
      permission: () => new Promise(() => {}),
      question: () => new Promise(() => {}),
    });
    const late = viewOf("late", { permission: async () => "allow_once", question: async () => "left" });
    const isAsked = (view: typeof waiting): boolean =>
      view.events.some(({ type }) => type === "permission" || type === "question");
    for (const prompt of ["edit", "ask"]) {
      waiting.events.length = 0;
      const turn = session.prompt(prompt, { view: waiting });
      while (!isAsked(waiting)) await new Promise(setImmediate);
      const detach = session.attach(late);
      expect(await turn).toEqual({ stopReason: "end_turn" });
      detach();
    }
    const texts = late.events.flatMap((event) => (event.type === "text" ? [event.text] : []));
    expect(texts).toEqual(["Edited.", "Answer: left."]);
  });

  it("rejects when no view can ask, and says so", async () => {
    const diagnostics: string[] = [];
    const agent = createAgent({ ...scripted, onDiagnostic: ({ id }) => diagnostics.push(id) });
    const session = await agent.newSession({ cwd: "/p" });
    const view = viewOf("mute");
    await session.prompt("edit", { view });
    expect(view.events.findLast(({ type }) => type === "tool_call")).toMatchObject({
      toolCall: { status: "rejected" },
    });
    expect(view.events.findLast(({ type }) => type === "text")).toEqual({ type: "text", text: "Left as it was." });
    expect(diagnostics).toEqual(["agent.no-answer"]);
  });

  it("runs a call that asks nobody as in_progress, and ends what is open with the turn", async () => {
    const agent = createAgent({
      async prompt(turn) {
        await turn.toolCall({ title: "Slow" });
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const session = await agent.newSession({ cwd: "/p" });
    const view = viewOf("view");
    await session.prompt("go", { view });
    const statuses = view.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall.status] : []));
    expect(statuses).toEqual(["pending", "in_progress", "failed"]);
  });

  it("fails a turn whose handler does not await a slow view, after the view has got all that waits", async () => {
    const session = await createAgent({
      onError() {},
      async prompt(turn) {
        await turn.toolCall({ title: "Read" });
        for (let n = 0; n < 20_000; n++) void turn.text("x");
      },
    }).newSession({ cwd: "/p" });
    const seen: AgentEvent[] = [];
    const event = async (event: AgentEvent): Promise<void> => {
      seen.push(event);
      if (event.type === "text" && seen.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const view = viewOf("slow", { event });
    await expect(session.prompt("go", { view })).resolves.toMatchObject({ stopReason: "error" });
    expect(types(seen).filter((type) => type === "text")).toHaveLength(10_001);
    expect(seen.slice(-2)).toMatchObject([{ toolCall: { status: "failed" } }, { type: "stop" }]);
  });

  it("gives a call the id of its model, and another one where an earlier call of the session had it", async () => {
    const agent = createAgent({
      async prompt(turn) {
        for (const output of ["first", "second"]) {
          const call = await turn.toolCall({ toolCallId: "call-0", title: "Read" });
          await call.complete({ output: `${turn.promptText} ${output}` });
        }
      },
    });
    const session = await agent.newSession({ cwd: "/p" });
    for (const text of ["1", "2"]) await session.prompt(text);
    const calls = session.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
    expect(calls.map(({ output }) => output)).toEqual(["1 first", "1 second", "2 first", "2 second"]);
    expect(calls[0]?.toolCallId).toBe("call-0");
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(4);
  });

  it("does not cut a character in two in the title of a session without one", async () => {
    const agent = createAgent({ prompt: async () => {} });
    await (await agent.newSession({ cwd: "/p" })).prompt(`${"x".repeat(79)}😀`);
    expect(await agent.listSessions()).toMatchObject([{ title: "x".repeat(79) }]);
  });

  it("puts characters together that its texts or its thoughts cut in two", async () => {
    const agent = createAgent({
      async prompt(turn) {
        for (const unit of "a😀b😀".split("")) await turn.text(unit);
        await turn.thought("c\uD83D");
        await turn.text("d");
        await turn.thought("\uDE00");
        await turn.content({ type: "text", text: "f\uD83D" });
      },
    });
    const view = viewOf("own");
    await (await agent.newSession({ cwd: "/p" })).prompt("go", { view });
    expect(view.events.flatMap((event) => ("text" in event ? [[event.type, event.text]] : []))).toEqual([
      ["text", "a"],
      ["text", "😀"],
      ["text", "b"],
      ["text", "😀"],
      ["thought", "c"],
      ["text", "d"],
      ["thought", "😀"],
      ["text", "f"],
    ]);
  });

  it("cancels a turn, with its calls and questions", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const view = viewOf("view", {
      permission: () => {
        onAsked();
        return new Promise(() => {});
      },
    });
    const turn = session.prompt("edit", { view });
    await asked;
    session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(view.events.findLast(({ type }) => type === "tool_call")).toMatchObject({
      toolCall: { status: "cancelled" },
    });
  });

  it("says that too much waits, and not in the words of the error", async () => {
    const errors: unknown[] = [];
    const error = new WireError("overloaded", "secret");
    const agent = createAgent({ prompt: () => Promise.reject(error), onError: (thrown) => errors.push(thrown) });
    const session = await agent.newSession({ cwd: "/p" });
    expect(await session.prompt("go")).toMatchObject({
      stopReason: "error",
      error: { message: "Overloaded: too much waits; try again later", data: { reason: "overloaded" } },
    });
    expect(errors).toEqual([error]);
  });

  it("reports a RemoteError with its words, and nothing else of what a handler throws", async () => {
    const errors: unknown[] = [];
    const agent = createAgent({ ...scripted, onError: (error) => errors.push(error) });
    const session = await agent.newSession({ cwd: "/p" });
    expect(await session.prompt("fail")).toMatchObject({ stopReason: "error", error: { message: "Out of tokens" } });
    expect(await session.prompt("crash")).toEqual({ stopReason: "error", error: { message: "Internal error" } });
    expect(errors.map(String)).toEqual(["Error: a secret of the agent"]);
  });
});

describe("a prompt while a turn runs", () => {
  const running = async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    const turn = session.prompt("steers");
    return { session, turn };
  };

  it("is refused", async () => {
    const { session, turn } = await running();
    await expect(session.prompt("say")).rejects.toMatchObject({ code: -32_600 });
    session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
  });

  it("waits", async () => {
    const { session, turn } = await running();
    const view = viewOf("view");
    const next = session.prompt("say", { whenBusy: "queue", view });
    session.steer("left");
    expect(await turn).toEqual({ stopReason: "end_turn" });
    expect(await next).toEqual({ stopReason: "end_turn" });
    expect(types(view.events)).toEqual(["user", "text", "stop", "user", "text", "stop"]);
  });

  it("prompts what a turn left", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    const left = new Promise<void>((resolve) => {
      session.attach({ name: "v", event: (event) => void (event.type === "text" && resolve()) });
    });
    const turn = session.prompt("edit");
    session.steer("say");
    await turn;
    await left;
    expect(session.events).toContainEqual({ type: "user", content: [{ type: "text", text: "say" }] });
  });

  it("steers", async () => {
    const { session, turn } = await running();
    const steered = session.prompt("left", { whenBusy: "steer" });
    expect(await steered).toEqual({ stopReason: "end_turn" });
    await turn;
    expect(session.events.at(-1)).toEqual({ type: "text", text: "Steered: left." });
  });
});

describe("an agent with a mistake", () => {
  const wrong = (value: unknown) => value as never;
  it.each<[string, AgentDefinition["prompt"], string]>([
    [
      "a return value",
      async () => wrong("done"),
      "prompt: expected the handler to return nothing or one of end_turn, max_tokens",
    ],
    [
      "a text",
      async (turn) => turn.text(wrong(42)) ?? undefined,
      "turn.text: expected a string, received the number 42",
    ],
    ["a thought", async (turn) => turn.thought(wrong(undefined)) ?? undefined, "turn.thought: expected a string"],
    ["a question", async (turn) => void (await turn.ask(wrong(1))), "turn.ask: expected a string"],
    ["a tool call", async (turn) => void (await turn.toolCall(wrong({}))), "turn.toolCall: expected { title:"],
  ])("reports %s that is wrong to its author, and no more than an error to the user", async (_, prompt, message) => {
    const errors: unknown[] = [];
    const session = await createAgent({ prompt, onError: (error) => errors.push(error) }).newSession({ cwd: "/p" });
    expect(await session.prompt("go")).toEqual({ stopReason: "error", error: { message: "Internal error" } });
    expect(errors).toMatchObject([{ name: "TypeError", message: expect.stringContaining(message) }]);
  });

  it("prompts no session that was deleted", async () => {
    const agent = createAgent({ prompt: async () => {} });
    const session = await agent.newSession({ cwd: "/p" });
    await agent.deleteSession(session.id);
    await expect(session.prompt("go")).rejects.toThrow("the session was deleted; open another");
  });

  it("needs a folder for Helix-Zed", () => {
    const agent = createAgent({ prompt: async () => {} });
    expect(() => toHelixZed(agent, wrong(undefined))).toThrow(
      'toHelixZed: expected { cwd: "/path" }, received undefined',
    );
  });
});

it("takes MCP servers in the official form, without a type, and tells the agent whole ones", async () => {
  const started: unknown[] = [];
  const agent = createAgent({ newSession: ({ mcpServers }) => void started.push(mcpServers), prompt: async () => {} });
  const session = await agent.newSession({ cwd: "/p", mcpServers: [{ name: "files", command: "/bin/files" }] });
  const servers = [{ type: "stdio", name: "files", command: "/bin/files", args: [], env: [] }];
  expect([started, session.mcpServers]).toEqual([[servers], servers]);
});
