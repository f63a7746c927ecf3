import type {
  AvailableCommand,
  SessionUpdate,
  ToolCallContent,
  ToolCallDiff,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { V2SessionUpdate, V2ToolCallContent, V2ToolCallUpdate } from "@editwire/acp-schema/v2";
import { LatestMap } from "@editwire/session";
import { configOptionsOf, type SessionSettings } from "./agent-forms.js";
import { patchOf } from "./make-patch.js";

/** Tool calls whose titles are remembered; the oldest are forgotten first. */
const maxTitles = 1_000;

/** Writes the updates of one session in the forms of version 2. */
export class UpdateWriter {
  readonly settings: { -readonly [K in keyof SessionSettings]: SessionSettings[K] } = {};
  readonly #titles = new LatestMap<string, string>(maxTitles);
  /** The kind and the id of the message that is being said. */
  #kind = "";
  #message = "";

  /** A message ends: the next chunk begins another one. */
  endMessage(): void {
    this.#kind = "";
  }

  titleOf(toolCallId: string): string | undefined {
    return this.#titles.get(toolCallId);
  }

  write(update: SessionUpdate): V2SessionUpdate {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return { ...update, messageId: this.#messageOf(update.sessionUpdate, update.messageId) } as V2SessionUpdate;
      case "tool_call":
      case "tool_call_update":
        this.endMessage();
        if (update.title !== undefined) this.#titles.set(update.toolCallId, update.title);
        return { ...toolCallOf(update), sessionUpdate: "tool_call_update" };
      case "plan": {
        const { entries, sessionUpdate: _plan, ...rest } = update;
        return { ...rest, sessionUpdate: "plan_update", plan: { type: "items", planId: "plan", entries } };
      }
      case "current_mode_update":
        this.settings.modes &&= { ...this.settings.modes, currentModeId: update.currentModeId };
        return this.#options(update._meta);
      case "config_option_update":
        this.settings.configOptions = update.configOptions;
        return this.#options(update._meta);
      case "available_commands_update":
        return { ...update, availableCommands: update.availableCommands.map(commandOf) } as V2SessionUpdate;
      default:
        return update as V2SessionUpdate;
    }
  }

  #options(_meta: SessionUpdate["_meta"]): V2SessionUpdate {
    const configOptions = configOptionsOf(this.settings);
    return { sessionUpdate: "config_option_update", configOptions, ...(_meta === undefined ? {} : { _meta }) };
  }

  /** The id of the message that a chunk belongs to: its own, or that of the chunks before it. */
  #messageOf(kind: string, own: string | undefined): string {
    if (own !== undefined) this.#message = own;
    else if (this.#kind !== kind) this.#message = crypto.randomUUID();
    this.#kind = kind;
    return this.#message;
  }
}

/** The fields of a tool call. */
export function toolCallOf({ content, ...call }: ToolCallUpdate): V2ToolCallUpdate {
  return content === undefined ? call : { ...call, content: content.map(contentOf) };
}

function contentOf(item: ToolCallContent): V2ToolCallContent {
  if (item.type !== "diff") return item as V2ToolCallContent;
  const { path, oldText = null, newText, ...rest } = item as ToolCallDiff;
  const text = patchOf(path, oldText, newText);
  const operation = oldText === null ? "add" : "modify";
  return { ...rest, type: "diff", changes: [{ operation, path }], patch: { format: "git_patch", text } };
}

function commandOf({ description = "", input, ...command }: AvailableCommand): object {
  const typed = input && { ...input, type: "text", hint: input.hint ?? "" };
  return { type: "command", ...command, description, ...(typed && { input: typed }) };
}
