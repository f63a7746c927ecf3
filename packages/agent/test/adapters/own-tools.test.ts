import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import { createAgent as createGraph, humanInTheLoopMiddleware } from "langchain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { relayAiSdk } from "../../src/adapters/ai-sdk.js";
import { relayLangGraph } from "../../src/adapters/lang-graph.js";
import { relayOpenAi, runOpenAiTools } from "../../src/adapters/open-ai.js";
import { type AgentEvent, type AgentTurnHandler, createAgent, type SessionView } from "../../src/index.js";
import { type LoopbackModel, loopbackModel } from "../loopback-model.js";

let model: LoopbackModel;
beforeAll(async () => void (model = await loopbackModel()));
afterAll(() => model.close());

const number = { type: "number" as const };
const inputSchema = { type: "object" as const, properties: { a: number, b: number }, required: ["a", "b"] };

/** Runs one turn. Returns what a view was shown, in words, without repeats. */
async function show(prompt: AgentTurnHandler, answers: Partial<SessionView> = {}): Promise<string[]> {
  const seen: string[] = [];
  const session = await createAgent({ prompt }).newSession({ cwd: "/p" });
  const view: SessionView = { name: "test", event: (event) => void seen.push(...wordsOf(event)), ...answers };
  await session.prompt("Add 1 and 2", { view });
  return seen.filter((one, index) => one !== seen[index - 1]);
}

function wordsOf(event: AgentEvent): string[] {
  if (event.type === "text") return [event.text];
  if (event.type === "stop") return [event.stopReason];
  if (event.type !== "tool_call") return [];
  const { title, status, output } = event.toolCall;
  return [`${title}: ${status}${output === undefined ? "" : ` ${JSON.stringify(output)}`}`];
}

const aiSdkModel = () => createOpenAICompatible({ name: "loopback", baseURL: model.url })("loopback");
const langChainModel = () =>
  new ChatOpenAI({ model: "loopback", apiKey: "none", configuration: { baseURL: model.url }, maxRetries: 0 });

it("shows the calls of a tool that the AI SDK runs", async () => {
  const add = tool({
    description: "Adds",
    inputSchema: jsonSchema<{ a: number; b: number }>(inputSchema),
    execute: ({ a, b }) => a + b,
  });
  const seen = await show(async (turn) => {
    const { fullStream } = streamText({
      model: aiSdkModel(),
      tools: { add },
      prompt: turn.promptText,
      stopWhen: stepCountIs(5),
    });
    return (await relayAiSdk(turn, fullStream, { describe: (name) => ({ title: `Call ${name}` }) })).stopReason;
  });
  expect(seen).toEqual([
    "Let me ",
    "add.",
    "add: pending",
    "Call add: pending",
    "Call add: completed 3",
    "It is 3.",
    "end_turn",
  ]);
});

it("fails a call of the AI SDK without the text of its error, which onError gets", async () => {
  const errors: unknown[] = [];
  const execute = (): Promise<number> => Promise.reject(new Error("a secret"));
  const add = tool({ description: "Adds", inputSchema: jsonSchema<object>(inputSchema), execute });
  const prompt: AgentTurnHandler = async (turn) => {
    const { fullStream } = streamText({ model: aiSdkModel(), tools: { add }, prompt: turn.promptText });
    await relayAiSdk(turn, fullStream);
  };
  const events: AgentEvent[] = [];
  const session = await createAgent({ prompt, onError: (error) => errors.push(error) }).newSession({ cwd: "/p" });
  await session.prompt("Add", { view: { name: "test", event: (event) => void events.push(event) } });
  expect(JSON.stringify(events)).toContain('"status":"failed"');
  expect(JSON.stringify(events)).not.toContain("secret");
  expect(String(errors)).toContain("a secret");
});

it("reads the parts of version 4 of the AI SDK", async () => {
  const call = { toolCallId: "c1", toolName: "add" };
  const parts = [
    { type: "reasoning", textDelta: "Hm." },
    { type: "text-delta", textDelta: "Let me add." },
    { type: "tool-call-streaming-start", ...call },
    { type: "tool-call", ...call, args: { a: 1, b: 2 } },
    { type: "tool-result", ...call, args: { a: 1, b: 2 }, result: 3 },
    { type: "file", base64: "AAAA", mimeType: "image/png" },
    { type: "source", source: { sourceType: "url", id: "s1", url: "https://example.com/a", title: "A" } },
    { type: "step-finish", finishReason: "stop", usage: { promptTokens: 7, completionTokens: Number.NaN } },
    { type: "finish", finishReason: "length" },
  ];
  async function* stream(): AsyncGenerator<{ type: string }> {
    yield* parts;
  }
  const events: AgentEvent[] = [];
  const prompt: AgentTurnHandler = async (turn) => (await relayAiSdk(turn, stream())).stopReason;
  const session = await createAgent({ prompt }).newSession({ cwd: "/p" });
  await session.prompt("Add", { view: { name: "test", event: (event) => void events.push(event) } });
  expect(events).toContainEqual({ type: "thought", text: "Hm." });
  expect(events).toContainEqual({ type: "content", content: { type: "image", data: "AAAA", mimeType: "image/png" } });
  const link = { type: "resource_link", uri: "https://example.com/a", name: "A" };
  expect(events).toContainEqual({ type: "content", content: link });
  expect(events).toContainEqual({ type: "usage", usage: { inputTokens: 7, outputTokens: undefined } });
  expect(events.findLast(({ type }) => type === "tool_call")).toMatchObject({
    toolCall: { toolCallId: "c1", name: "add", input: { a: 1, b: 2 }, output: 3, status: "completed" },
  });
  expect(events.flatMap(wordsOf)).toEqual(
    expect.arrayContaining(["Let me add.", "add: pending", "add: completed 3", "max_tokens"]),
  );
});

/** Whether the tool needs approval: said at once, or found out by a function that takes its time. */
const needs = [true, () => setTimeout(20, true)] as const;
it.each([
  ["allow_once", true, needs[0], ["add: in_progress", "add: completed 3"]],
  ["reject_once", false, needs[0], ["add: rejected"]],
  ["allow_once", true, needs[1], ["add: in_progress", "add: completed 3"]],
] as const)("asks for a tool of the AI SDK that needs approval: %s", async (answer, approved, needsApproval, end) => {
  const add = tool({
    description: "Adds",
    inputSchema: jsonSchema<{ a: number; b: number }>(inputSchema),
    needsApproval,
    execute: ({ a, b }) => a + b,
  });
  const asked: unknown[] = [];
  const prompt: AgentTurnHandler = async (turn) => {
    const messages: ModelMessage[] = [{ role: "user", content: turn.promptText }];
    for (;;) {
      const result = streamText({ model: aiSdkModel(), tools: { add }, messages, stopWhen: stepCountIs(5) });
      const { stopReason, approvals } = await relayAiSdk(turn, result.fullStream, { asks: (name) => name === "add" });
      if (approvals.length === 0) return stopReason;
      messages.push(...(await result.response).messages, { role: "tool", content: [...approvals] });
      asked.push(...approvals);
    }
  };
  const seen = await show(prompt, { permission: async () => answer });
  expect(asked).toMatchObject([{ type: "tool-approval-response", approved }]);
  expect(seen.filter((one) => one.startsWith("add: "))).toEqual(["add: pending", "add: waiting", ...end]);
});

it.each([
  ["allow_once", ["add: in_progress", 'add: completed "3"']],
  ["reject_once", ["add: rejected"]],
] as const)("asks for a tool that LangChain's middleware reviews: %s", async (answer, end) => {
  const add = langChainTool(async ({ a, b }: { a: number; b: number }) => String(a + b), {
    name: "add",
    description: "Adds",
    schema: inputSchema,
  });
  const graph = createGraph({
    model: langChainModel(),
    tools: [add],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { add: true } } as never) as never],
    checkpointer: new MemorySaver(),
  });
  const prompt: AgentTurnHandler = async (turn) => {
    let input: unknown = { messages: [{ role: "user", content: turn.promptText }] };
    for (;;) {
      const config = { configurable: { thread_id: turn.session.id }, streamMode: ["messages", "updates"] as const };
      const { stopReason, resume } = await relayLangGraph(
        turn,
        (await graph.stream(input as never, config as never)) as never,
        { asks: (name) => name === "add" },
      );
      if (resume === undefined) return stopReason;
      input = new Command({ resume });
    }
  };
  const seen = await show(prompt, { permission: async () => answer });
  expect(seen.filter((one) => one.startsWith("add: "))).toEqual(["add: pending", "add: waiting", ...end]);
  expect(seen.at(-1)).toBe("end_turn");
});

it("shows what a tool of the AI SDK has while it still runs", async () => {
  const add = tool({
    description: "Adds",
    inputSchema: jsonSchema<{ a: number; b: number }>(inputSchema),
    async *execute({ a, b }) {
      yield "adding";
      yield a + b;
    },
  });
  const seen = await show(async (turn) => {
    const { fullStream } = streamText({ model: aiSdkModel(), tools: { add }, prompt: turn.promptText });
    return (await relayAiSdk(turn, fullStream)).stopReason;
  });
  expect(seen.slice(seen.indexOf('add: in_progress "adding"'), -1)).toEqual([
    'add: in_progress "adding"',
    "add: in_progress 3",
    "add: completed 3",
  ]);
});

/** The end of a turn, and what its agent's `onError` was called with. */
async function endOf(prompt: AgentTurnHandler): Promise<unknown[]> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(String(error));
  const session = await createAgent({ prompt, onError }).newSession({ cwd: "/p" });
  return [await session.prompt("Add"), ...errors];
}

it("fails a turn whose model's stream is cut off", async () => {
  async function* chunks(finish_reason: string | null) {
    yield { choices: [{ delta: { content: "It is" }, finish_reason }] };
  }
  const openAi = (reason: string | null) => endOf(async (turn) => (await relayOpenAi(turn, chunks(reason))).stopReason);
  expect(await openAi("stop")).toEqual([{ stopReason: "end_turn" }]);
  const message = "The model's answer was cut off: it has no finish_reason";
  expect(await openAi(null)).toEqual([{ stopReason: "error", error: { code: -32603, message, data: undefined } }]);
});

it("takes the usage after an answer as its end, where the server never sends a finish_reason", async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const said = (content?: string) => ({ choices: [{ delta: content === undefined ? {} : { content } }] });
  const openAi = (chunks: readonly object[]) =>
    endOf(async (turn) => (await relayOpenAi(turn, Readable.from(chunks))).stopReason);
  const stopReason = ([end]: readonly unknown[]) => (end as { stopReason: string }).stopReason;
  expect(await openAi([said("It is"), { choices: [], usage }])).toEqual([{ stopReason: "end_turn" }]);
  expect(await openAi([said("It is"), { ...said(), usage }])).toEqual([{ stopReason: "end_turn" }]);
  // Some servers count along.
  expect(
    stopReason(
      await openAi([
        { ...said(), usage },
        { ...said("It is"), usage },
      ]),
    ),
  ).toBe("error");
});

it("reports an answer that the AI SDK knows no end of", async () => {
  async function* parts(finishReason: string) {
    yield { type: "finish", finishReason };
  }
  const aiSdk = (reason: string) => endOf(async (turn) => (await relayAiSdk(turn, parts(reason))).stopReason);
  expect(await aiSdk("stop")).toEqual([{ stopReason: "end_turn" }]);
  const report = "Error: relayAiSdk: the model's answer has no finish reason; it may be cut off";
  expect(await aiSdk("unknown")).toEqual([{ stopReason: "end_turn" }, report]);
});

it("says the sources of an answer as links", async () => {
  const url = { type: "source", sourceType: "url", id: "s1", url: "https://example.com/a" };
  const document = { type: "source", sourceType: "document", id: "s2", mediaType: "application/pdf", title: "B" };
  async function* stream(): AsyncGenerator<{ type: string }> {
    yield* [url, document];
  }
  const links: unknown[] = [];
  const event = (event: AgentEvent) => void (event.type === "content" && links.push(event.content));
  await show(async (turn) => (await relayAiSdk(turn, stream())).stopReason, { event });
  expect(links).toEqual([{ type: "resource_link", uri: url.url, name: url.url }]);
});

it("shows a call that runOpenAiTools cannot make as failed, with what the model receives", async () => {
  const called = (name: string, text: string) =>
    ({ id: name, type: "function", function: { name, arguments: text } }) as const;
  const tools = [{ name: "add", description: "Adds", inputSchema, asks: false, run: async () => ({ text: "3" }) }];
  const told: string[] = [];
  const seen = await show(async (turn) => {
    const messages = await runOpenAiTools(turn, tools, [called("sub", "{}"), called("add", "[1"), called("add", "{}")]);
    told.push(...messages.map(({ content }) => content));
  });
  expect(told).toEqual(['The tool "sub" does not exist.', "The arguments are not a JSON object.", "3"]);
  expect(seen.filter((one) => /failed|completed/.test(one))).toEqual([
    'sub: failed "The tool \\"sub\\" does not exist."',
    'add: failed "The arguments are not a JSON object."',
    'add: completed "3"',
  ]);
});

it("asks what a graph of LangGraph.js interrupts with", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", () => ({ messages: [new AIMessage(`You said ${interrupt("Left or right?")}.`)] }))
    .addEdge("__start__", "ask")
    .compile({ checkpointer: new MemorySaver() });
  const prompt: AgentTurnHandler = async (turn) => {
    let input: unknown = { messages: [] };
    for (;;) {
      const config = { configurable: { thread_id: "t" }, streamMode: ["messages", "updates"] as const };
      const { stopReason, resume } = await relayLangGraph(
        turn,
        (await graph.stream(input as never, config as never)) as never,
      );
      if (resume === undefined) return stopReason;
      input = new Command({ resume });
    }
  };
  const questions: string[] = [];
  const question: SessionView["question"] = async ({ question: text }) => {
    questions.push(text);
    return "left";
  };
  expect(await show(prompt, { question })).toEqual(["You said left.", "end_turn"]);
  expect(questions).toEqual(["Left or right?"]);
});
