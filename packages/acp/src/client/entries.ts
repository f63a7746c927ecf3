import type { ContentBlock, PlanEntry } from "@editwire/acp-schema";
import { Entries, type EntryId, type NewEntry } from "@editwire/session";
import { isText, type AcpToolCallState } from "./events.js";

/** One thing that a session shows, in the order in which it began. */
export type AcpEntry = EntryId &
  /**
   * Text of one speaker, joined verbatim. Other entries end it: text that follows them begins a new one. So does text
   * with another `messageId`, and text that follows more than 1,048,576 characters.
   */
  (
    | { readonly type: "message"; readonly role: "user" | "assistant"; readonly text: string }
    | { readonly type: "thought"; readonly text: string }
    | { readonly type: "tool_call"; readonly toolCall: AcpToolCallState }
    /** The latest plan, at the place of the first one of its turn. */
    | { readonly type: "plan"; readonly entries: readonly PlanEntry[] }
    /** Anything said or thought that is not text. */
    | { readonly type: "content"; readonly role: "user" | "assistant"; readonly content: ContentBlock }
  );

/** The visible entries of a session, with the plan of each turn. */
export class ClientEntries extends Entries<AcpToolCallState, AcpEntry> {
  /** The place of the plan that belongs to the running turn. */
  #plan: number | undefined;

  /** The `messageId` of the last message. */
  #message: string | undefined;

  /** Adds a prompt. Its text is never joined to the message before it, which an agent may have left unanswered. */
  addPrompt([first, ...others]: readonly ContentBlock[]): void {
    this.#plan = this.#message = undefined;
    if (first === undefined) return;
    if (isText(first)) this.add({ type: "message", role: "user", text: first.text });
    else this.addBlock("user", first);
    for (const block of others) this.addBlock("user", block);
  }

  /** Adds what somebody said: text to the last text of the same speaker, anything else by itself. */
  addBlock(role: "user" | "assistant", content: ContentBlock, chars?: number, messageId?: string): void {
    if (role === "user") this.#plan = undefined; // a message of the user begins a turn
    if (isText(content)) this.addMessage(role, content.text, messageId);
    else this.add({ type: "content", role, content }, chars);
  }

  /** Adds text of a message. Agents that name their messages by `messageId` say where one begins. */
  addMessage(role: "user" | "assistant", text: string, messageId?: string): void {
    const begins = messageId !== undefined && messageId !== this.#message;
    this.#message = messageId;
    if (begins) this.add({ type: "message", role, text });
    else this.addText("message", role, text);
  }

  /** Adds a plan, or puts it in the place of the one before it in the same turn. */
  setPlan(entries: readonly PlanEntry[], chars: number): void {
    const entry: NewEntry<AcpEntry> = { type: "plan", entries };
    if (this.#plan === undefined || this.at(this.#plan) === undefined) this.#plan = this.add(entry, chars);
    else this.replace(this.#plan, entry, chars);
  }
}
