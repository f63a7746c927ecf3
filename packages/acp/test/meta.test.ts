// `_meta` has a typed place in both roles, on every request, result and update of the table.
import { acp, type Meta, type SessionUpdate, SessionUpdate as updates } from "@editwire/acp-schema";
import { methodsOf, openUnionOf } from "@editwire/core";
import { expect, it, onTestFinished } from "vitest";
import type { AcpAgent, AcpAgentTurn, AcpClient, AcpClientOptions, AcpSession } from "../src/index.js";
import { acpPair } from "../src/testing.js";

const cwd = "/w";
const sent: Meta = { traceparent: "00-request" };
const answered: Meta = { traceparent: "00-answer" };

/** The received `_meta`: of requests on the answering side, and of answers on the asking side. */
class Seen {
  readonly requests = new Map<string, unknown>();
  readonly answers = new Map<string, unknown>();
}

const settings = [
  { id: "c", name: "C", type: "select" as const, currentValue: "a", options: [{ value: "a", name: "A" }] },
];

function agentOf(seen: Seen, ask: (turn: AcpAgentTurn) => Promise<void>): AcpAgent {
  const note = (method: string, meta: Meta | undefined): { _meta: Meta } => {
    seen.requests.set(method, meta);
    return { _meta: answered };
  };
  return {
    capabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
    authMethods: [{ id: "a", name: "A" }],
    modes: { currentModeId: "m", availableModes: [{ id: "m", name: "M" }] },
    configOptions: settings,
    initialize: ({ _meta }) => note("initialize", _meta),
    authenticate: (_id, { meta }) => note("authenticate", meta),
    logout: ({ meta }) => note("logout", meta),
    openSession: ({ _meta }) => note("session/new", _meta),
    loadSession: ({ sessionId, _meta }) => ({ history: [], ...note(`session/${sessionId}`, _meta) }),
    listSessions: ({ _meta }) => ({ sessions: [], ...note("session/list", _meta) }),
    closeSession: (_session, { meta }) => note("session/close", meta),
    deleteSession: (_id, { meta }) => note("session/delete", meta),
    setMode: (_session, _id, { meta }) => note("session/set_mode", meta),
    setConfigOption: (_session, _id, _value, { meta }) => note("session/set_config_option", meta),
    async prompt(turn) {
      await ask(turn);
      return { stopReason: "end_turn", ...note("session/prompt", turn.meta) };
    },
  };
}

function clientOf(seen: Seen): AcpClientOptions {
  const note = (method: string, { _meta }: { _meta?: Meta | undefined }): { _meta: Meta } => {
    seen.requests.set(method, _meta);
    return { _meta: answered };
  };
  return {
    _meta: sent,
    clientCapabilities: { session: { notices: {}, compaction: {} } },
    permission: async (question) => ({ kind: "allow_once", ...note("session/request_permission", question) }),
    fs: {
      readTextFile: async (params) => ({ content: "", ...note("fs/read_text_file", params) }),
      writeTextFile: async (params) => note("fs/write_text_file", params),
    },
    terminals: {
      create: async (params) => ({ terminalId: "t", ...note("terminal/create", params) }),
      output: async (params) => ({ output: "", truncated: false, ...note("terminal/output", params) }),
      waitForExit: async (params) => ({ exitCode: 0, ...note("terminal/wait_for_exit", params) }),
      kill: async (params) => note("terminal/kill", params),
      release: async (params) => note("terminal/release", params),
    },
    elicitation: { form: async (params) => ({ action: "cancel", ...note("elicitation/create", params) }) },
  };
}

/** Asks the client for everything, with a `_meta`. */
async function askClient(turn: AcpAgentTurn, seen: Seen): Promise<void> {
  const decision = await turn.requestPermission({ toolCallId: "c", title: "T" }, undefined, sent);
  seen.answers.set("session/request_permission", decision._meta);
  const services = turn.client.withMeta(sent, (meta, method) => void seen.answers.set(method, meta));
  await services.readTextFile("/a");
  await services.writeTextFile("/a", "");
  const terminal = await services.createTerminal({ command: "ls" });
  await terminal.output();
  await terminal.waitForExit();
  await terminal.kill();
  await terminal.release();
  const { _meta } = await turn.client.elicit({
    mode: "form",
    message: "?",
    requestedSchema: { type: "object", properties: {} },
    _meta: sent,
  });
  seen.answers.set("elicitation/create", _meta);
}

/** Asks the agent for everything, with a `_meta`. */
const asks: Readonly<
  Record<string, (client: AcpClient, session: AcpSession) => Promise<{ _meta?: Meta | undefined }>>
> = {
  initialize: async ({ info }) => info,
  authenticate: (client) => client.authenticate("a", { _meta: sent }),
  logout: (client) => client.logout({ _meta: sent }),
  "session/new": async (client) => (await client.newSession({ cwd, _meta: sent })).opened,
  "session/load": async (client) => (await client.loadSession({ cwd, sessionId: "load", _meta: sent })).opened,
  "session/resume": async (client) => (await client.resumeSession({ cwd, sessionId: "resume", _meta: sent })).opened,
  "session/list": (client) => client.listSessions({ _meta: sent }),
  "session/set_mode": (_client, session) => session.setMode("m", { _meta: sent }),
  "session/set_config_option": (_client, session) => session.setConfigOption("c", "a", { _meta: sent }),
  "session/prompt": (_client, session) => session.prompt("go", { _meta: sent }).answer,
  "session/close": (_client, session) => session.close({ _meta: sent }),
  "session/delete": (client) => client.deleteSession("s", { _meta: sent }),
};

it("V24: _meta has a place on every request and on every result of the table, in both roles", async () => {
  const seen = new Seen();
  const { client } = await acpPair(
    agentOf(seen, (turn) => askClient(turn, seen)),
    { client: clientOf(seen) },
  );
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd });
  for (const [method, ask] of Object.entries(asks)) seen.answers.set(method, (await ask(client, session))._meta);
  const requests = methodsOf(acp).flatMap(([method, { kind }]) => (kind === "request" ? [method] : []));
  expect(Object.fromEntries(seen.requests)).toEqual(Object.fromEntries(requests.map((method) => [method, sent])));
  expect(Object.fromEntries(seen.answers)).toEqual(Object.fromEntries(requests.map((method) => [method, answered])));
});

it("V24: an agent answers with _meta when it prepares a session, and only once", async () => {
  const agent: AcpAgent = {
    capabilities: { loadSession: true },
    newSession: (session) => void (session.answerMeta = answered),
    prompt: async () => "end_turn",
  };
  const { client } = await acpPair(agent);
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd });
  expect(session.opened._meta).toEqual(answered);
  expect((await client.loadSession({ cwd, sessionId: session.id })).opened._meta).toBeUndefined();
});

const text = { type: "text" as const, text: "x" };
const fields: Readonly<Record<string, object>> = {
  user_message_chunk: { content: text },
  agent_message_chunk: { content: text },
  agent_thought_chunk: { content: text },
  tool_call: { toolCallId: "c", title: "T", status: "pending" },
  tool_call_update: { toolCallId: "c" },
  plan: { entries: [] },
  current_mode_update: { currentModeId: "m" },
  available_commands_update: { availableCommands: [] },
  config_option_update: { configOptions: [] },
  session_info_update: { title: "T" },
  usage_update: { used: 1, size: 2 },
  notice: { severity: "info", title: "T" },
  compaction_update: { compactionId: "c", status: "completed" },
  compaction_summary_chunk: { compactionId: "c", content: text },
};

it("V24: _meta has a place on every update, and on the content of those that have content", async () => {
  const kinds = Object.keys(openUnionOf(updates)?.variants ?? {});
  const all = kinds.map((sessionUpdate) => ({ sessionUpdate, ...fields[sessionUpdate], _meta: sent }) as SessionUpdate);
  const agent: AcpAgent = {
    async prompt(turn) {
      for (const update of all) await turn.update(update);
      const call = await turn.toolCall({ title: "T", _meta: sent });
      await call.update({ _meta: sent });
      await call.complete({ content: [{ type: "content", content: { ...text, _meta: sent } }], _meta: sent });
    },
  };
  const { client } = await acpPair(agent, { client: clientOf(new Seen()) });
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd });
  const seen: unknown[] = [];
  for await (const event of session.prompt("go"))
    if (event.type !== "stop") seen.push([event.update.sessionUpdate, event.update._meta]);
  const own = ["tool_call", "tool_call_update", "tool_call_update"];
  expect(seen).toEqual([...kinds, ...own].map((kind) => [kind, sent]));
  const [entry] = session.state.entries.filter(({ type }) => type === "tool_call").slice(-1);
  expect(entry).toMatchObject({ toolCall: { content: [{ content: { _meta: sent } }] } });
});
