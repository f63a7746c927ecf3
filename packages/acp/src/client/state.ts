import type { AvailableCommand, ContentBlock, SessionConfigOption, SessionModeState } from "@editwire/acp-schema";
import { EntriesState } from "@editwire/session";
import { type AcpEntry, ClientEntries } from "./entries.js";
import {
  type AcpActivity,
  type AcpContextUsage,
  isText,
  type AcpToolCallState,
  type AcpUpdateEvent,
} from "./events.js";
import { type AcpModelState, modelsIn, modesIn, withMode } from "./config-choices.js";

/** All that a view of a session renders. Values are never changed in place: what is `===` has not changed. */
export interface AcpSessionState {
  /** At most 10,000 entries with 2 Mi characters together; the oldest ones are dropped first. */
  readonly entries: readonly AcpEntry[];
  /** True while a turn runs. */
  readonly running: boolean;
  /** The agent's work: as it says, in version 2; else derived from the turn and the open questions. */
  readonly activity: AcpActivity;
  /** The modes with the current one; absent when the agent has none. A setting of the category `mode` is the modes. */
  readonly modes: SessionModeState | undefined;
  /** The models with the current one: the setting of the category `model`. Absent when the agent has none. */
  readonly models: AcpModelState | undefined;
  readonly commands: readonly AvailableCommand[];
  readonly usage: AcpContextUsage | undefined;
  /** The settings that the user can change, with their values. */
  readonly configOptions: readonly SessionConfigOption[];
  /** The session's title, as the agent names it. */
  readonly title: string | undefined;
}

/** The agent's answer when it opens a session. */
interface OpenedState {
  readonly modes?: SessionModeState | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | undefined;
}

/** A session without messages. */
const emptySession: AcpSessionState = {
  entries: [],
  running: false,
  activity: { state: "idle" },
  modes: undefined,
  models: undefined,
  commands: [],
  usage: undefined,
  configOptions: [],
  title: undefined,
};

/** The state of a session, which takes what is received and what this side does. */
export class ClientState extends EntriesState<AcpSessionState, ClientEntries> {
  /** The prompt of the last turn, and its text as `unspaced`, once that is needed. */
  #prompt: { readonly blocks: readonly ContentBlock[]; text?: string } = { blocks: [] };
  /** Whether the agent says what it does. */
  #isTold = false;
  /** The modes that are not a setting. */
  #ownModes: SessionModeState | undefined;

  /** `onError` gets what a listener throws. */
  constructor(opened: OpenedState, onError: (error: unknown) => void) {
    super(emptySession, new ClientEntries(), onError);
    this.reopen(opened);
  }

  /** Takes an update that was read from a message of `chars` characters. A load replays earlier messages. */
  receive(event: AcpUpdateEvent, chars: number, replayed: boolean): void {
    const { entries } = this;
    switch (event.type) {
      case "text":
        entries.addMessage("assistant", event.text, messageOf(event));
        return this.changed(true);
      case "content":
        entries.addBlock("assistant", event.content, chars);
        return this.changed(true);
      case "thought":
        if (isText(event.content)) entries.addText("thought", undefined, event.text);
        else entries.addBlock("assistant", event.content, chars);
        return this.changed(true);
      case "user":
        if (this.rest.running && !replayed && this.#repeatsPrompt(event.content)) return;
        entries.addBlock("user", event.content, chars, messageOf(event));
        return this.changed(true);
      case "tool_call":
        entries.setToolCall(event.toolCall, chars);
        return this.changed(true);
      case "plan":
        entries.setPlan(event.entries, chars);
        return this.changed(true);
      case "mode":
        return this.setMode(event.modeId);
      case "commands":
        return this.set({ commands: event.commands });
      case "usage":
        return this.set({ usage: event.usage });
      case "config_options":
        return this.setConfigOptions(event.configOptions);
      case "info":
        if (event.title === undefined) return;
        return this.set({ title: event.title ?? undefined });
      case "activity":
        this.#isTold = true;
        return this.set({ activity: event.activity });
      case "notice":
      case "compaction":
      case "unknown":
        return;
    }
  }

  /** A turn begins. */
  start(prompt: readonly ContentBlock[]): void {
    this.#prompt = { blocks: prompt };
    this.entries.addPrompt(prompt);
    this.set({ running: true, ...this.#derived("running") }, true);
  }

  /** The turn ended. */
  end(cancelled: boolean): void {
    if (cancelled) this.entries.cancelToolCalls();
    this.set({ running: false, ...this.#derived("idle") }, cancelled);
  }

  /** The turn waits for the user, or goes on. */
  wait(waits: boolean): void {
    if (this.rest.running && !this.#isTold) this.set(this.#derived(waits ? "requires_action" : "running"));
  }

  /** Takes what this side knows of a tool call. */
  show(toolCall: AcpToolCallState): void {
    this.entries.setToolCall(toolCall);
    this.changed(true);
  }

  /** Takes what the agent answered when it opened the session again. */
  reopen({ modes, configOptions }: OpenedState): void {
    this.#ownModes = modes ?? this.#ownModes;
    this.setConfigOptions(configOptions ?? this.rest.configOptions);
  }

  /** The session is loaded again: its messages arrive once more. */
  clear(): void {
    this.entries.clear();
    this.set({ running: false, usage: undefined }, true);
  }

  /** Takes all settings. Where the mode is one of them, it is the current mode. */
  setConfigOptions(configOptions: readonly SessionConfigOption[]): void {
    const modes = modesIn(configOptions) ?? this.#ownModes;
    this.set({ configOptions, modes, models: modelsIn(configOptions) });
  }

  setMode(currentModeId: string): void {
    if (this.rest.modes?.currentModeId === currentModeId) return;
    this.#ownModes = this.#ownModes && { ...this.#ownModes, currentModeId };
    this.setConfigOptions(withMode(this.rest.configOptions, currentModeId));
  }

  #derived(state: string): Partial<AcpSessionState> {
    return this.#isTold ? {} : { activity: { state } };
  }

  /**
   * Says whether what the user said repeats the prompt of the running turn, which the state shows already. Where
   * several clients show a session, it may be what another one said.
   */
  #repeatsPrompt(content: ContentBlock): boolean {
    if (!isText(content)) return true;
    this.#prompt.text ??= unspaced(this.#prompt.blocks.map((block) => (isText(block) ? block.text : "")).join(""));
    return this.#prompt.text.includes(unspaced(content.text));
  }
}

function messageOf({ update }: AcpUpdateEvent): string | undefined {
  return "messageId" in update && typeof update.messageId === "string" ? update.messageId : undefined;
}

/** Agents join the blocks of a prompt, and end its lines, in their own ways. */
function unspaced(text: string): string {
  return text.replace(/\s+/g, "");
}
