import type { ErrorContent, FileModificationContent, Incident, ProgressContent } from "@editwire/kaiak-schema";
import { Entries, EntriesState, type EntryId } from "@editwire/session";
import type { KaiakToolCallState, KaiakUpdateEvent } from "./events.js";

/** One thing that a view shows. */
export type KaiakEntry = EntryId &
  (
    | { readonly type: "request"; readonly incidents: readonly Incident[] }
    | { readonly type: "message" | "thought"; readonly text: string }
    | { readonly type: "tool_call"; readonly toolCall: KaiakToolCallState }
    | { readonly type: "file_modification"; readonly modification: FileModificationContent }
    | { readonly type: "error"; readonly error: ErrorContent }
  );

/** All that a view of a session renders. */
export interface KaiakSessionState {
  /**
   * At most 10,000 entries with 2 Mi characters together; the oldest ones are dropped first. A text of more than 1 Mi
   * characters continues in another entry.
   */
  readonly entries: readonly KaiakEntry[];
  /** True while a turn runs. */
  readonly running: boolean;
  /** The last progress of the running turn, or of the last one. */
  readonly progress: ProgressContent | undefined;
}

/** The state of a session, which takes what is received and what this side does. */
export class ClientState extends EntriesState<KaiakSessionState, Entries<KaiakToolCallState, KaiakEntry>> {
  /** True when the server called its text whole: further text begins a new entry. */
  #isWhole = false;

  /** `onError` gets what a listener throws. */
  constructor(onError: (error: unknown) => void) {
    super({ entries: [], running: false, progress: undefined }, new Entries(), onError);
  }

  start(incidents: readonly Incident[]): void {
    this.entries.forgetToolCalls();
    this.entries.add({ type: "request", incidents });
    this.set({ running: true, progress: undefined }, true);
  }

  end(): void {
    this.#isWhole = true;
    this.set({ running: false });
  }

  /** Takes an event whose message has `chars` characters; by default, they are counted. */
  receive(event: KaiakUpdateEvent, chars?: number): void {
    const { entries } = this;
    switch (event.type) {
      case "text":
        this.#addText("message", event.text);
        this.#isWhole = !event.partial;
        return;
      case "thought":
        return this.#addText("thought", event.text);
      case "progress":
        return this.set({ progress: event.progress });
      case "tool_call":
        entries.setToolCall(event.toolCall, chars);
        return this.changed(true);
      case "file_modification":
        entries.add({ type: "file_modification", modification: event.modification }, chars);
        return this.changed(true);
      case "error":
        entries.add({ type: "error", error: event.error }, chars);
        return this.changed(true);
      case "question":
      case "system":
        return;
    }
  }

  #addText(type: "message" | "thought", text: string): void {
    if (this.#isWhole) this.entries.add({ type, text });
    else this.entries.addText(type, undefined, text);
    this.#isWhole = false;
    this.changed(true);
  }
}
