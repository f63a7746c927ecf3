// Says every field of the Agent API in two ways, one field at a time. A protocol either writes the two differently, or
// reports that it does not say the field.
import { acpPair } from "@editwire/acp/testing";
import { acpProfiles } from "@editwire/acp";
import { ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedProfiles } from "@editwire/helix-zed";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { kaiakProfiles } from "@editwire/kaiak";
import { kaiakPair } from "@editwire/kaiak/testing";
import type { Listeners } from "@editwire/session";
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  type AgentTurn,
  createAgent,
  type AgentNewToolCall,
  RemoteError,
  toAcp,
  toEca,
  toHelixZed,
  toKaiak,
  type AgentToolCallContent,
} from "../src/index.js";
import type { Fact } from "../src/mapping/facts.js";
import type { AgentPermissionOption } from "../src/api/events.js";

type Act = (turn: AgentTurn) => unknown;

/** Two ways of saying one field. */
type Pair = readonly [Act | Partial<AgentDefinition>, Act | Partial<AgentDefinition>];

const both = <T>(one: T, two: T, say: (value: T) => Act | Partial<AgentDefinition>): Pair => [say(one), say(two)];

async function called(turn: AgentTurn, call: Partial<AgentNewToolCall>): Promise<void> {
  const { output, ...rest } = call;
  const begun = await turn.toolCall({ title: "T", name: "t", input: {}, ...rest });
  await begun.start();
  await begun.complete({ output });
}
const call =
  (change: Partial<AgentNewToolCall>): Act =>
  (turn) =>
    called(turn, change);
const contents = (...all: readonly AgentToolCallContent[]): Act => call({ contents: all });
const diff = { type: "diff", path: "/p/a", oldText: "a\n", newText: "b\n" } as const;
const asked =
  (options: readonly AgentPermissionOption[]): Act =>
  async (turn) => {
    const decision = await turn.requestPermission(await turn.toolCall({ title: "T", name: "t", input: {} }), options);
    await turn.text(decision.outcome === "selected" ? decision.optionId : "nobody");
  };
const option = { optionId: "y", name: "Yes", kind: "allow_once" } as const;
const no = { optionId: "n", name: "No", kind: "reject_once" } as const;
const mode = (change: object): Partial<AgentDefinition> => ({
  modes: { currentModeId: "a", availableModes: [{ id: "a", name: "A", ...change }] },
});
const setting = (change: object, value: object = {}): Partial<AgentDefinition> => ({
  configOptions: [
    {
      id: "s",
      name: "S",
      type: "select",
      currentValue: "v",
      options: [{ value: "v", name: "V", ...value }],
      ...change,
    },
  ],
});
const command = (change: object): Partial<AgentDefinition> => ({
  commands: [{ name: "c", description: "C", ...change }],
});
const words = ["one", "two"] as const;
const image = (change: object) => ({ type: "image" as const, data: "aGk=", mimeType: "image/png", ...change });
const link = (change: object) => ({ type: "resource_link" as const, uri: "a:b", name: "n", ...change });
const resource = (change: object) => ({ type: "resource" as const, resource: { uri: "a:b", text: "t", ...change } });
const context = { used: 1, size: 9 };

const fields: Readonly<Record<string, Pair>> = {
  "text.text": both(...words, (text) => (turn) => turn.text(text)),
  "thought.text": both(...words, (text) => (turn) => turn.thought(text)),
  "content.image.data": both("aGk=", "aGl=", (data) => (turn) => turn.content(image({ data }))),
  "content.image.mimeType": both("image/png", "image/gif", (mimeType) => (turn) => turn.content(image({ mimeType }))),
  "content.image.uri": both("a:1", "a:2", (uri) => (turn) => turn.content(image({ uri }))),
  "content.audio.data": both(
    "aGk=",
    "aGl=",
    (data) => (turn) => turn.content({ type: "audio", data, mimeType: "audio/wav" }),
  ),
  "content.resource_link.uri": both("a:1", "a:2", (uri) => (turn) => turn.content(link({ uri }))),
  "content.resource_link.name": both(...words, (name) => (turn) => turn.content(link({ name }))),
  "content.resource_link.title": both(...words, (title) => (turn) => turn.content(link({ title }))),
  "content.resource_link.description": both(...words, (description) => (turn) => turn.content(link({ description }))),
  "content.resource.text": both(...words, (text) => (turn) => turn.content(resource({ text }))),
  "content.resource.uri": both("a:1", "a:2", (uri) => (turn) => turn.content(resource({ uri }))),
  "content.resource.blob": both(
    "aGk=",
    "aGl=",
    (blob) => (turn) => turn.content({ type: "resource", resource: { uri: "a:b", blob } }),
  ),
  "plan.content": both(...words, (content) => (turn) => turn.plan([{ content, status: "pending" }])),
  "plan.status": both(
    "pending" as const,
    "in_progress" as const,
    (status) => (turn) =>
      turn.plan([
        { content: "P", status },
        { content: "Q", status: "pending" },
      ]),
  ),
  "plan.completed": both(
    "pending" as const,
    "completed" as const,
    (status) => (turn) =>
      turn.plan([
        { content: "P", status },
        { content: "Q", status: "pending" },
      ]),
  ),
  "plan.priority": both(
    "high" as const,
    "low" as const,
    (priority) => (turn) => turn.plan([{ content: "P", status: "pending", priority }]),
  ),
  "toolCall.title": both(...words, (title) => call({ title })),
  "toolCall.name": both(...words, (name) => call({ name })),
  "toolCall.kind": both("edit", "read", (kind) => call({ kind })),
  "toolCall.input": both(...words, (path) => call({ input: { path } })),
  "toolCall.input (no object)": both(...words, (input) => call({ input })),
  "toolCall.output": both(...words, (output) => call({ output })),
  "toolCall.output (JSON)": both(...words, (out) => call({ output: { out } })),
  "toolCall.locations.path": both("/p/1", "/p/2", (path) => call({ locations: [{ path }] })),
  "toolCall.locations.line": both(1, 2, (line) => call({ locations: [{ path: "/p/1", line }] })),
  "toolCall.contents.text": both(...words, (text) => contents({ type: "text", text })),
  "toolCall.contents.content (text)": both(...words, (text) =>
    contents({ type: "content", content: { type: "text", text } }),
  ),
  "toolCall.contents.content (image)": both("aGk=", "aGkhaGkh", (data) =>
    contents({ type: "content", content: image({ data }) }),
  ),
  "toolCall.contents.content (link)": both("a:1", "a:2", (uri) =>
    contents({ type: "content", content: link({ uri }) }),
  ),
  "toolCall.contents.content (resource)": both(...words, (text) =>
    contents({ type: "content", content: resource({ text }) }),
  ),
  "toolCall.contents.diff.path": both("/p/1", "/p/2", (path) => contents({ ...diff, path })),
  "toolCall.contents.diff.oldText": both("a\n", "c\n", (oldText) => contents({ ...diff, oldText })),
  "toolCall.contents.diff.newText": both("b\n", "c\n", (newText) => contents({ ...diff, newText })),
  "toolCall.contents.diff (second)": both("/p/1", "/p/2", (path) => contents(diff, { ...diff, path })),
  "toolCall.contents.terminal.output": both(...words, (output) =>
    contents({ type: "terminal", terminalId: "t", output }),
  ),
  "toolCall.contents.terminal.terminalId": both(...words, (terminalId) => contents({ type: "terminal", terminalId })),
  "toolCall.status (failed)": both(true, false, (ok) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await (ok ? begun.complete() : begun.fail());
  }),
  "toolCall.status (rejected)": both(true, false, (failed) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await (failed ? begun.fail() : begun.reject());
  }),
  "toolCall.status (cancelled)": both(true, false, (failed) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await (failed ? begun.fail() : begun.change("cancelled", {}));
  }),
  "toolCall.title (later)": both(...words, (title) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await begun.update({ title });
    await begun.complete();
  }),
  "toolCall.name (later)": both(...words, (name) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await begun.update({ name });
    await begun.complete();
  }),
  "toolCall.input (later)": both(...words, (path) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await begun.update({ input: { path } });
    await begun.complete();
  }),
  "toolCall.contents (later)": both(...words, (text) => async (turn) => {
    const begun = await turn.toolCall({ title: "T", name: "t", input: {} });
    await begun.start();
    await begun.update({ contents: [{ type: "text", text }] });
    await begun.complete({ contents: [{ type: "text", text: "end" }] });
  }),
  "toolCall.contents.diff (failed)": both("b\n", "c\n", (newText) => async (turn) => {
    await (await turn.toolCall({ title: "T", name: "t", input: {}, diff: { ...diff, newText } })).fail();
  }),
  "toolCall.contents.diff (rejected)": both("b\n", "c\n", (newText) => async (turn) => {
    await (await turn.toolCall({ title: "T", name: "t", input: {}, diff: { ...diff, newText } })).reject();
  }),
  "toolCall.output (rejected)": both(...words, (output) => async (turn) => {
    await (await turn.toolCall({ title: "T", name: "t", input: {} })).change("rejected", { output });
  }),
  "user.content (steer)": both("aGk=", "aGkh", (data) => (turn) => {
    turn.session.steer([image({ data })]);
    turn.takeSteers();
  }),
  "permission.toolCall.title": both(
    ...words,
    (title) => async (turn) => turn.requestPermission(await turn.toolCall({ title, name: "t", input: {} })),
  ),
  "permission.options.optionId": both(...words, (optionId) => asked([{ ...option, optionId }, no])),
  "permission.options.name": both(...words, (name) => asked([{ ...option, name }, no])),
  "permission.options.kind": both("allow_once" as const, "allow_always" as const, (kind) =>
    asked([{ ...option, kind }, no]),
  ),
  "permission.options (more)": both(true, false, (more) =>
    asked([option, ...(more ? [{ ...option, optionId: "z", name: "Later" }] : []), no]),
  ),
  "question.question": both(...words, (question) => (turn) => turn.ask(question, { options: ["a", "b"] })),
  "question.question (free)": both(...words, (question) => (turn) => turn.ask(question)),
  "question.options.label": both(
    ...words,
    (label) => (turn) => turn.ask("Q", { options: ["a", label], allowFreeform: false }),
  ),
  "question.options.description": both(
    ...words,
    (description) => (turn) => turn.ask("Q", { options: [{ label: "a", description }, "b"], allowFreeform: false }),
  ),
  "question.allowFreeform": both(
    true,
    false,
    (allowFreeform) => (turn) => turn.ask("Q", { options: ["a", "b"], allowFreeform }),
  ),
  "question.toolCallId": both(true, false, (isThere) => async (turn) => {
    const begun = await turn.toolCall({ toolCallId: "c", title: "T", name: "t", input: {} });
    await turn.ask("Q", { options: ["a"], allowFreeform: false, ...(isThere ? { toolCallId: "c" } : {}) });
    await begun.complete();
  }),
  "usage.inputTokens": both(3, 4, (inputTokens) => (turn) => turn.usage({ inputTokens })),
  "usage.outputTokens": both(3, 4, (outputTokens) => (turn) => turn.usage({ outputTokens })),
  "usage.context.used": both(3, 4, (used) => (turn) => turn.usage({ context: { used, size: 9 } })),
  "usage.context.size": both(8, 9, (size) => (turn) => turn.usage({ context: { used: 1, size } })),
  "usage.cost": both(3, 4, (amount) => (turn) => turn.usage({ context, cost: { amount, currency: "USD" } })),
  "usage.cost.currency": both(
    "USD",
    "EUR",
    (currency) => (turn) => turn.usage({ context, cost: { amount: 3, currency } }),
  ),
  "usage.sessionCost": both(
    3,
    4,
    (amount) => (turn) => turn.usage({ context, sessionCost: { amount, currency: "USD" } }),
  ),
  "mode.modeId": both("a", "b", (modeId) => ({
    modes: { currentModeId: "c", availableModes: ["a", "b", "c"].map((id) => ({ id, name: id })) },
    prompt: async (turn) => turn.session.setMode(modeId),
  })),
  "modes.id": both(...words, (id) => mode({ id })),
  "modes.name": both(...words, (name) => mode({ name })),
  "modes.description": both(...words, (description) => mode({ description })),
  "modes (later).id": both(...words, (id) => async (turn) => {
    const availableModes = ["c", id].map((one) => ({ id: one, name: one }));
    await turn.send({ type: "modes", modes: { currentModeId: "c", availableModes } });
  }),
  "configOptions.name": both(...words, (name) => setting({ name })),
  "configOptions.description": both(...words, (description) => setting({ description })),
  "configOptions.options.name": both(...words, (name) => setting({}, { name })),
  "configOptions (model).options.value": both(...words, (value) =>
    setting({ category: "model", currentValue: value }, { value }),
  ),
  "configOptions (model).options.name": both(...words, (name) => setting({ category: "model" }, { name })),
  "configOptions (boolean)": both(true, false, (currentValue) => ({
    configOptions: [{ id: "s", name: "S", type: "boolean", currentValue }],
  })),
  "commands.name": both(...words, (name) => command({ name })),
  "commands.description": both(...words, (description) => command({ description })),
  "commands.input.hint": both(...words, (hint) => command({ input: { hint } })),
  "info.title": both(...words, (title) => (turn) => turn.send({ type: "info", title })),
  "notice.text": both(...words, (text) => (turn) => turn.notice(text)),
  "notice.severity": both("info" as const, "warning" as const, (severity) => (turn) => turn.notice("N", severity)),
  "stop.stopReason": both("end_turn" as const, "refusal" as const, (reason) => () => reason),
  "stop.stopReason (which)": both("max_tokens" as const, "refusal" as const, (reason) => () => reason),
  "stop.error.message": both(...words, (message) => () => {
    throw new RemoteError(-32_050, message);
  }),
  "stop.error.code": both(-32_050, -32_051, (code) => () => {
    throw new RemoteError(code, "E");
  }),
  "stop.error.data": both(...words, (data) => () => {
    throw new RemoteError(-32_050, "E", { data });
  }),
};

/** The row of the mapping table that each field is in: the one of the longest beginning. */
const rows: Readonly<Record<string, Fact | readonly Fact[]>> = {
  text: "text",
  thought: "thought",
  content: "content",
  plan: "plan",
  toolCall: "tool_call",
  "toolCall.kind": "tool_kind",
  "toolCall.name": "tool_kind",
  "toolCall.name (later)": ["tool_call", "tool_kind"],
  "toolCall.input": "tool_input",
  "toolCall.output": "tool_output",
  "toolCall.locations": "tool_locations",
  "toolCall.contents": "tool_output",
  "toolCall.contents.diff": "tool_diff",
  "toolCall.contents.terminal": "tool_terminal",
  user: "steer",
  "toolCall.status (rejected)": "tool_rejected",
  "toolCall.status (cancelled)": "tool_cancelled",
  permission: "permission",
  "permission.options": "permission_options",
  question: "question",
  "question.question (free)": "question_freeform",
  "question.allowFreeform": "question_freeform",
  "usage.inputTokens": "usage_tokens",
  "usage.outputTokens": "usage_tokens",
  "usage.context": "usage_context",
  "usage.cost": "usage_cost",
  "usage.sessionCost": "usage_cost",
  mode: "mode",
  configOptions: "config_options",
  commands: "commands",
  info: "info",
  notice: "notice",
  stop: "stop",
  "stop.error": "stop_error",
};

/** A report of the ACP binding itself. */
const optionsLeftOut = /^only allow_once and reject_once are offered/;

function rowsOf(field: string): readonly Fact[] {
  const [begin = ""] = Object.keys(rows)
    .filter((key) => field.startsWith(key))
    .sort((a, b) => b.length - a.length);
  return [rows[begin] ?? []].flat();
}

type OnWire = (direction: string, message: unknown) => void;
type Say = (definition: AgentDefinition, onWire: OnWire, onDiagnostic: Listeners["onDiagnostic"]) => Promise<void>;

const ignore = (): void => {};

const acp =
  (profile: typeof acpProfiles.v1, isFull: boolean): Say =>
  async (definition, onWire, onDiagnostic) => {
    const { client } = await acpPair(toAcp(createAgent(definition)), {
      client: {
        profile,
        onWire,
        permission: async ({ options }) => ({ optionId: options[0]?.optionId ?? "" }),
        ...(isFull && {
          clientCapabilities: { session: { notices: {}, configOptions: { boolean: {} } } },
          elicitation: { form: async () => ({ action: "decline" as const }) },
        }),
      },
      agent: { profile, onDiagnostic },
    });
    const session = await client.newSession({ cwd: "/p" });
    await session.prompt("go").stopReason.catch(ignore);
    await client.close();
  };

const eca =
  (profile: typeof ecaProfiles.spec): Say =>
  async (definition, onWire, onDiagnostic) => {
    const isLate = profile === ecaProfiles.v2026;
    const { client } = await ecaPair(toEca(createAgent(definition)), {
      client: {
        profile,
        onWire,
        permission: async () => "allow_once",
        ...(isLate && { question: async () => "a" }),
      },
      server: { profile, onDiagnostic },
    });
    const session = client.newSession();
    await session.prompt("go").stopReason.catch(ignore);
    await session.queryCommands("");
    await client.close();
  };

const kaiak =
  (profile: typeof kaiakProfiles.spec): Say =>
  async (definition, onWire, onDiagnostic) => {
    const { client } = await kaiakPair(toKaiak(createAgent(definition)), {
      client: { profile, onWire },
      server: { profile, onDiagnostic },
    });
    await client.configure({ workspace: { working_dir: "/p" } });
    const run = client.newSession().prompt([{ id: "1", rule_id: "r", message: "m", uri: "file:///p/a" }]);
    for await (const event of run) if (event.type === "question") void event.respond(event.question.options[0] ?? "w");
    await client.close();
  };

const helixZed =
  (profile: typeof helixZedProfiles.spec): Say =>
  async (definition, onWire, onDiagnostic) => {
    const pair = helixZedPair(toHelixZed(createAgent(definition), { cwd: "/p", permission: "allow_once" }), {
      host: { profile, onWire, onError: ignore },
      agent: { profile, onDiagnostic, onError: ignore },
    });
    const session = await pair.host.session("s", { agent: "ses_1" });
    await session.prompt("go").stopReason.catch(ignore);
    await pair.close();
  };

const sides: Readonly<Record<string, Say>> = {
  "acp, a client with all capabilities": acp(acpProfiles.v1, true),
  "acp, a client without capabilities": acp(acpProfiles.v1, false),
  "acp, the specification's dialect": acp(acpProfiles.spec, false),
  "eca, the specification's dialect": eca(ecaProfiles.spec),
  "eca, the dialect of 2026": eca(ecaProfiles.v2026),
  "kaiak, the specification's dialect": kaiak(kaiakProfiles.spec),
  "kaiak, the dialect of 2026": kaiak(kaiakProfiles.v2026),
  "helix-zed, the specification's dialect": helixZed(helixZedProfiles.spec),
  "helix-zed, the dialect of 2026": helixZed(helixZedProfiles.v2026),
};

/** The messages on the wire, without values that differ from run to run, and the reports. */
async function written(say: Say, said: Pair[number]): Promise<{ wire: string; reported: Set<string> }> {
  const reported = new Set<string>();
  const wire: string[] = [];
  const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const onDiagnostic: Listeners["onDiagnostic"] = ({ message }) => void reported.add(message.replace(ids, "ID"));
  const definition = {
    prompt: async () => {},
    ...(typeof said === "function" ? { prompt: async (turn: AgentTurn) => (await said(turn)) as never } : said),
    onDiagnostic,
    onError: ignore,
  };
  await say(definition, (_, message) => void wire.push(JSON.stringify(message)), onDiagnostic);
  const times = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[6-9]\d{11}\b|"(execution_time|totalTimeMs|timestamp)":[\d.]+/g;
  // A message of Helix-Zed grows, in steps that depend on the time: its last state counts.
  const last = new Map(wire.map((line) => [/message_added.*("message_id":"[^"]+")/.exec(line)?.[1] ?? line, line]));
  const normal = [...last.values()].map((line) => line.replace(ids, "ID").replace(times, "TIME"));
  return { wire: normal.sort().join("\n"), reported };
}

/** Turns that say much, so that what differs between two runs of the same shows. */
const same = ["text.text", "toolCall.output", "permission.options.name", "usage.cost", "stop.error.message"];

describe.each(Object.keys(sides))("%s", (name) => {
  const [say] = [sides[name]] as [Say];

  it.each(same)("writes the same twice: %s", async (field) => {
    const [said] = fields[field] as Pair;
    const [once, again] = [await written(say, said), await written(say, said)];
    expect(again.wire.split("\n")).toEqual(once.wire.split("\n"));
  });

  it.each(Object.keys(fields))("says or reports %s", async (field) => {
    const [one, two] = fields[field] as Pair;
    const [first, second] = [await written(say, one), await written(say, two)];
    const facts = rowsOf(field);
    const ways = facts.map((fact) => new RegExp(`: ${fact} is `));
    if (facts.includes("permission_options")) ways.push(optionsLeftOut);
    const isReported = [...first.reported, ...second.reported].some((message) => ways.some((way) => way.test(message)));
    expect(first.wire !== second.wire || isReported).toBe(true);
  });
});
