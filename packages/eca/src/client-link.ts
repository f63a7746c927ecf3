import type { ChatPromptParams, ChatPromptResult, Eca } from "@editwire/eca-schema";
import type { Connection, Diagnostic } from "@editwire/core";
import type { UpdateEvent } from "./client-events.js";
import type { PermissionHandler } from "./client-permission.js";
import type { ClientSession, EcaSession } from "./client-session.js";

/** What a chat needs of its connection. */
export interface ClientLink extends Pick<Connection<Eca, "client">, "request" | "notify"> {
  /** Sends a prompt, and lets the chat have what is received for it, however early. */
  prompt(chat: ClientSession, params: ChatPromptParams, signal: AbortSignal): Promise<ChatPromptResult>;
  /** Runs what makes the server open a new chat, and gives that. Throws `WireError("invalid_result")` when there is none. */
  opened(method: string, action: () => Promise<unknown>): Promise<ClientSession>;
  /** Makes the id of a prompt. */
  newRequestId(): string;
  readonly permission: PermissionHandler | undefined;
  readonly cancelGraceMs: number;
  readonly onUpdate: (event: UpdateEvent, chat: EcaSession) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onError: (error: unknown, method: string | undefined) => void;
}
