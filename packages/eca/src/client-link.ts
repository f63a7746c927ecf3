import type { ChatPromptParams, ChatPromptResult, Eca } from "@editwire/eca-schema";
import type { Connection, Diagnostic } from "@editwire/core";
import type { ChatEvent } from "./chat-events.js";
import type { ApprovalHandler } from "./client-approval.js";
import type { ClientChat, EcaChat } from "./client-chat.js";

/** What a chat needs of its connection. */
export interface ClientLink extends Pick<Connection<Eca, "client">, "request" | "notify"> {
  /** Sends a prompt, and lets the chat have what is received for it, however early. */
  prompt(chat: ClientChat, params: ChatPromptParams): Promise<ChatPromptResult>;
  /** Runs what makes the server open a new chat, and gives that. Throws `WireError("invalid_result")` when there is none. */
  opened(method: string, action: () => Promise<unknown>): Promise<ClientChat>;
  /** Makes the id of a prompt. */
  newRequestId(): string;
  readonly approval: ApprovalHandler | undefined;
  readonly stopTimeoutMs: number;
  readonly onEvent: (event: ChatEvent, chat: EcaChat) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onError: (error: unknown, method: string | undefined) => void;
}
