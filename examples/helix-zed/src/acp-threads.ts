import type { AcpClient, AcpProfile, AcpSession, PermissionHandler, ToolCallState } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { ErrorCode, isRemoteError, RemoteError } from "@editwire/core";
import type { HelixZedAgent, HelixZedAgentTurn, HelixZedToolCall, HelixZedToolCallStatus } from "@editwire/helix-zed";

/** Which ACP agent answers, and what it may do. */
export interface AcpThreadsOptions {
  /** `[command, ...args]` */
  readonly command: readonly string[];
  /** The folder that its sessions work in. */
  readonly cwd: string;
  /** The dialect of ACP that the agent speaks. */
  readonly profile?: AcpProfile | undefined;
  readonly permission: PermissionHandler;
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** The error codes for a session that the agent does not have, or for an agent that keeps none. */
const missing: readonly number[] = [-32_002, ErrorCode.MethodNotFound, ErrorCode.InvalidParams];

/** Threads that are the sessions of an ACP agent. A thread and its session have the same id, so no map is needed. */
export class AcpThreads implements HelixZedAgent {
  readonly #options: AcpThreadsOptions;
  #agent: Promise<AcpClient> | undefined;
  readonly #sessions = new Map<string, AcpSession>();

  constructor(options: AcpThreadsOptions) {
    this.#options = options;
  }

  async newThread(): Promise<string> {
    const session = await (await this.#start()).newSession({ cwd: this.#options.cwd });
    this.#sessions.set(session.id, session);
    return session.id;
  }

  async loadThread(threadId: string): Promise<void> {
    try {
      await this.#session(threadId);
    } catch (error) {
      // After this text the host begins a new thread with its next message.
      if (isRemoteError(error) && missing.includes(error.code))
        throw new RemoteError(ErrorCode.InvalidParams, "no such thread", undefined, { cause: error });
      throw error;
    }
  }

  async prompt(turn: HelixZedAgentTurn): Promise<void> {
    const session = await this.#session(turn.threadId);
    const tools = new Map<string, HelixZedToolCall>();
    for await (const event of session.prompt(turn.promptText, { signal: turn.signal })) {
      if (event.type === "text") await turn.text(event.text);
      else if (event.type === "tool_call") await showTool(turn, tools, event.toolCall);
    }
  }

  async close(): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.close();
  }

  async #session(threadId: string): Promise<AcpSession> {
    const agent = await this.#start();
    let session = this.#sessions.get(threadId);
    if (session === undefined) {
      session = await agent.loadSession({ sessionId: threadId, cwd: this.#options.cwd });
      this.#sessions.set(threadId, session);
    }
    return session;
  }

  /** The running agent; one that died is started again, and its sessions are loaded as they are needed. */
  #start(): Promise<AcpClient> {
    if (this.#agent !== undefined) return this.#agent;
    const { command, ...options } = this.#options;
    const starting = spawnAcp(command, options);
    this.#agent = starting;
    const forget = (): void => {
      this.#agent = undefined;
      this.#sessions.clear();
    };
    starting.then((agent) => agent.closed.then(forget), forget);
    return starting;
  }
}

const statuses: Readonly<Record<string, HelixZedToolCallStatus>> = {
  completed: "completed",
  failed: "failed",
  rejected: "failed",
  cancelled: "failed",
};

async function showTool(
  turn: HelixZedAgentTurn,
  tools: Map<string, HelixZedToolCall>,
  { toolCallId, title, status }: ToolCallState,
): Promise<void> {
  const shown = statuses[status] ?? "in_progress";
  const tool = tools.get(toolCallId);
  if (tool !== undefined) return tool.update({ status: shown });
  const begun = turn.toolCall({ title, status: shown });
  tools.set(toolCallId, begun);
  await begun.update({ text: title });
}
