import { type Diagnostic, type Handlers, isRemoteError, isWireError } from "@editwire/core";
import { type Sman, SmanErrorCode, type SmanParams, smanProfiles } from "@editwire/sman-schema";
import type { SplitOptions } from "@editwire/session";
import type { SmanBackendOptions, SmanChat, SmanIde } from "./api.js";

/** The messages of one connection beside its tool calls, on the backend's side. */
export class Conversation {
  readonly #options: SmanBackendOptions;
  readonly #split: SplitOptions;
  readonly #chats = new Map<AbortController, string>();
  #ide: SmanIde | undefined;

  constructor(options: SmanBackendOptions, split: SplitOptions) {
    this.#options = options;
    this.#split = split;
  }

  readonly handlers: Handlers<Sman, "backend"> = {
    PING: ({ timestamp = Date.now() }) => this.#send("PONG", { timestamp }),
    // Not awaited: a chat must not keep later messages of the connection waiting.
    AGENT_CHAT: (params) => void this.#chat(params),
    STOP: (params) => this.#stop(params),
  };

  /** Called once the connection is open. */
  open(ide: SmanIde): void {
    this.#ide = ide;
    if (!this.#speaks) return;
    const { sessionId, projectKey, projectPath, mode } = ide;
    const site = { sessionId, projectKey, projectPath, mode };
    this.#send("CONNECTED", { message: "连接成功", ...site, serverTime: Date.now(), protocolVersion: "2.0" });
    void ide.closed.then(() => this.#abort(undefined));
  }

  /** Reports a diagnostic, and tells the plugin of a message that was ignored. */
  diagnostic(diagnostic: Diagnostic): void {
    this.#split.onDiagnostic(diagnostic);
    const { id, method = "" } = diagnostic;
    if (id === "tagged.unknown-name") this.#fail(SmanErrorCode.UnknownMessageType, `未知的消息类型: ${method}`);
    if (id === "tagged.invalid-message") this.#fail(SmanErrorCode.InvalidMessage, "消息缺少 type 字段");
  }

  /** Reports an error, and tells the plugin of a message that could not be read. */
  error(error: unknown, method: string | undefined): void {
    this.#split.onError(error, method);
    if (isWireError(error, "framing")) this.#fail(SmanErrorCode.MessageParseError, "消息解析失败");
    else if (isWireError(error, "invalid_params") && method !== undefined)
      this.#fail(SmanErrorCode.MessageParseError, `消息解析失败: ${error.message}`);
  }

  get #speaks(): boolean {
    return (this.#options.profile ?? smanProfiles.spec).traits.conversation;
  }

  async #chat(params: SmanParams<"AGENT_CHAT">): Promise<void> {
    const { onChat, maxRequests = 1_024 } = this.#options;
    const ide = this.#ide;
    if (ide === undefined || onChat === undefined) return;
    if (this.#chats.size >= maxRequests)
      return this.#fail(
        SmanErrorCode.ProcessingFailed,
        `${maxRequests} messages are being answered; that is the limit`,
      );
    const running = new AbortController();
    const sessionId = params.sessionId || ide.sessionId;
    const chat: SmanChat = {
      ...params,
      sessionId,
      projectKey: params.projectKey || ide.projectKey,
      signal: running.signal,
    };
    this.#chats.set(running, sessionId);
    try {
      await onChat(chat, ide);
    } catch (error) {
      if (running.signal.aborted) return;
      const isMeant = isRemoteError(error);
      if (!isMeant) this.#split.onError(error, "AGENT_CHAT");
      this.#fail(SmanErrorCode.ProcessingFailed, isMeant ? error.message : "处理失败");
    } finally {
      this.#chats.delete(running);
    }
  }

  #stop({ sessionId: wanted }: SmanParams<"STOP">): void {
    const sessionId = wanted || (this.#ide?.sessionId ?? "");
    this.#abort(sessionId);
    this.#send("STOPPED", { sessionId, message: "分析已取消", timestamp: Date.now() });
  }

  /** Aborts the chats of a session, or all. */
  #abort(sessionId: string | undefined): void {
    for (const [chat, session] of this.#chats) if (sessionId === undefined || session === sessionId) chat.abort();
  }

  #fail(errorCode: string, errorMessage: string): void {
    if (this.#speaks) this.#send("ERROR", { errorCode, errorMessage, timestamp: Date.now() });
  }

  #send: SmanIde["notify"] = (name, params) => {
    try {
      void this.#ide?.notify(name, params);
    } catch (error) {
      if (!isWireError(error, "closed")) this.#split.onError(error, name);
    }
  };
}
