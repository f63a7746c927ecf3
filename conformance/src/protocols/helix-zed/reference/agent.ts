import { isObject } from "@editwire/core";
import { WebSocket } from "ws";
import type { WsClientReference } from "../../../core/protocol.js";
import {
  type AgentBehavior,
  type AgentTurn,
  hasMore,
  type Json,
  type Oddity,
  type PastMessage,
  rightAgent,
} from "./agent-behavior.js";
import { methodsFrom } from "../samples.js";
import { takeTurn } from "./agent-turn.js";

/** Dials a host and serves it until it is closed, with some of the switches replaced. */
export const dialReferenceAgent: WsClientReference["dial"] = (to, patch = {}) => {
  const agent = new ReferenceAgent(to, { ...rightAgent, ...patch });
  agent.dial();
  return agent;
};

/** Messages that hosts send. The agent ignores those for which it has nothing to do. */
const fromHost = methodsFrom("host", "notification");

interface Lane {
  running: AgentTurn | undefined;
  readonly waiting: AgentTurn[];
}

class ReferenceAgent {
  readonly #turns = new Map<string, AgentTurn>();
  readonly #threads = new Set<string>();
  /** The user's messages in each thread. */
  readonly #past: PastMessage[] = [];
  readonly #lanes = new Map<string, Lane>();
  readonly #said: Json[] = [];
  #unsent: unknown[] = [];
  #socket: WebSocket | undefined;
  #failures = -1;
  #pings = 0;
  #created = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  readonly #to: { readonly url: string; readonly token: string };
  readonly #behavior: AgentBehavior;

  constructor(to: { readonly url: string; readonly token: string }, behavior: AgentBehavior) {
    this.#to = to;
    this.#behavior = behavior;
  }

  dial(): void {
    const behavior = this.#behavior;
    const to = this.#to;
    const socket = new WebSocket(behavior.url(to.url), {
      headers: behavior.headers(to.token),
      perMessageDeflate: false,
      autoPong: false,
    });
    this.#socket = socket;
    socket.once("open", () => {
      this.#failures = -1;
      const unsent = this.#unsent;
      this.#unsent = [];
      this.#say(behavior.hello(this.#id, [...this.#said]));
      for (const one of unsent) this.#write(one);
    });
    socket.on("message", (data, isBinary) => this.#read((data as Buffer).toString("utf8"), isBinary));
    socket.on("ping", (data) => {
      const pong = behavior.pong(data);
      if (pong !== undefined && socket.readyState === socket.OPEN) socket.pong(pong);
      this.#dieOf(++this.#pings === 1 ? "ping" : "second-ping");
    });
    // A failed dial is reported by its close event.
    socket.on("error", () => {});
    socket.once("close", () => this.#redial());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { abort } of this.#turns.values()) abort.abort();
    this.#socket?.terminate();
  }

  get #id(): string {
    return new URL(this.#to.url).searchParams.get("session_id") ?? "";
  }

  #redial(): void {
    if (!this.#behavior.keepsThreads) this.#threads.clear();
    if (!this.#behavior.keepsPast) this.#past.length = 0;
    // The loss of a good connection is not a failed dial.
    this.#failures += 1;
    const wait = this.#closed ? undefined : this.#behavior.redialMs(this.#failures);
    if (wait !== undefined) this.#timer = setTimeout(() => this.dial(), wait);
  }

  /** Ends for good if this is more than it can take. */
  #dieOf(what: Oddity): void {
    if (!this.#behavior.survives(what)) this.close();
  }

  #read(text: string, isBinary: boolean): void {
    const message = isBinary ? undefined : jsonOf(text);
    if (message === undefined) return this.#dieOf("no-json");
    if (!isObject(message)) return this.#dieOf("no-object");
    const { type, data } = message;
    if (typeof type !== "string" || !fromHost.includes(type)) return this.#dieOf("unknown-type");
    if (!isObject(data)) return this.#dieOf("bad-data");
    if (type === "chat_message") return this.#chat(data);
    if (type === "cancel_current_turn") this.#cancel(data);
  }

  #cancel(data: Json): void {
    const turn = this.#turns.get(String(data["request_id"]));
    const running = turn?.ended === false ? turn : undefined;
    const said = this.#behavior.cancelled(running, data["request_id"], this.#id);
    this.#say(said);
    if (said.length > 0) running?.abort.abort();
  }

  #chat(data: Json): void {
    const behavior = this.#behavior;
    if (!behavior.isChat(data)) return this.#dieOf("bad-data");
    if (hasMore(data)) this.#dieOf("more-fields");
    if (this.#closed) return;
    const requestId = String(data["request_id"]);
    if (this.#turns.has(requestId) && !behavior.answersAgain) return;
    const known = behavior.threadOf(data);
    const isNew = known === undefined || (!behavior.keepsThreads && !this.#threads.has(known));
    const turn: AgentTurn = {
      session: behavior.sessionOf(data, this.#id),
      requestId,
      text: String(data["message"]),
      thread: isNew ? behavior.threadId(++this.#created) : known,
      messages: [],
      abort: new AbortController(),
      ended: false,
    };
    this.#turns.set(requestId, turn);
    const refusal = isNew || this.#threads.has(turn.thread) ? undefined : behavior.unknownThread(turn);
    if (refusal !== undefined) return this.#say(refusal);
    this.#threads.add(turn.thread);
    if (isNew) this.#say(behavior.created(turn));
    const lane = this.#lanes.get(behavior.lane(turn)) ?? { running: undefined, waiting: [] };
    this.#lanes.set(behavior.lane(turn), lane);
    lane.waiting.push(turn);
    if (lane.running === undefined) return void this.#run(lane);
    this.#say(behavior.queued(turn));
    if (data["interrupt"] === true && behavior.interrupts) lane.running.abort.abort();
  }

  /** Runs what waits in a lane, one after another. */
  async #run(lane: Lane): Promise<void> {
    const behavior = this.#behavior;
    for (;;) {
      const turn = lane.waiting.shift();
      lane.running = turn;
      if (turn === undefined) return;
      const past = behavior.past(this.#past, turn.thread);
      this.#past.push({ thread: turn.thread, text: turn.text });
      const isFine = await takeTurn({ behavior, turn, past, say: (events) => this.#say(events) });
      turn.ended = true;
      this.#say(behavior.finished(turn, !isFine));
    }
  }

  #say(events: readonly Json[]): void {
    for (const event of events) {
      this.#said.push(event);
      for (const one of this.#behavior.outgoing(event)) this.#write(one);
    }
  }

  #write(said: unknown): void {
    if (this.#closed) return;
    const behavior = this.#behavior;
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) behavior.write(socket, behavior.encode(said));
    else if (behavior.keepsUnsent) this.#unsent.push(said);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
