import { validatorOf, WireError } from "@editwire/core";
import { Usage } from "@editwire/helix-zed-schema";
import type { AgentLink } from "./agent-link.js";
import type { TurnResult, ZedAgentHandlers, ZedAgentOptions } from "./agent-options.js";
import type { AgentTurn, TurnEnd } from "./agent-turn.js";
import { textOf } from "./error-text.js";
import { withGrace } from "./grace.js";

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
  /** Threads that are being taken up: whoever needs one waits for the same. */
  readonly #loading = new Map<string, Promise<void>>();
  readonly #running = new Map<AgentTurn, Promise<void>>();

  constructor(
    handlers: ZedAgentHandlers,
    link: AgentLink,
    options: ZedAgentOptions,
    onEnded: (turn: AgentTurn) => void,
  ) {
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
    if (lane.waiting.length >= (this.#options.maxQueued ?? 1_000))
      return this.#end(turn, { type: "failed", error: "too many messages wait for this thread" });
    lane.waiting.push(turn);
    if (turn.chat.interrupt === true && lane.running !== undefined) this.cancel(lane.running, lane.running.requestId);
  }

  /** Cancels a turn that runs or waits; says so before the turn's end. */
  cancel(turn: AgentTurn | undefined, requestId: string): void {
    const runs = turn !== undefined && turn.end === undefined && !turn.signal.aborted;
    const session_id = turn?.sessionId ?? this.#options.sessionId;
    if (this.#link.traits.cancel)
      this.#link.send("turn_cancelled", { session_id, request_id: requestId, status: runs ? "cancelled" : "noop" });
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
      if (this.#link.traits.readiness) this.#link.send("agent_ready", { session_id, agent_name, thread_id: threadId });
    } catch (error) {
      this.#link.report(error, "open_thread");
      if (this.#link.traits.errors)
        this.#link.send("thread_load_error", {
          session_id,
          acp_thread_id: threadId,
          request_id: requestId,
          error: textOf(error),
        });
    }
  }

  /** Cancels everything, and waits until it has ended. */
  async close(): Promise<void> {
    for (const { waiting } of this.#lanes.values()) for (const turn of waiting.splice(0)) turn.cancel();
    for (const turn of this.#running.keys()) turn.cancel();
    while (this.#running.size > 0) await Promise.all(this.#running.values()); // a turn whose thread was being made runs after that
  }

  async #create(turn: AgentTurn): Promise<void> {
    const { sessionId, agentName, signal } = turn;
    try {
      const made = await this.#handle(
        turn,
        async () => (await this.#handlers.newThread?.({ sessionId, agentName, signal })) ?? crypto.randomUUID(),
      );
      if (made === undefined) return this.#end(turn, { type: "failed", error: "cancelled before its thread was made" });
      this.#claim(made.result);
      turn.threadId = made.result;
    } catch (error) {
      this.#link.report(error, "chat_message");
      return this.#end(turn, { type: "failed", error: textOf(error) });
    }
    turn.created = true;
    turn.sync();
    this.#start(turn, { running: undefined, waiting: [] });
  }

  /** Takes the id of a new thread. Throws a `TypeError` for what is none, and for one that another thread has. */
  #claim(threadId: unknown): void {
    if (typeof threadId !== "string" || threadId === "")
      throw new TypeError(`newThread: expected an id, received ${threadId === "" ? "an empty text" : typeof threadId}`);
    if (this.#known.has(threadId) || this.#lanes.has(threadId))
      throw new TypeError(`newThread: another thread has the id ${threadId}`);
    this.#know(threadId);
  }

  #start(turn: AgentTurn, lane: Lane): void {
    this.#lanes.set(turn.threadId, lane);
    lane.running = turn;
    this.#track(
      turn,
      this.#run(turn).then(() => this.#next(turn.threadId, lane)),
    );
  }

  #next(threadId: string, lane: Lane): void {
    const turn = lane.waiting.shift();
    if (turn === undefined) this.#lanes.delete(threadId);
    else this.#start(turn, lane);
  }

  async #run(turn: AgentTurn): Promise<void> {
    try {
      const isLoaded =
        this.#known.has(turn.threadId) || (await this.#handle(turn, () => this.#load(turn.threadId))) !== undefined;
      if (!isLoaded) return this.#end(turn, { type: "completed" });
    } catch (error) {
      this.#link.report(error, "chat_message");
      return this.#end(turn, { type: "unloadable", error: textOf(error) });
    }
    this.#end(turn, await this.#prompt(turn));
  }

  async #prompt(turn: AgentTurn): Promise<TurnEnd> {
    const { signal } = turn;
    try {
      const answered = await this.#handle(turn, () => (signal.aborted ? undefined : this.#handlers.prompt(turn)));
      return { type: "completed", usage: this.#usageIn(answered?.result) };
    } catch (error) {
      if (signal.aborted) return { type: "completed" };
      this.#link.report(error, "chat_message");
      return { type: "failed", error: textOf(error) };
    }
  }

  /** Lets a handler work for a turn. One that does not return in time after a cancel is left behind: `undefined`. */
  #handle<T>({ signal }: AgentTurn, work: () => T | Promise<T>): Promise<{ readonly result: T } | undefined> {
    return withGrace(signal, this.#options.cancelGraceMs ?? 10_000, work, (error) =>
      this.#link.report(error, "chat_message"),
    );
  }

  /** What a turn cost. A count that is no number would keep its end from being said. */
  #usageIn(result: void | TurnResult): Usage | undefined {
    const usage = result?.usage;
    if (usage === undefined || validatorOf(Usage).fits(usage)) return usage;
    this.#link.report(
      new WireError("invalid_params", "prompt: usage does not fit, and is left out: expected numbers of tokens"),
      "message_completed",
    );
    return undefined;
  }

  #load(threadId: string): void | Promise<void> {
    if (this.#known.has(threadId)) return;
    const before = this.#loading.get(threadId);
    if (before !== undefined) return before;
    const load = async (): Promise<void> => {
      await this.#handlers.loadThread?.(threadId);
      this.#know(threadId);
    };
    const loading = load().finally(() => this.#loading.delete(threadId));
    this.#loading.set(threadId, loading);
    return loading;
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
