import type { HelixZedHost } from "@editwire/helix-zed";
import { expect, it } from "vitest";
import { relayLangGraph } from "../src/adapters/lang-graph.js";
import {
  type AgentTool,
  type AgentToolResult,
  type AgentTurnHandler,
  callTool,
  createAgent,
  fromAcp,
  fromEca,
  fromHelixZed,
  fromKaiak,
  toAcp,
  toEca,
  toHelixZed,
  toKaiak,
  turnTools,
} from "../src/index.js";
import { createSessionMcp } from "../src/mcp.js";

/** A value that JavaScript can pass where TypeScript would not compile. */
const wrong = (value: unknown): never => value as never;
const prompt = async (): Promise<void> => {};
const agent = createAgent({ prompt });
const open = async (): Promise<never> => wrong(undefined);
const host = { session() {} } as unknown as HelixZedHost;

/** Every function that takes options, with those that it needs. */
const takers: Readonly<Record<string, (options: object) => unknown>> = {
  createAgent: (options) => createAgent({ prompt, ...options }),
  toAcp: (options) => toAcp(agent, options),
  toEca: (options) => toEca(agent, options),
  toKaiak: (options) => toKaiak(agent, options),
  toHelixZed: (options) => toHelixZed(agent, { cwd: "/p", ...options }),
  fromAcp: (options) => fromAcp(open, options),
  fromEca: (options) => fromEca(open, options),
  fromKaiak: (options) => fromKaiak(open, options),
  fromHelixZed: (options) => fromHelixZed(host, { agent: "a", ...options }),
  createSessionMcp: (options) => createSessionMcp(options),
  turnTools: (options) => turnTools(wrong({}), wrong({}), options),
};

it.each(Object.entries(takers))("%s takes its options, and names one that it does not have", (name, take) => {
  take({});
  expect(() => take({ onEror: () => {} })).toThrow(
    new RegExp(`^${name}: expected no option onEror; the options are .`),
  );
});

it.each([
  ["createAgent", { info: "me" }, 'expected info to be an object, received the string "me"'],
  ["createAgent", { commands: {} }, "expected commands to be an array, received an object"],
  [
    "createAgent",
    { whenBusy: "wait" },
    'expected whenBusy to be one of reject, queue, steer, received the string "wait"',
  ],
  ["createAgent", { newSession: 5 }, "expected newSession to be a function, received the number 5"],
  ["toAcp", { onDiagnostic: 5 }, "expected onDiagnostic to be a function, received the number 5"],
  ["toKaiak", { answerTimeoutMs: -1 }, "expected answerTimeoutMs to be a number from 0 on, received the number -1"],
  ["toHelixZed", { question: "left" }, 'expected question to be a function, received the string "left"'],
  ["fromAcp", { lingerMs: "1s" }, 'expected lingerMs to be a number from 0 on, received the string "1s"'],
  ["fromEca", { history: 5 }, "expected history to be an object, received the number 5"],
  ["fromKaiak", { configuration: "x" }, 'expected configuration to be an object, received the string "x"'],
  ["fromHelixZed", { agent: 5 }, "expected agent to be a string, received the number 5"],
  [
    "createSessionMcp",
    { trustAnnotations: "yes" },
    'expected trustAnnotations to be true or false, received the string "yes"',
  ],
  ["turnTools", { asks: "apply_change" }, 'expected asks to be an array, received the string "apply_change"'],
])("%s names what is wrong with %j", (name, options, message) => {
  expect(() => takers[name]?.(options)).toThrow(new TypeError(`${name}: ${message}`));
});

it("a host and its agent's id are needed by fromHelixZed", () => {
  expect(() => fromHelixZed(wrong(undefined), { agent: "a" })).toThrow("fromHelixZed: expected a host, such as listen");
  expect(() => fromHelixZed(host, wrong({}))).toThrow('fromHelixZed: expected { agent: "id" }, received no agent');
});

it("an agent may be an object of a class, with fields of its own", () => {
  class Mine {
    readonly model = "large";
    prompt = prompt;
  }
  expect(createAgent(new Mine()).definition).toBeInstanceOf(Mine);
});

/** The error that `onError` receives for this turn. */
async function errorOf(prompt: AgentTurnHandler): Promise<unknown> {
  const errors: unknown[] = [];
  const session = await createAgent({ prompt, onError: (error) => errors.push(error) }).newSession({ cwd: "/p" });
  await session.prompt("go");
  return errors[0];
}

it.each([
  [undefined, "undefined"],
  ["20 degrees", 'the string "20 degrees"'],
  [{ content: "20 degrees" }, "an object"],
])("a tool that returns %j fails, and onError receives what it has to return", async (returned, received) => {
  const tool: AgentTool = { name: "add", description: "", inputSchema: {}, asks: false, run: () => wrong(returned) };
  let result: AgentToolResult | undefined;
  const error = await errorOf(async (turn) => void (result = await callTool(turn, tool, {})));
  expect(String(error)).toBe(`TypeError: add: expected run to return { text: "…" }, received ${received}`);
  expect(result).toEqual({ text: "The tool failed.", isError: true });
});

const message = { getType: () => "ai", content: "Hi" };

it.each([
  ["messages", [message, { langgraph_node: "agent" }], "parts without a mode"],
  ["updates", { agent: { messages: [message] } }, "parts without a mode"],
  [["values"], ["values", { messages: [message] }], "values"],
  [["messages"], ["messages", [message, { langgraph_node: "agent" }]], "messages"],
  [["updates"], ["updates", { agent: { messages: [message] } }], "updates"],
])("a graph that streams the mode %j says not all, so it is refused", async (_, part, received) => {
  async function* stream(): AsyncGenerator<never> {
    yield wrong(part);
  }
  const error = await errorOf(async (turn) => (await relayLangGraph(turn, stream())).stopReason);
  expect(String(error)).toBe(
    `TypeError: relayLangGraph: expected streamMode: ["messages", "updates"], received ${received}`,
  );
});
