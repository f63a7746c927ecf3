import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Workspace } from "@editwire/ide-tools";

/** What the agent keeps of a session. */
export interface CodingSession {
  readonly workspace: Workspace;
  /** The current mode; it may change while a turn runs. */
  readonly modeId: string;
  /** The conversation without the system prompt. */
  readonly history: ChatCompletionMessageParam[];
}
