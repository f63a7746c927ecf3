// Both sides of each row of the README's migration tables; a test compares them with the README.
import { createServer } from "node:http";
import * as sdk from "@agentclientprotocol/sdk";
import { createHttpStream, MemoryAcpCookieStore } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import {
  type AcpAgent,
  type AcpAgentTurn,
  type AcpClient,
  type AcpClientOptions,
  type AcpParams,
  type AcpResult,
  type AcpSession,
  type AcpTurn,
  authRequired,
  connectAcp,
  defineAcpExtension,
  formElicitation,
  isAuthRequired,
  isSessionNotFound,
  type PermissionOptionKind,
  type PlanEntry,
  RemoteError,
  request as extensionRequest,
  type SessionUpdate,
} from "@editwire/acp";
import {
  acpHandler,
  dialAcp,
  fileSessionStore,
  nodeFileSystem,
  nodeListener,
  nodeTerminals,
  serveAcpStdio,
  spawnAcp,
} from "@editwire/acp/node";
import { acpPair } from "@editwire/acp/testing";
import { ndjson } from "@editwire/framing";
import { webStreamTransport } from "@editwire/transport";
import { WebSocket, WebSocketServer } from "ws";
import * as z from "zod";

const { methods } = sdk;

/** The values that the lines about connections use. */
interface ConnectionLines {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  readonly stream: sdk.Stream;
  readonly url: string;
  readonly cwd: string;
  readonly query: string;
  readonly cancellationSignal: AbortSignal;
  work(context: sdk.ClientContext): Promise<void>;
  show(value: unknown): void;
}

export async function officialConnections(given: ConnectionLines & { context: sdk.ClientContext }): Promise<void> {
  const { input, output, stream, url, cwd, query, cancellationSignal, work, show, context } = given;
  const { ndJsonStream } = sdk;
  const app = sdk.client({ name: "editor" });
  const agentApp = sdk.agent({ name: "my-agent" });
  await app.connectWith(stream, work);
  app.connect(ndJsonStream(output, input));
  await app.connectWith(createHttpStream(url), work);
  const cookieStore = new MemoryAcpCookieStore();
  await app.connectWith(createHttpStream(url, { cookieStore }), work);
  await app.connectWith(createWebSocketStream(url, { WebSocket }), work);
  await app.connectWith(createWebSocketStream(url, { WebSocket, cookieStore }), work);
  const connection = app.connect(agentApp);
  await connection.closed;
  connection.close();

  const server = new AcpServer({ agent: agentApp });
  const webSockets = new WebSocketServer({ noServer: true });
  const listener = createServer(createNodeHttpHandler(server));
  listener.on("upgrade", createNodeWebSocketUpgradeHandler(server, webSockets));
  const request = new Request(url);
  await server.handleRequest(request);

  await context.request("_acme/search", { query });
  const parser = z.object({ text: z.string() });
  app.onRequest("_acme/ask", parser, ({ params }) => ({ answer: params.text.length }));
  app.onRequest("*", ({ method, params }) => show({ method, params }));
  let params: sdk.NewSessionRequest = { cwd, mcpServers: [] };
  const method = methods.agent.session.new;
  await context.request(method, params, { cancellationSignal, stopWaitingOnCancel: true });
  let result: sdk.NewSessionResponse = { sessionId: "s1" };
  let update: sdk.SessionUpdate = { sessionUpdate: "plan", entries: [] };
  show([(params = { ...params }), (result = { ...result }), (update = { ...update })]);
}

export async function ourConnections(given: ConnectionLines & { agent: AcpAgent }): Promise<AcpClientOptions> {
  const { input, output, url, cwd, query, cancellationSignal: signal, show, agent } = given;
  const acme = defineAcpExtension({
    "_acme/search": extensionRequest({
      from: "client",
      params: z.object({ query: z.string() }),
      result: z.object({ hits: z.array(z.string()) }),
    }),
    "_acme/ask": extensionRequest({
      from: "agent",
      params: z.object({ text: z.string() }),
      result: z.object({ answer: z.number() }),
    }),
  });
  const options: AcpClientOptions = {
    extension: acme.client({ "_acme/ask": () => ({ answer: 42 }) }),
    fallback: { request: (method, params) => show({ method, params }) },
  };
  const client = await spawnAcp(["my-agent"], { clientInfo: { name: "editor", version: "1.0.0" } });
  await connectAcp(webStreamTransport(input, output, ndjson()), options);
  await dialAcp(url);
  const cookies = new Map<string, string>();
  await dialAcp(url, { cookies });
  await acpPair(agent);
  await client.closed;
  await client.close();

  const handler = acpHandler(agent);
  const listener = createServer(nodeListener(handler.fetch));
  listener.on("upgrade", handler.upgrade);
  const request = new Request(url);
  await handler.fetch(request);

  await acme.of(client).request("_acme/search", { query });
  let params: AcpParams<"session/new"> = { cwd, mcpServers: [] };
  const method = "session/new";
  await client.connection.request(method, params, { signal });
  let result: AcpResult<"session/new"> = { sessionId: "s1" };
  let update: SessionUpdate = { sessionUpdate: "plan", entries: [] };
  show([(params = { ...params }), (result = { ...result }), (update = { ...update })]);
  return options;
}

/** The values that the lines of a client use. */
interface ClientLines {
  readonly context: sdk.ClientContext;
  readonly active: sdk.ActiveSession;
  readonly client: AcpClient;
  readonly session: AcpSession;
  readonly turn: AcpTurn;
  readonly methodId: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly text: string;
  readonly error: unknown;
  show(update: unknown): void;
  read(path: string): string;
  run(command: string): string;
  decide(request: unknown): PermissionOptionKind;
  fill(question: unknown): Promise<Record<string, string>>;
}

export async function officialClient(given: ClientLines): Promise<void> {
  const { context, active, methodId, cwd, sessionId, text, show, read, run, decide, fill, error } = given;
  const app = sdk.client({ name: "editor" });
  const server = { name: "files", command: "/usr/bin/mcp-files", args: [], env: [] };
  await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  await context.request(methods.agent.authenticate, { methodId });
  await context.request(methods.agent.logout, {});
  await context.request(methods.agent.session.new, { cwd, mcpServers: [] });
  await context.buildSession(cwd).withMcpServer(server).start();
  await context.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  await context.request(methods.agent.session.resume, { sessionId, cwd });
  await context.request(methods.agent.session.list, { cwd });
  await context.request(methods.agent.session.delete, { sessionId });
  await context.request(methods.agent.session.close, { sessionId });
  await context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  show(await active.nextUpdate());
  show(await active.readText());
  show((await active.prompt(text)).stopReason);
  active.dispose();
  await context.notify(methods.agent.session.cancel, { sessionId });
  await context.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
  await context.request(methods.agent.session.setConfigOption, { sessionId, configId: "model", value: "fast" });
  app.onNotification(methods.client.session.update, ({ params }) => show(params.update));
  app.onRequest(methods.client.session.requestPermission, ({ params }) => ({
    outcome: {
      outcome: "selected",
      optionId: params.options.find(({ kind }) => kind === decide(params))?.optionId ?? "",
    },
  }));
  app.onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: read(params.path) }));
  app.onRequest(methods.client.fs.writeTextFile, ({ params }) => show(params.content));
  app.onRequest(methods.client.terminal.create, ({ params }) => ({ terminalId: run(params.command) }));
  app.onRequest(methods.client.elicitation.create, async ({ params }) => ({
    action: "accept",
    content: await fill(params),
  }));
  app.onNotification(methods.client.elicitation.complete, ({ params }) => show(params.elicitationId));
  if (error instanceof sdk.RequestError && error.code === -32002) show("gone");
  if (error instanceof sdk.RequestError && error.code === -32000) show("sign in");
}

export async function ourClient(given: ClientLines): Promise<AcpClientOptions> {
  const { client, session, turn, methodId, cwd, sessionId, text, show, fill, error } = given;
  const { decide } = given;
  const server = { type: "stdio" as const, name: "files", command: "/usr/bin/mcp-files", args: [], env: [] };
  show(client.info.agentCapabilities);
  await client.authenticate(methodId);
  await client.logout();
  await client.newSession({ cwd });
  await client.newSession({ cwd, mcpServers: [server] });
  await client.loadSession({ sessionId, cwd });
  await client.resumeSession({ sessionId, cwd });
  await client.listSessions({ cwd });
  await client.deleteSession(sessionId);
  session.prompt(text);
  for await (const event of turn) show(event);
  show(await turn.readText());
  show(await turn.stopReason);
  await turn.cancel();
  await session.setMode("plan");
  await session.setConfigOption("model", "fast");
  session.subscribe((state) => show(state.entries));
  await session.close();
  if (isSessionNotFound(error)) show("gone");
  if (isAuthRequired(error)) show("sign in");
  return {
    permission: async (question) => decide(question),
    fs: nodeFileSystem(),
    terminals: nodeTerminals(),
    ...(text === "form" && { elicitation: { form: formElicitation(fill) } }),
    ...(text === "done" && { elicitation: { completed: (elicitationId) => show(elicitationId) } }),
  };
}

/** The values that the lines of an agent use. */
interface AgentLines {
  readonly stream: sdk.Stream;
  readonly context: sdk.AgentContext;
  readonly turn: AcpAgentTurn;
  readonly sessionId: string;
  readonly text: string;
  readonly path: string;
  readonly entries: PlanEntry[];
  readonly elicitationId: string;
  show(value: unknown): void;
  signIn(methodId: string): Promise<void>;
  cleanUp(): void;
}

const question = { mode: "url" as const, message: "Sign in", url: "https://example.com", elicitationId: "e1" };

export async function officialAgent(given: AgentLines): Promise<never> {
  const { stream, context, sessionId, text, path, entries, elicitationId, show, signIn, cleanUp } = given;
  const app = sdk.agent({ name: "my-agent" });
  app.onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }));
  app.onRequest(methods.agent.authenticate, async ({ params, requestId, client }) => {
    await client.request(methods.client.elicitation.create, { requestId, ...question });
    await signIn(params.methodId);
  });
  app.onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }));
  app.onRequest(methods.agent.session.list, () => ({ sessions: [] }));
  app.onRequest(methods.agent.session.load, () => ({}));
  app.onRequest(methods.agent.session.setMode, () => ({}));
  app.onRequest(methods.agent.session.prompt, async () => ({ stopReason: "end_turn" }));
  app.onNotification(methods.agent.session.cancel, ({ params }) => show(params.sessionId));
  app.onConnect(({ closed }) => void closed.then(cleanUp));
  app.connect(stream);
  const content = { type: "text" as const, text };
  const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" as const }];
  const toolCall = { toolCallId: "1", title: "Edit" };
  const update = { sessionUpdate: "usage_update" as const, used: 1, size: 2 };
  await context.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content },
  });
  await context.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "tool_call", ...toolCall },
  });
  await context.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: "plan", entries } });
  await context.notify(methods.client.session.update, { sessionId, update });
  await context.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
  await context.request(methods.client.fs.readTextFile, { sessionId, path });
  await context.request(methods.client.fs.writeTextFile, { sessionId, path, content: text });
  await using terminal = await context.createTerminal({ sessionId, command: "ls" });
  show(await terminal.currentOutput());
  await context.request(methods.client.elicitation.create, { sessionId, ...question });
  await context.notify(methods.client.elicitation.complete, { elicitationId });
  if (path === "") throw sdk.RequestError.invalidParams({ path });
  throw sdk.RequestError.authRequired();
}

export async function ourAgent(given: AgentLines): Promise<never> {
  const { turn, text, path, entries, elicitationId, show, signIn, cleanUp } = given;
  const agent: AcpAgent = {
    info: { name: "my-agent", version: "1.0.0" },
    authenticate: async (methodId) => signIn(methodId),
    logout: async ({ elicit }) => show(await elicit(question)),
    newSession: (session) => void session.state.set("history", []),
    sessions: fileSessionStore("sessions"),
    modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
    disconnected: () => cleanUp(),
    prompt: async () => "end_turn",
  };
  serveAcpStdio(agent);
  show(turn.signal);
  await turn.text(text);
  const call = await turn.toolCall({ title: "Edit" });
  await turn.plan(entries);
  const update = { sessionUpdate: "usage_update" as const, used: 1, size: 2 };
  await turn.update(update);
  await turn.requestPermission(call);
  await turn.client.readTextFile(path);
  await turn.client.writeTextFile(path, text);
  await using terminal = await turn.client.createTerminal({ command: "ls" });
  show(await terminal.output());
  await turn.client.elicit(question);
  await turn.session.completeElicitation(elicitationId);
  if (path === "") throw RemoteError.invalidParams("no such file", { path });
  throw authRequired();
}
