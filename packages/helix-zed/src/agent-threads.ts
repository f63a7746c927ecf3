import { isWireError } from "@editwire/core";
import type { AgentLink } from "./agent-link.js";
import type { TurnResult, ZedAgentHandlers, ZedAgentOptions } from "./agent-options.js";
import type { AgentTurn, TurnEnd } from "./agent-turn.js";
import { startTimer } from "./timers.js";

/** Threads that this process remembers having created or loaded. */
const maxKnown = 10_000;

interface Lane {
  running: AgentTurn | undefined;
  readonly waiting: AgentTurn[];
}

/** Runs turns: those of one thread one after another, threads side by side. */
export class AgentThreads {
  readonly #handlers: ZedAgentHandlers;
  readonly #link: AgentLink;
  readonly #options: ZedAgentOptions;
  readonly #onEnded: (turn: AgentTurn) => void;
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Set<string>();
  readonly #running = new Map<AgentTurn, Promise<void>>();

  constructor(handlers: ZedAgentHandlers, link: AgentLink, options: ZedAgentOptions, onEnded: (turn: AgentTurn) => void) {
    this.#handlers = handlers;
    this.#link = link;
    this.#options = options;
    this.#onEnded = onEnded;
  }

  /** Takes a new turn: creates its thread, or queues it in the one that it names. */
  accept(turn: AgentTurn): void {
    if (turn.threadId === "") return this.#track(turn, this.#create(turn));
    const lane = this.#lanes.get(turn.threadId);
    if (lane === undefined) return this.#start(turn, { running: undefined, waiting: [] });
    if (lane.waiting.length >= (this.#options.maxQueued ?? 1_000)) return this.#end(turn, { type: "failed", error: "too many messages wait for this thread" });
    lane.waiting.push(turn);
    if (turn.chat.interrupt === true && lane.running !== undefined) this.cancel(lane.running, lane.running.requestId);
  }

  /** Cancels a turn that runs or waits; says so before the turn's end. */
  cancel(turn: AgentTurn | undefined, requestId: string): void {
    const runs = turn !== undefined && turn.end === undefined && !turn.signal.aborted;
    const session_id = turn?.sessionId ?? this.#options.sessionId;
    if (this.#link.newer) this.#link.send("turn_cancelled", { session_id, request_id: requestId, status: runs ? "cancelled" : "noop" });
    if (!runs) return;
    turn.cancel();
    const waiting = this.#lanes.get(turn.threadId)?.waiting ?? [];
    const place = waiting.indexOf(turn);
    if (place < 0) return;
    waiting.splice(place, 1);
    this.#end(turn, { type: "completed" });
  }

  /** Takes up a thread before its first message. */
  async open(threadId: string, requestId: string): Promise<void> {
    const { sessionId: session_id, agentName: agent_name = "editwire" } = this.#options;
    try {
      await this.#load(threadId);
      if (this.#link.newer) this.#link.send("agent_ready", { session_id, agent_name, thread_id: threadId });
    } catch (error) {
      this.#link.report(error, "open_thread");
      if (this.#link.newer) this.#link.send("thread_load_error", { session_id, acp_thread_id: threadId, request_id: requestId, error: textOf(error) });
    }
  }

  /** Cancels everything, and waits until it has ended. */
  async close(): Promise<void> {
    for (const { waiting } of this.#lanes.values()) for (const turn of waiting.splice(0)) turn.cancel();
    for (const turn of this.#running.keys()) turn.cancel();
    await Promise.all(this.#running.values());
  }

  async #create(turn: AgentTurn): Promise<void> {
    const { sessionId, agentName, signal } = turn;
    try {
      turn.threadId = (await this.#handlers.newThread?.({ sessionId, agentName, signal })) ?? crypto.randomUUID();
    } catch (error) {
      this.#link.report(error, "chat_message");
      return this.#end(turn, { type: "failed", error: textOf(error) });
    }
    turn.created = true;
    this.#know(turn.threadId);
    turn.sync();
    this.#start(turn, { running: undefined, waiting: [] });
  }

  #start(turn: AgentTurn, lane: Lane): void {
    this.#lanes.set(turn.threadId, lane);
    lane.running = turn;
    this.#track(turn, this.#run(turn).then(() => this.#next(turn.threadId, lane)));
  }

  #next(threadId: string, lane: Lane): void {
    const turn = lane.waiting.shift();
    if (turn === undefined) this.#lanes.delete(threadId);
    else this.#start(turn, lane);
  }

  async #run(turn: AgentTurn): Promise<void> {
    try {
      await this.#load(turn.threadId);
    } catch (error) {
      this.#link.report(error, "chat_message");
      return this.#end(turn, { type: "unloadable", error: textOf(error) });
    }
    this.#end(turn, await this.#prompt(turn));
  }

  /** A handler that does not return in time after a cancel is left behind: its turn has ended, and what it still sends is refused. */
  async #prompt(turn: AgentTurn): Promise<TurnEnd> {
    const { signal } = turn;
    let stop = (): void => {};
    const graceOver = new Promise<void>((resolve) => {
      const start = (): void => void (stop = startTimer(this.#options.cancelGraceMs ?? 10_000, resolve));
      if (signal.aborted) start();
      else signal.addEventListener("abort", start, { once: true });
    });
    const handled = (async (): Promise<void | TurnResult> => (signal.aborted ? undefined : this.#handlers.prompt(turn)))();
    let isLeftBehind = false;
    const tooLate = graceOver.then(() => void (isLeftBehind = true));
    try {
      const result = await Promise.race([handled, tooLate]);
      return { type: "completed", usage: result?.usage };
    } catch (error) {
      if (signal.aborted) return { type: "completed" };
      this.#link.report(error, "chat_message");
      return { type: "failed", error: textOf(error) };
    } finally {
      stop();
      handled.catch((error: unknown) => isLeftBehind && !isWireError(error) && this.#link.report(error, "chat_message"));
    }
  }

  async #load(threadId: string): Promise<void> {
    if (this.#known.has(threadId)) return;
    await this.#handlers.loadThread?.(threadId);
    this.#know(threadId);
  }

  #know(threadId: string): void {
    this.#known.add(threadId);
    for (const oldest of this.#known) {
      if (this.#known.size <= maxKnown) return;
      this.#known.delete(oldest);
    }
  }

  #end(turn: AgentTurn, end: TurnEnd): void {
    turn.finish(end);
    this.#onEnded(turn);
  }

  #track(turn: AgentTurn, running: Promise<void>): void {
    const done = running.finally(() => {
      if (this.#running.get(turn) === done) this.#running.delete(turn);
    });
    this.#running.set(turn, done);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
