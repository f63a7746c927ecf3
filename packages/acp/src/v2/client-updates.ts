import type { AvailableCommand, PlanEntry, SessionUpdate } from "@editwire/acp-schema";
import type { V2Plan, V2SessionUpdate, MessageUpdate } from "@editwire/acp-schema/v2";
import { LatestMap } from "@editwire/session";
import { configOptionOf } from "./client-forms.js";
import { ToolCallReader } from "./client-tools.js";

/** Messages whose ids are remembered; the oldest are forgotten first. */
const maxMessages = 1_000;

const planStatuses: Readonly<Record<string, PlanEntry["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "completed",
};

/** Reads the updates of one session into those of version 1. It keeps what their fields patch. */
export class UpdateReader {
  readonly tools = new ToolCallReader();
  /** The messages that were mentioned, by their kind and id. */
  readonly #messages = new LatestMap<string, true>(maxMessages);
  /** The kind and id of the last chunk: most chunks belong to the message of the one before. */
  #kind = "";
  #id = "";
  #cost: { amount: number; currency: string } | undefined;

  /** The updates of version 1 that say the same. One of an unknown kind stays as it is. */
  read(update: V2SessionUpdate, chars: number): readonly SessionUpdate[] {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        this.#mention(update.sessionUpdate, update.messageId as string);
        return [update as SessionUpdate];
      case "user_message":
      case "agent_message":
      case "agent_thought":
        return this.#message(update as MessageUpdate);
      case "tool_call_update":
        return [this.tools.read(update, chars)];
      case "tool_call_content_chunk":
        return [this.tools.append(update.toolCallId, update.content, chars)];
      case "plan_update":
        return [planOf(update.plan)];
      case "plan_removed":
        return [{ sessionUpdate: "plan", entries: [] }];
      case "available_commands_update":
        return [{ ...update, availableCommands: update.availableCommands as AvailableCommand[] }];
      case "config_option_update":
        return [{ ...update, configOptions: update.configOptions.map(configOptionOf) }];
      case "usage_update": {
        const { cost, _meta, ...usage } = update;
        this.#cost = cost === undefined ? this.#cost : (cost ?? undefined);
        return [{ ...usage, cost: this.#cost, ...(_meta === undefined || _meta === null ? {} : { _meta }) }];
      }
      default:
        return [withoutNulls(update)];
    }
  }

  /** True at the first mention. */
  #mention(kind: string, id: string): boolean {
    if (this.#id === id && this.#kind === kind) return false;
    this.#id = id;
    this.#kind = kind;
    const key = `${kind}:${id}`;
    const isNew = !this.#messages.has(key);
    this.#messages.set(key, true);
    return isNew;
  }

  /** A whole message is new, or says again what was streamed. */
  #message(update: MessageUpdate): readonly SessionUpdate[] {
    const { sessionUpdate, messageId, content } = update;
    const chunk = `${sessionUpdate}_chunk` as const;
    if (!this.#mention(chunk, messageId)) return [unknownTo1(update)];
    return (content ?? []).map((block) => ({ sessionUpdate: chunk, messageId, content: block }) as SessionUpdate);
  }
}

/** An update of a kind that version 1 does not have. */
function unknownTo1(update: V2SessionUpdate): SessionUpdate {
  return update as Pick<V2SessionUpdate, "sessionUpdate"> as SessionUpdate;
}

/** A plan of an unknown type stays as it is. */
function planOf(plan: V2Plan): SessionUpdate {
  if (plan.type !== "items" || !Array.isArray(plan.entries)) return unknownTo1({ sessionUpdate: "plan_update", plan });
  const entries = plan.entries.map((entry) => ({
    ...entry,
    priority: priorityOf(entry.priority),
    status: planStatuses[entry.status] ?? "in_progress",
  }));
  return { sessionUpdate: "plan", entries };
}

function priorityOf(priority: string): PlanEntry["priority"] {
  return priority === "high" || priority === "low" ? priority : "medium";
}

/** Null clears a field, and version 1 leaves such a field out. The title of a session is cleared by null there, too. */
function withoutNulls(update: V2SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== "compaction_update") return update as SessionUpdate;
  const { status, summary, error, ...rest } = update;
  return {
    ...rest,
    status: status ?? "in_progress",
    ...(summary === undefined ? {} : { summary: summary ?? [] }),
    ...(error === undefined || error === null ? {} : { error }),
  } as SessionUpdate;
}
