// Both sides of each row of the README's migration table; a test compares them with the README.
import * as sdk from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import {
  type AcpAgentTurn,
  type AcpClient,
  type AcpClientOptions,
  type AcpSession,
  type AcpTurn,
  authRequired,
  dialAcpStreamableHttp,
  formElicitation,
  isAuthRequired,
  isSessionNotFound,
  type PermissionOptionKind,
  permissionPolicy,
} from "@editwire/acp";
import { nodeFileSystem, nodeTerminals, serveAcpStdio, spawnAcp } from "@editwire/acp/node";

const { methods } = sdk;

/** What the lines of a client use. */
interface ClientLines {
  readonly stream: sdk.Stream;
  readonly context: sdk.ClientContext;
  readonly client: AcpClient;
  readonly session: AcpSession;
  readonly turn: AcpTurn;
  readonly sessionId: string;
  readonly cwd: string;
  readonly text: string;
  readonly url: string;
  readonly error: unknown;
  work(context: sdk.ClientContext): Promise<void>;
  show(update: unknown): void;
  read(path: string): string;
  run(command: string): string;
  decide(request: unknown): PermissionOptionKind;
  fill(question: unknown): Promise<Record<string, string>>;
}

export async function officialClient(given: ClientLines): Promise<void> {
  const { stream, context, work, cwd, sessionId, text, url, show, read, run, decide, fill, error } = given;
  const app = sdk.client({ name: "editor" });
  await app.connectWith(stream, work);
  await app.connectWith(createHttpStream(url), work);
  await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  await context.request(methods.agent.session.new, { cwd, mcpServers: [] });
  await context.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  await context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  await context.notify(methods.agent.session.cancel, { sessionId });
  await context.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
  app.onNotification(methods.client.session.update, ({ params }) => show(params.update));
  app.onRequest(methods.client.session.requestPermission, ({ params }) => ({
    outcome: {
      outcome: "selected",
      optionId: params.options.find(({ kind }) => kind === decide(params))?.optionId ?? "",
    },
  }));
  app.onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: read(params.path) }));
  app.onRequest(methods.client.terminal.create, ({ params }) => ({ terminalId: run(params.command) }));
  app.onRequest("elicitation/create", async ({ params }) => ({ action: "accept", content: await fill(params) }));
  if (error instanceof sdk.RequestError && error.code === -32002) show("gone");
  if (error instanceof sdk.RequestError && error.code === -32000) show("sign in");
}

export async function ourClient(given: ClientLines): Promise<AcpClientOptions> {
  const { client, session, turn, cwd, sessionId, text, url, show, fill, error } = given;
  const { decide } = given;
  await spawnAcp(["my-agent"], { clientInfo: { name: "editor", version: "1.0.0" } });
  await dialAcpStreamableHttp(url);
  show(client.info.agentCapabilities);
  await client.newSession({ cwd });
  await client.loadSession({ sessionId, cwd });
  session.prompt(text);
  await turn.cancel();
  await session.setMode("plan");
  for await (const event of turn) show(event);
  if (isSessionNotFound(error)) show("gone");
  if (isAuthRequired(error)) show("sign in");
  permissionPolicy({ kinds: { read: "allow_once" } });
  return {
    permission: async (question) => decide(question),
    fs: nodeFileSystem(),
    terminals: nodeTerminals(),
    elicitation: { form: formElicitation(fill) },
  };
}

/** What the lines of an agent use. */
interface AgentLines {
  readonly stream: sdk.Stream;
  readonly context: sdk.AgentContext;
  readonly turn: AcpAgentTurn;
  readonly sessionId: string;
  readonly text: string;
  readonly path: string;
  work(text: string): Promise<void>;
}

export async function officialAgent({ stream, context, sessionId, text, path }: AgentLines): Promise<never> {
  const app = sdk.agent({ name: "my-agent" });
  app.onRequest(methods.agent.session.prompt, async () => ({ stopReason: "end_turn" }));
  app.connect(stream);
  const content = { type: "text" as const, text };
  const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" as const }];
  const toolCall = { toolCallId: "1", title: "Edit" };
  await context.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content },
  });
  await context.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "tool_call", ...toolCall },
  });
  await context.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
  await context.request(methods.client.fs.readTextFile, { sessionId, path });
  throw sdk.RequestError.authRequired();
}

export async function ourAgent({ turn, text, path }: AgentLines): Promise<never> {
  serveAcpStdio({ prompt: async () => "end_turn" });
  await turn.text(text);
  const call = await turn.toolCall({ title: "Edit" });
  await turn.requestPermission(call);
  await turn.client.readTextFile(path);
  throw authRequired();
}
