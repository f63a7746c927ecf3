import { readFileSync } from "node:fs";
import { acpPair } from "@editwire/acp/testing";
import type { AcpClientOptions, SessionUpdate } from "@editwire/acp";
import { type ChatContent, ecaProfiles, type EcaClientOptions } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { describe, expect, it } from "vitest";
import { withTable } from "../scripts/mapping-table.js";
import { type AgentDefinition, type AgentTurn, createAgent, mapping, toAcp, toEca } from "../src/index.js";
import { facts, type Fact } from "../src/mapping/facts.js";
import { scripted } from "./scripted-agent.js";

it("the README shows the mapping", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(withTable(readme)).toBe(readme);
});

const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;

/** The agent's action for each fact that it reports by itself in a turn. */
const doing = {
  prompt: (turn) => turn.text(JSON.stringify(turn.prompt)),
  text: (turn) => turn.text("hello"),
  content: (turn) => turn.content(image),
  thought: (turn) => turn.thought("hm"),
  plan: (turn) => turn.plan([{ content: "step", status: "pending" }]),
  tool_call: (turn) => called(turn, {}),
  tool_kind: (turn) => called(turn, { kind: "edit" }),
  tool_input: (turn) => called(turn, { input: { a: 1 } }),
  tool_output: (turn) => called(turn, { output: "out" }),
  tool_diff: (turn) => called(turn, { diff: { path: "/p/a", oldText: "a", newText: "b" } }),
  tool_terminal: (turn) => called(turn, { contents: [{ type: "terminal", terminalId: "t", output: "ran" }] }),
  tool_locations: (turn) => called(turn, { locations: [{ path: "/p/a", line: 3 }] }),
  tool_rejected: async (turn) => (await turn.toolCall({ title: "T" })).reject(),
  tool_cancelled: async (turn) => (await turn.toolCall({ title: "T" })).change("cancelled", {}),
  permission: async (turn) => void (await turn.requestPermission(await turn.toolCall({ title: "T" }))),
  permission_options: async (turn) =>
    void (await turn.requestPermission(await turn.toolCall({ title: "T" }), [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ])),
  question: async (turn) => turn.text(`${await turn.ask("Which?", { options: ["left"] })}`),
  question_freeform: async (turn) => turn.text(`${await turn.ask("Which?")}`),
  usage_context: (turn) => turn.usage({ context: { used: 10, size: 100 } }),
  usage_tokens: (turn) => turn.usage({ inputTokens: 3, outputTokens: 2 }),
  usage_cost: (turn) => turn.usage({ context: { used: 1, size: 9 }, sessionCost: { amount: 2, currency: "USD" } }),
  mode: (turn) => turn.session.setMode("plan"),
  config_options: (turn) => turn.session.setConfigOption("speed", true),
  commands: (turn) => turn.send({ type: "commands", commands: [{ name: "test" }] }),
  info: (turn) => turn.send({ type: "info", title: "named" }),
  notice: (turn) => turn.notice("low"),
  editor_files: async (turn) => turn.text(`${await turn.editor?.readTextFile("/p/a").catch(() => "refused")}`),
  editor_terminals: async (turn) =>
    turn.text(`${(await turn.editor?.createTerminal({ command: "make" }).catch(() => undefined))?.terminalId}`),
  stop: async () => "refusal" as const,
  stop_error: () => scripted.prompt({ promptText: "fail" } as AgentTurn),
} satisfies Partial<Record<Fact, (turn: AgentTurn) => unknown>>;

async function called(turn: AgentTurn, change: Parameters<AgentTurn["toolCall"]>[0] | object): Promise<void> {
  const { output, ...call } = change as { readonly output?: unknown };
  await (await turn.toolCall({ title: "T", name: "t", ...call })).complete({ output });
}

type Doing = keyof typeof doing;

/** An agent that does what a fact is about, and what was reported. */
function agentFor(fact: Doing): { definition: AgentDefinition; reported: Set<string> } {
  const reported = new Set<string>();
  const configOptions = [{ id: "speed", name: "Speed", type: "boolean" as const, currentValue: false }];
  const definition: AgentDefinition = {
    ...scripted,
    accepts: ["image"],
    ...(fact === "config_options" ? { configOptions } : {}),
    prompt: async (turn) => (await doing[fact](turn)) as never,
    onDiagnostic: ({ message }) => void reported.add(message.split(" is ")[0] ?? ""),
  };
  return { definition, reported };
}

it("each row is tested: those that need two sides in the tests of the protocols", () => {
  const others = Object.keys(facts).filter((fact) => !(fact in doing));
  expect(others).toEqual(["cancel", "steer", "foreign_turn", "history", "sessions", "rewind", "sign_in"]);
});

const update = (sessionUpdate: string, fields: object = {}): unknown =>
  expect.objectContaining({ sessionUpdate, ...fields });
const call = (fields: object): unknown => update("tool_call", fields);
const ended = (fields: object): unknown => update("tool_call_update", fields);
const chunk = (text: string): unknown => update("agent_message_chunk", { content: { type: "text", text } });

/** The messages to a client of ACP with every capability; for a fact without one, the report. */
const acpShows: Readonly<Record<Doing, unknown>> = {
  prompt: chunk(JSON.stringify([{ type: "text", text: "go" }, image])),
  text: chunk("hello"),
  content: update("agent_message_chunk", { content: image }),
  thought: update("agent_thought_chunk", { content: { type: "text", text: "hm" } }),
  plan: update("plan", { entries: [{ content: "step", status: "pending", priority: "medium" }] }),
  tool_call: call({ title: "T", status: "pending", name: "t" }),
  tool_kind: call({ kind: "edit" }),
  tool_input: call({ rawInput: { a: 1 } }),
  tool_output: ended({ status: "completed", rawOutput: "out" }),
  tool_diff: call({ content: [{ type: "diff", path: "/p/a", oldText: "a", newText: "b" }] }),
  tool_terminal: call({ content: [{ type: "content", content: { type: "text", text: "ran" } }] }),
  tool_locations: call({ locations: [{ path: "/p/a", line: 3 }] }),
  tool_rejected: ended({ status: "failed" }),
  tool_cancelled: ended({ status: "failed" }),
  permission: { asked: ["Allow", "Reject"] },
  permission_options: { asked: ["Yes", "No"] },
  question: chunk("left"),
  question_freeform: chunk("words"),
  usage_context: update("usage_update", { used: 10, size: 100 }),
  usage_tokens: undefined,
  usage_cost: update("usage_update", { cost: { amount: 2, currency: "USD" } }),
  mode: update("current_mode_update", { currentModeId: "plan" }),
  config_options: update("config_option_update", {
    configOptions: [expect.objectContaining({ id: "speed", currentValue: true })],
  }),
  commands: update("available_commands_update", { availableCommands: [expect.objectContaining({ name: "test" })] }),
  info: update("session_info_update", { title: "named" }),
  notice: update("notice", { title: "low", severity: "info" }),
  editor_files: chunk("of a"),
  editor_terminals: chunk("t1"),
  stop: { stopReason: "refusal" },
  stop_error: { error: "Out of tokens" },
};

const terminals: AcpClientOptions["terminals"] = {
  create: async () => ({ terminalId: "t1" }),
  output: async () => ({ output: "", truncated: false }),
  waitForExit: async () => ({ exitCode: 0 }),
  kill: async () => {},
  release: async () => {},
};

describe("ACP", () => {
  it.each(Object.keys(doing) as Doing[])("says %s as the table says", async (fact) => {
    const { definition, reported } = agentFor(fact);
    const seen: unknown[] = [];
    const options: AcpClientOptions = {
      clientCapabilities: { session: { notices: {}, configOptions: { boolean: {} } } },
      permission: async (question) => {
        seen.push({ asked: question.options.map(({ name }) => name) });
        return "allow_always";
      },
      fs: { readTextFile: async () => ({ content: "of a" }) },
      terminals,
      elicitation: {
        form: async ({ requestedSchema: { properties = {} } }) => ({
          action: "accept",
          content: { answer: "oneOf" in (properties["answer"] ?? {}) ? "left" : "words" },
        }),
      },
    };
    const { client } = await acpPair(toAcp(createAgent(definition)), { client: options });
    const session = await client.newSession({ cwd: "/p" });
    try {
      for await (const event of session.prompt([{ type: "text", text: "go" }, image]))
        seen.push(event.type === "stop" ? { stopReason: event.stopReason } : (event.update as SessionUpdate));
    } catch (error) {
      seen.push({ error: (error as Error).message });
    }
    await client.close();
    if (acpShows[fact] !== undefined) expect(seen).toContainEqual(acpShows[fact]);
    expect(reported.has(`acp: ${fact}`)).toBe(mapping.acp[fact].how !== "said");
  });

  it("approximates or leaves out what a client without capabilities does not take", async () => {
    const seen = async (fact: Doing): Promise<{ texts: string[]; reported: Set<string> }> => {
      const { definition, reported } = agentFor(fact);
      const options = { permission: async () => ({ optionId: "left" }) };
      const { client } = await acpPair(toAcp(createAgent(definition)), { client: options });
      const texts: string[] = [];
      for await (const event of (await client.newSession({ cwd: "/p" })).prompt("go"))
        if (event.type === "text") texts.push(event.text.trim());
      await client.close();
      return { texts, reported };
    };
    const question = new Set(["acp: question", "acp: question_freeform"]);
    expect(await seen("question")).toEqual({ texts: ["left"], reported: question });
    expect(await seen("question_freeform")).toEqual({
      texts: ["undefined"],
      reported: new Set(["acp: question_freeform"]),
    });
    expect(await seen("editor_files")).toEqual({ texts: ["refused"], reported: new Set(["acp: editor_files"]) });
    expect(await seen("editor_terminals")).toEqual({
      texts: ["undefined"],
      reported: new Set(["acp: editor_terminals"]),
    });
    expect(await seen("notice")).toEqual({ texts: ["low"], reported: new Set(["acp: notice"]) });
  });
});

const content = (type: string, fields: object = {}): unknown => expect.objectContaining({ type, ...fields });

/** The messages to a client of ECA, in the dialect of 2026. */
const ecaShows: Readonly<Record<Doing, unknown>> = {
  prompt: content("text", { text: expect.stringContaining('"uri":"file:///p/a.ts"') }),
  text: content("text", { text: "hello" }),
  content: content("image", { base64: "aGk=", mediaType: "image/png" }),
  thought: content("reasonText", { text: "hm" }),
  plan: content("toolCalled", { name: "plan", outputs: [expect.objectContaining({ text: "- [ ] step" })] }),
  tool_call: content("toolCallRun", { name: "t", summary: "T" }),
  tool_kind: content("toolCallRun", { name: "t" }),
  tool_input: content("toolCallRun", { arguments: { a: 1 } }),
  tool_output: content("toolCalled", { outputs: [expect.objectContaining({ text: "out" })] }),
  tool_diff: content("toolCallRun", { details: expect.objectContaining({ type: "fileChange", linesAdded: 1 }) }),
  tool_terminal: content("toolCalled", { outputs: [expect.objectContaining({ text: "ran" })] }),
  tool_locations: content("toolCalled"),
  tool_rejected: content("toolCallRejected"),
  tool_cancelled: content("toolCallRejected"),
  permission: content("toolCallRun", { manualApproval: true }),
  permission_options: content("toolCallRun", { manualApproval: true }),
  question: content("text", { text: "left" }),
  question_freeform: content("text", { text: "left" }),
  usage_context: content("usage", { sessionTokens: 10 }),
  usage_tokens: content("usage", { messageInputTokens: 3, messageOutputTokens: 2 }),
  usage_cost: content("usage", { sessionCost: "2.00" }),
  mode: { agent: "plan" },
  config_options: undefined,
  commands: { commands: ["test"] },
  info: content("metadata", { title: "named" }),
  notice: content("text", { text: "low\n" }),
  editor_files: content("text", { text: "undefined" }),
  editor_terminals: content("text", { text: "undefined" }),
  stop: content("text", { text: "Stopped: refusal\n" }),
  stop_error: content("text", { text: "Out of tokens" }),
};

describe("ECA", () => {
  it.each(Object.keys(doing) as Doing[])("says %s as the table says", async (fact) => {
    const { definition, reported } = agentFor(fact);
    const seen: unknown[] = [];
    const profile = ecaProfiles.v2026;
    const client: EcaClientOptions = { profile, permission: async () => "allow_once", question: async () => "left" };
    const pair = await ecaPair(toEca(createAgent(definition)), { client, server: { profile } });
    const session = pair.client.newSession();
    const contexts = [
      { type: "file" as const, path: "/p/a.ts" },
      ...(fact === "prompt" ? [{ type: "repoMap" as const }] : []),
    ];
    for await (const event of session.prompt("go", { contexts }))
      if ("received" in event) seen.push(event.received.content satisfies ChatContent);
    seen.push({ agent: session.agents.selected });
    seen.push({ commands: (await session.queryCommands("")).map(({ name }) => name) });
    await pair.client.close();
    if (ecaShows[fact] !== undefined) expect(seen).toContainEqual(ecaShows[fact]);
    expect(reported.has(`eca: ${fact}`)).toBe(mapping.eca[fact].how !== "said");
  });
});
