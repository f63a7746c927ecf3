// Both sides of the rows of the README's migration table about the classes that the official SDK had before 2.0.
import {
  type AcpAgent,
  type AcpAgentTurn,
  type AcpClient,
  type AcpClientOptions,
  type AcpSession,
  type PermissionOptionKind,
} from "@editwire/acp";
import { nodeFileSystem, nodeTerminals, serveAcpStdio, spawnAcp } from "@editwire/acp/node";
import * as sdk from "official-sdk-1";

/** The values in the lines about clients. */
interface ClientLines {
  readonly stream: sdk.Stream;
  readonly client: sdk.Client;
  readonly sessionId: string;
  readonly cwd: string;
  readonly text: string;
  readonly path: string;
  show(value: unknown): void;
  decide(question: unknown): PermissionOptionKind;
}

export async function officialClient(given: ClientLines): Promise<void> {
  const { stream, client, sessionId, cwd, text } = given;
  const connection = new sdk.ClientSideConnection(() => client, stream);
  await connection.initialize({ protocolVersion: 1, clientCapabilities: {} });
  await connection.newSession({ cwd, mcpServers: [] });
  await connection.loadSession({ sessionId, cwd, mcpServers: [] });
  await connection.prompt({ sessionId, prompt: [{ type: "text", text }] });
  await connection.cancel({ sessionId });
  await connection.setSessionMode({ sessionId, modeId: "plan" });
  await connection.extMethod("_acme/search", { query: text });
  await connection.closed;
}

export class OfficialClient implements sdk.Client {
  constructor(readonly given: ClientLines) {}

  async requestPermission(params: sdk.RequestPermissionRequest): Promise<sdk.RequestPermissionResponse> {
    this.given.show(params);
    return { outcome: { outcome: "cancelled" } };
  }

  async sessionUpdate(params: sdk.SessionNotification): Promise<void> {
    this.given.show(params.update);
  }

  async readTextFile(params: sdk.ReadTextFileRequest): Promise<sdk.ReadTextFileResponse> {
    return { content: params.path };
  }

  async createTerminal(params: sdk.CreateTerminalRequest): Promise<sdk.CreateTerminalResponse> {
    return { terminalId: params.command };
  }
}

export async function ourClient(given: ClientLines & { client: AcpClient; session: AcpSession }): Promise<void> {
  const { client, session, sessionId, cwd, text, show, decide } = given;
  const options: AcpClientOptions = {
    permission: async (question) => decide(question),
    fs: nodeFileSystem(),
    terminals: nodeTerminals(),
  };
  await spawnAcp(["my-agent"], options);
  show(client.info);
  await client.newSession({ cwd });
  await client.loadSession({ sessionId, cwd });
  const turn = session.prompt(text);
  for await (const event of turn) show(event);
  await turn.cancel();
  await session.setMode("plan");
  await client.closed;
}

/** The values in the lines about agents. */
interface AgentLines {
  readonly stream: sdk.Stream;
  readonly agent: sdk.Agent;
  readonly sessionId: string;
  readonly text: string;
  readonly path: string;
  readonly turn: AcpAgentTurn;
}

export async function officialAgent(given: AgentLines): Promise<void> {
  const { stream, agent, sessionId, text, path } = given;
  const connection = new sdk.AgentSideConnection(() => agent, stream);
  const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" as const }];
  const update = { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text } };
  await connection.sessionUpdate({ sessionId, update });
  await connection.requestPermission({ sessionId, toolCall: { toolCallId: "1", title: "Edit" }, options });
  await connection.readTextFile({ sessionId, path });
}

export class OfficialAgent implements sdk.Agent {
  async initialize(params: sdk.InitializeRequest): Promise<sdk.InitializeResponse> {
    return { protocolVersion: params.protocolVersion };
  }

  async authenticate(): Promise<void> {}

  async newSession(): Promise<sdk.NewSessionResponse> {
    return { sessionId: "s" };
  }

  async prompt(): Promise<sdk.PromptResponse> {
    return { stopReason: "end_turn" };
  }

  async cancel(): Promise<void> {}
}

export async function ourAgent({ turn, text, path }: AgentLines): Promise<void> {
  const agent: AcpAgent = {
    info: { name: "my-agent", version: "1.0.0" },
    newSession: (session) => void session.state.set("history", []),
    prompt: async () => "end_turn",
  };
  serveAcpStdio(agent);
  await turn.text(text);
  const call = await turn.toolCall({ title: "Edit" });
  await turn.requestPermission(call);
  await turn.client.readTextFile(path);
}
