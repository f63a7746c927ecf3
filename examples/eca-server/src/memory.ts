import { RemoteError } from "@editwire/core";
import type { EcaServerSession, EcaServer } from "@editwire/eca";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";

/** What is kept of a chat for the model. */
export interface ChatMemory {
  /** The conversation without the system prompt. */
  readonly history: ChatCompletionMessageParam[];
  /**
   * Where each prompt begins in it, in their order. Not all are said to the model: commands are not, nor is what it
   * refused.
   */
  readonly prompts: Map<string, { readonly at: number; readonly said: boolean }>;
  readonly used: { input: number; output: number; cost: number };
  /**
   * Settles when the last prompt has released the conversation. That may be after its turn, while a program still ends.
   */
  busy: Promise<void>;
}

const memories = new WeakMap<EcaServerSession, ChatMemory>();

/** The memory of a chat. */
export function memoryOf(chat: EcaServerSession): ChatMemory {
  let memory = memories.get(chat);
  if (memory === undefined)
    memories.set(
      chat,
      (memory = { history: [], prompts: new Map(), used: { input: 0, output: 0, cost: 0 }, busy: Promise.resolve() }),
    );
  return memory;
}

/** What editors of 2026 do to a chat: they empty it, take prompts back, and fork it. What a chat has cost stays. */
export const memoryHandlers = {
  async clearSession(chat) {
    const memory = memoryOf(chat);
    await memory.busy;
    memory.history.length = 0;
    memory.prompts.clear();
  },
  async rollbackSession(chat, prompts, include) {
    if (include.includes("tools")) {
      throw RemoteError.invalidParams(
        'chat/rollback: what tools changed cannot be undone by this server; include "messages" alone',
        { include },
      );
    }
    const memory = memoryOf(chat);
    await memory.busy;
    for (const id of prompts) {
      memory.history.length = Math.min(memory.history.length, memory.prompts.get(id)?.at ?? Infinity);
      memory.prompts.delete(id);
    }
  },
  forkSession(chat, fork, prompts) {
    const [from, to] = [memoryOf(chat), memoryOf(fork)];
    const kept = new Set(prompts);
    for (const [id, prompt] of from.prompts) if (kept.has(id)) to.prompts.set(id, prompt);
    // The last prompt goes along without its answer. One that was stopped before it began is not there.
    const last = from.prompts.get(prompts.at(-1) ?? "");
    const next = [...from.prompts].find(([id]) => !kept.has(id))?.[1].at;
    to.history.push(...from.history.slice(0, last === undefined ? next : last.at + (last.said ? 1 : 0)));
  },
} satisfies Partial<EcaServer>;
