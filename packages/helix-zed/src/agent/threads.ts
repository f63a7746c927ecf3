import { RemoteError } from "@editwire/core";
import { LatestMap } from "@editwire/session";
import type { HelixZedAgent, HelixZedAgentOptions } from "./api.js";
import type { AgentLink, TurnEnd } from "./link.js";
import type { AgentTurn } from "./turn.js";

/** Threads that this process remembers having created or loaded. */
const maxKnown = 10_000;

/** The end of a turn that ran when the agent was closed. */
const closed: TurnEnd = { type: "closed", error: "The agent was closed before the turn had ended" };

interface Lane {
  running: AgentTurn | undefined;
  readonly waiting: AgentTurn[];
}

/** Runs turns: those of one thread one after another, threads side by side. */
export class AgentThreads {
  readonly #handlers: HelixZedAgent;
  readonly #link: AgentLink;
  readonly #options: HelixZedAgentOptions;
  readonly #onEnded: (turn: AgentTurn) => void;
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new LatestMap<string, true>(maxKnown);
  /** Threads that are being loaded: everything that needs one waits for the same call. */
  readonly #loading = new Map<string, Promise<void>>();
  readonly #running = new Map<AgentTurn, Promise<void>>();
  /** The turns that were cancelled because the agent was closed. */
  readonly #closed = new WeakSet<AgentTurn>();

  constructor(
    handlers: HelixZedAgent,
    link: AgentLink,
    options: HelixZedAgentOptions,
    onEnded: (turn: AgentTurn) => void,
  ) {
    this.#handlers = handlers;
    this.#link = link;
    this.#options = options;
    this.#onEnded = onEnded;
  }

  /** Takes a new turn: creates its thread, or queues it in the one that it names. */
  accept(turn: AgentTurn): void {
    const lane = this.#lanes.get(turn.threadId);
    if (lane === undefined) return this.#start(turn, { running: undefined, waiting: [] });
    if (lane.waiting.length >= (this.#options.maxWaiting ?? 1_000))
      return this.#end(turn, { type: "failed", error: "too many messages wait for this thread" });
    lane.waiting.push(turn);
    if (turn.chat.interrupt === true && lane.running !== undefined) this.cancel(lane.running, lane.running.requestId);
  }

  /** Cancels a turn that runs or waits. `turn_cancelled` is sent before the turn's end. */
  cancel(turn: AgentTurn | undefined, requestId: string): void {
    const runs = turn !== undefined && turn.end === undefined && !turn.signal.aborted;
    const session_id = turn?.sessionId ?? this.#options.sessionId;
    if (this.#link.traits.cancel)
      this.#link.send("turn_cancelled", { session_id, request_id: requestId, status: runs ? "cancelled" : "noop" });
    if (!runs) return;
    turn.machine.cancel();
    const waiting = this.#lanes.get(turn.threadId)?.waiting ?? [];
    const place = waiting.indexOf(turn);
    if (place < 0) return;
    waiting.splice(place, 1);
    this.#end(turn, { type: "completed" });
  }

  /** Loads a thread before its first message. */
  async open(threadId: string, requestId: string): Promise<void> {
    const { sessionId: session_id, agentName: agent_name = "editwire" } = this.#options;
    const { traits } = this.#link;
    try {
      await this.#load(threadId);
      if (traits.readiness) this.#link.send("agent_ready", { session_id, agent_name, thread_id: threadId });
    } catch (error) {
      this.#link.report(error, "open_thread");
      const ids = { session_id, acp_thread_id: threadId, request_id: requestId };
      if (traits.errors) this.#link.send("thread_load_error", { ...ids, error: textFor(error) });
    }
  }

  /** Cancels everything, and waits until it has ended. */
  async close(): Promise<void> {
    for (const { waiting } of this.#lanes.values()) for (const turn of waiting.splice(0)) turn.machine.cancel();
    for (const turn of this.#running.keys()) {
      if (!turn.machine.cancelled) this.#closed.add(turn);
      turn.machine.cancel();
    }
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Runs a turn, and then the next one of its thread. A turn without a thread gets one, with this lane. */
  #start(turn: AgentTurn, lane: Lane): void {
    if (turn.threadId !== "") this.#lanes.set(turn.threadId, lane);
    lane.running = turn;
    const running = this.#run(turn, lane).finally(() => this.#running.delete(turn));
    this.#running.set(turn, running);
  }

  async #run(turn: AgentTurn, lane: Lane): Promise<void> {
    await turn.machine.run(() => this.#answer(turn, lane), {
      cancelGraceMs: this.#options.cancelGraceMs ?? 10_000,
      onError: (error) => this.#link.report(error, "chat_message"),
      end: (outcome) => {
        if (outcome.type === "returned") return this.#end(turn, outcome.result);
        if (outcome.type === "cancelled")
          return this.#end(turn, this.#closed.has(turn) ? closed : { type: "completed" });
        this.#link.report(outcome.error, "chat_message");
        this.#end(turn, { type: "failed", error: textFor(outcome.error) });
      },
    });
    const next = lane.waiting.shift();
    if (next !== undefined) this.#start(next, lane);
    else if (this.#lanes.get(turn.threadId) === lane) this.#lanes.delete(turn.threadId);
  }

  /** Finds the turn's thread, and has the prompt answered there. */
  async #answer(turn: AgentTurn, lane: Lane): Promise<TurnEnd> {
    if (turn.threadId === "") await this.#create(turn, lane);
    else {
      try {
        await this.#load(turn.threadId);
      } catch (error) {
        this.#link.report(error, "chat_message");
        return { type: "unloadable", error: textFor(error) };
      }
    }
    if (!turn.signal.aborted) await this.#handlers.prompt(turn);
    return { type: "completed" };
  }

  /** Creates a thread for a turn. A turn that ended without waiting for it has none. */
  async #create(turn: AgentTurn, lane: Lane): Promise<void> {
    const { sessionId, agentName, signal } = turn;
    const threadId = (await this.#handlers.newThread?.({ sessionId, agentName, signal })) ?? crypto.randomUUID();
    this.#claim(threadId);
    if (turn.machine.state !== "open") return;
    turn.threadId = threadId;
    this.#lanes.set(threadId, lane);
    turn.created = true;
    turn.sync();
  }

  /** Takes the id of a new thread. Throws a `TypeError` for another value, and for an id that another thread has. */
  #claim(threadId: unknown): void {
    if (typeof threadId !== "string" || threadId === "")
      throw new TypeError(
        `newThread: expected an id, received ${threadId === "" ? "an empty string" : typeof threadId}`,
      );
    if (this.#known.has(threadId) || this.#lanes.has(threadId))
      throw new TypeError(`newThread: another thread has the id ${threadId}`);
    this.#known.set(threadId, true);
  }

  #load(threadId: string): void | Promise<void> {
    if (this.#known.has(threadId)) return;
    const before = this.#loading.get(threadId);
    if (before !== undefined) return before;
    const load = async (): Promise<void> => {
      await this.#handlers.loadThread?.(threadId);
      this.#known.set(threadId, true);
    };
    const loading = load().finally(() => this.#loading.delete(threadId));
    this.#loading.set(threadId, loading);
    return loading;
  }

  #end(turn: AgentTurn, end: TurnEnd): void {
    turn.finish(end);
    this.#onEnded(turn);
  }
}

/**
 * The text of an error that the host may read: that of an error which a handler threw for it, and none of any other.
 */
function textFor(error: unknown): string {
  return RemoteError.of(error).message || RemoteError.internal().message;
}
