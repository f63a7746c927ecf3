// Whole turns with what is unstable, between this package and the official SDK.
import {
  agent as officialAgent,
  client as officialClient,
  type ForkSessionRequest,
  McpOverAcpProvider,
  type NewSessionRequest,
  methods,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk/unstable";
import { unstableUpdateOf } from "@editwire/acp-schema/unstable";
import { isRemoteError } from "@editwire/core";
import { expect, it, onTestFinished } from "vitest";
import { connectAcp, serveAcp } from "../src/index.js";
import { unstableAgent, unstableClient, unstableClientOf } from "../src/unstable.js";
import { officialPair } from "./official-pair.js";
import { everythingUnstable } from "./unstable-agent.js";

const cwd = "/w";
const text = (said: string) => [{ type: "text" as const, text: said }];

it("our agent, the official SDK's client: every unstable method, and a turn with every unstable update", async () => {
  const pair = officialPair();
  const { agent, unstable, log } = everythingUnstable();
  const serving = serveAcp(pair.ours, agent, unstableAgent(unstable));
  onTestFinished(() => serving.close());
  const updates: { sessionUpdate: string }[] = [];
  const statuses: unknown[] = [];
  const provider = new McpOverAcpProvider();
  const connection = officialClient({ name: "official" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onNotification(methods.client.auth.statusUpdate, ({ params }) => void statuses.push(params))
    .onRequest(methods.client.mcp.message, provider.handleRequest)
    .connect(pair.official);
  const server = provider.registerServer(connection.agent, {
    name: "Tools",
    handler: async ({ method, params }) => ({ result: { method, name: params?.["name"] } }),
  });
  const ask = connection.agent;
  const info = await ask.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { plan: {}, subagents: {} },
  });
  expect(info.agentCapabilities).toMatchObject({
    sessionCapabilities: { fork: {}, archive: {}, status: {}, title: {}, systemPrompt: { mode: { override: {} } } },
    mcpCapabilities: { acp: true },
    providers: {},
    auth: { status: {} },
  });
  const systemPrompt = { mode: "append" as const, content: text("Be kind") };
  const { sessionId } = await ask.request(methods.agent.session.new, {
    cwd,
    mcpServers: [server.declaration],
    systemPrompt,
  } as NewSessionRequest);
  const answer = await ask.request(methods.agent.session.prompt, { sessionId, prompt: text("go") });
  expect(answer).toEqual({ stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } });
  expect(updates).toMatchObject([
    { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [{ content: "a" }] } },
    { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "q", content: "# q" } },
    { sessionUpdate: "plan_removed", planId: "p" },
    { sessionUpdate: "subagent_update", sessionId: "child", title: "Reviewer", state: { state: "running" } },
    { sessionUpdate: "session_message", messageId: "m", senderSessionId: sessionId, recipientSessionId: "child" },
    { sessionUpdate: "session_message_chunk", messageId: "m", content: text("Look")[0] },
    { sessionUpdate: "subagent_update", title: null, state: { state: "idle", stopReason: "end_turn" } },
    { sessionUpdate: "agent_message_chunk", content: text('{"method":"tools/call","name":"add"}')[0] },
  ]);
  updates.length = 0;
  const fork = await ask.request(methods.agent.session.fork, { sessionId, cwd, systemPrompt } as ForkSessionRequest);
  await ask.request(methods.agent.session.prompt, { sessionId: fork.sessionId, prompt: text("instructions") });
  expect(updates).toMatchObject([{ content: { text: "append: Be kind" } }]);
  expect(await ask.request(methods.agent.session.setTitle, { sessionId, title: " A " })).toEqual({ title: "A" });
  await ask.request(methods.agent.session.archive, { sessionId });
  expect(await ask.request(methods.agent.session.status, { sessionId })).toEqual({ status: "saved" });
  const only = await ask.request(methods.agent.session.list, { archived: "only" });
  expect(only.sessions).toEqual([{ sessionId, cwd, archived: true }]);
  await ask.request(methods.agent.session.unarchive, { sessionId });
  expect(await ask.request(methods.agent.auth.status, {})).toMatchObject({ state: "authenticated" });
  await ask.request(methods.agent.providers.set, { providerId: "main", apiType: "openai", baseUrl: "http://a" });
  const { providers } = await ask.request(methods.agent.providers.list, {});
  expect(providers).toMatchObject([{ providerId: "main", current: { apiType: "openai", baseUrl: "http://a" } }]);
  expect(await ask.request(methods.agent.providers.disable, { providerId: "main" })).toEqual({});
  expect(log).toEqual(["forked another", `closed ${sessionId}`]);
});

it("our client, the official SDK's agent: every unstable method, and a turn with every unstable update", async () => {
  const pair = officialPair();
  const called: string[] = [];
  const note = <R>(name: string, result: R): R => (called.push(name), result);
  let hear = (_params: unknown): void => {};
  const heard = new Promise<unknown>((resolve) => (hear = resolve));
  officialAgent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: {
        sessionCapabilities: { fork: {}, archive: {}, status: {}, title: {}, systemPrompt: {}, list: {} },
        mcpCapabilities: { acp: true },
        providers: {},
        auth: { status: {} },
      },
    }))
    .onRequest(methods.agent.session.new, ({ params }) => note(`new ${params.systemPrompt?.mode}`, { sessionId: "s1" }))
    .onRequest(methods.agent.session.fork, ({ params }) => note(`fork ${params.sessionId}`, { sessionId: "s2" }))
    .onRequest(methods.agent.session.archive, ({ params }) => note(`archive ${params.sessionId}`, {}))
    .onRequest(methods.agent.session.unarchive, ({ params }) => note(`unarchive ${params.sessionId}`, {}))
    .onRequest(methods.agent.session.status, () => ({ status: "saved" as const }))
    .onRequest(methods.agent.session.setTitle, ({ params }) => ({ title: params.title.trim() }))
    .onRequest(methods.agent.session.list, ({ params }) => ({
      sessions: [{ sessionId: "s1", cwd, archived: params.archived === "only" }],
    }))
    .onRequest(methods.agent.auth.status, () => ({ state: "not_required" as const }))
    .onRequest(methods.agent.providers.list, () => ({
      providers: [{ providerId: "main", supported: ["openai"], required: true, current: null }],
    }))
    .onRequest(methods.agent.providers.set, ({ params }) => note(`set ${params.providerId}`, {}))
    .onRequest(methods.agent.providers.disable, ({ params }) => note(`disable ${params.providerId}`, {}))
    .onNotification(methods.agent.mcp.message, ({ params }) => hear(params))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      const update = (more: object) =>
        client.notify(methods.client.session.update, { sessionId, update: more as never });
      await update({ sessionUpdate: "plan_update", plan: { type: "file", planId: "p", uri: "file:///p.md" } });
      await update({ sessionUpdate: "plan_removed", planId: "p" });
      await update({ sessionUpdate: "subagent_update", sessionId: "child", state: { state: "requires_action" } });
      await update({ sessionUpdate: "session_message", messageId: "m", content: null });
      await update({ sessionUpdate: "session_message_chunk", messageId: "m", content: text("x")[0] });
      const message = { serverId: "tools", requestId: "r1", method: "tools/list", params: { a: 1 } };
      called.push(JSON.stringify(await client.request(methods.client.mcp.message, message)));
      await client.notify(methods.client.auth.statusUpdate, { state: "unknown", accounts: [{ label: "key" }] });
      return {
        stopReason: "end_turn",
        usage: { totalTokens: 1, inputTokens: 1, outputTokens: 0, thoughtTokens: null },
      };
    })
    .connect(pair.official);

  const told: unknown[] = [];
  const client = await connectAcp(
    pair.ours,
    unstableClient({
      plans: true,
      subagents: true,
      onAuthStatus: (status) => told.push(status),
      mcpServers: {
        async tools({ params, notify }) {
          await notify("notifications/progress", { progress: 1 });
          return { got: params };
        },
      },
    }),
  );
  onTestFinished(() => client.close());
  const more = unstableClientOf(client);
  const session = await more.newSession({
    cwd,
    systemPrompt: "Be kind",
    mcpServers: [{ type: "acp", name: "Tools", serverId: "tools" }],
  });
  const turn = session.prompt("go");
  const kinds: unknown[] = [];
  for await (const event of turn)
    if (event.type === "unknown") kinds.push(unstableUpdateOf(event.update)?.sessionUpdate);
  expect(kinds).toEqual(["plan_update", "plan_removed", "subagent_update", "session_message", "session_message_chunk"]);
  expect(await more.usageOf(turn)).toEqual({ totalTokens: 1, inputTokens: 1, outputTokens: 0 });
  expect(await heard).toMatchObject({ requestId: "r1", method: "notifications/progress" });
  expect(told).toEqual([{ state: "unknown", accounts: [{ label: "key" }] }]);
  const fork = await more.forkSession({ cwd, sessionId: session.id });
  expect(fork.id).toBe("s2");
  expect(await fork.prompt("go").stopReason).toBe("end_turn");
  await more.archiveSession("s1");
  await more.unarchiveSession("s1");
  expect(await more.sessionStatus("s1")).toBe("saved");
  expect(await more.setSessionTitle("s1", " T ")).toBe("T");
  expect((await more.listSessions({ archived: "only" })).sessions).toEqual([{ sessionId: "s1", cwd, archived: true }]);
  expect(await more.authStatus()).toEqual({ state: "not_required" });
  expect(await more.listProviders()).toEqual([{ providerId: "main", supported: ["openai"], required: true }]);
  await more.setProvider({ providerId: "main", apiType: "openai", baseUrl: "http://a" });
  await more.disableProvider("main");
  const answered = '{"result":{"got":{"a":1}}}';
  const calls = ["fork s1", "archive s1", "unarchive s1", "set main", "disable main"];
  expect(called).toEqual(["new append", answered, calls[0], answered, ...calls.slice(1)]);
});

it("what one side does not have is answered -32601, also by the stable entry of either", async () => {
  const pair = officialPair();
  officialAgent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
    .connect(pair.official);
  const client = await connectAcp(pair.ours, unstableClient({}, { ignoreCapabilities: true }));
  onTestFinished(() => client.close());
  const refused = await unstableClientOf(client)
    .authStatus()
    .catch((error: unknown) => error);
  expect(isRemoteError(refused, -32601)).toBe(true);

  const other = officialPair();
  const serving = serveAcp(other.ours, { prompt: async () => "end_turn" });
  onTestFinished(() => serving.close());
  const connection = officialClient({ name: "official" }).connect(other.official);
  await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  for (const method of [methods.agent.session.fork, methods.agent.auth.status] as const)
    await expect(connection.agent.request(method, { sessionId: "s", cwd } as never)).rejects.toMatchObject({
      code: -32601,
    });
});
