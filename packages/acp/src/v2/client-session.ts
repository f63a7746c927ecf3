import type { SessionUpdate } from "@editwire/acp-schema";
import type { V2SessionUpdate } from "@editwire/acp-schema/v2";
import { SessionPrompts } from "./client-prompts.js";
import { UpdateReader } from "./client-updates.js";

/** One session of a client: the work of its agent, and the fields that its updates patch. */
export class DrivenSession {
  readonly id: string;
  readonly prompts: SessionPrompts;
  #reader = new UpdateReader();
  /** Whether the agent has reported the session's commands. */
  hasCommands = false;
  /** How many questions without a tool call were asked. */
  #questions = 0;

  constructor(id: string, onQuiet: () => void) {
    this.id = id;
    this.prompts = new SessionPrompts(onQuiet);
  }

  /** The updates of version 1 that say what this one says, apart from the state, which is taken here. */
  read(update: V2SessionUpdate, chars: number): readonly SessionUpdate[] {
    const { prompts } = this;
    if (isState(update)) prompts.receive(update);
    else prompts.touch();
    if (isOfUser(update)) prompts.insert(update.messageId);
    if (update.sessionUpdate === "available_commands_update") this.hasCommands = true;
    return this.#reader.read(update, chars);
  }

  /** Runs what sends the session's messages again: to this side, they are new. */
  async replay<T>(request: () => Promise<T>): Promise<T> {
    const before = this.#reader;
    this.#reader = new UpdateReader();
    try {
      return await request();
    } catch (error) {
      this.#reader = before;
      throw error;
    }
  }

  /** True for a tool call that the agent has reported. */
  knowsTool(toolCallId: string): boolean {
    return this.#reader.tools.has(toolCallId);
  }

  /** The id of a question that has no tool call. */
  nextQuestion(): string {
    return `permission-${++this.#questions}`;
  }
}

type StateUpdate = Extract<V2SessionUpdate, { sessionUpdate: "state_update" }>;

function isState(update: V2SessionUpdate): update is StateUpdate {
  return update.sessionUpdate === "state_update";
}

function isOfUser(update: V2SessionUpdate): update is V2SessionUpdate & { messageId: string } {
  return update.sessionUpdate === "user_message" || update.sessionUpdate === "user_message_chunk";
}
