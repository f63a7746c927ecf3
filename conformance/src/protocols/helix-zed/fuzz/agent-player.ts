import { isObject, methodOf } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import { fill, LONG, SESSION, TEXT_ID, THREAD } from "../../../fuzz/placeholders.js";
import { type Plays, StepPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { sessionOf } from "../as-agent.js";
import { asHost, type TestTurn } from "../as-host.js";
import { allRead, socketOf } from "../../../packs/socket.js";
import { table } from "../table.js";
import { where } from "../../../trace/pattern.js";

interface Running {
  readonly turn: TestTurn;
  readonly message: string;
  /** The messages of the answer; `undefined` where nobody can say. */
  expected: readonly string[] | undefined;
}
interface Chat {
  readonly id: string;
  thread: string | undefined;
  readonly turns: Running[];
}

/** Prompts to the agent, and its expected answers. */
export const agentBehaviors: Readonly<
  Record<string, { readonly args?: Record<string, unknown>; readonly answer?: readonly string[] }>
> = {
  text: { answer: ["ok"] },
  chunks: { args: { count: 3 }, answer: ["1 2 3"] },
  messages: { answer: ["first", "second"] },
  slow: { args: { ms: 20 }, answer: ["working"] },
  empty: { answer: [] },
  error: {},
};

const TURN_MS = 60_000;
/** Agents dial later and later where connections do not last. */
const MAX_DROPS = 2;
const WITNESS = { args: { count: 8 }, answer: ["1 2 3 4 5 6 7 8"] };
const ends = ["message_completed", "chat_response_error", "thread_load_error"];
const LENGTH = 1024 * 1024;

/** Plays the host against an agent, step by step. Sessions of the life cycle are known by their number. */
export function agentPlayer(setting: FuzzSetting): FuzzPlayer {
  return new AgentPlayer(setting);
}

class AgentPlayer extends StepPlayer {
  readonly #host: ReturnType<typeof asHost>;
  readonly #socket: ReturnType<typeof socketOf>;
  readonly #chats = new Map<number, Chat>();
  #witness: Chat | undefined;
  #last: unknown;
  #drops = 0;
  protected readonly plays: Plays = {
    message: (step) => this.#anything(() => this.#message(step["message"])),
    again: () => this.#anything(() => (this.#last === undefined ? undefined : void this.talk.send.invalid(this.#last))),
    text: (step) => this.#anything(() => this.talk.send.bytes(String(step["text"]))),
    binary: (step) => this.#anything(() => this.#socket.binary(Buffer.from(String(step["text"])))),
    drop: (step) => this.#drop(Number(step["refusals"] ?? 0)),
    chat: async (step) => {
      const chat = this.#chatOf(step);
      const behavior = String(step["behavior"]);
      const interrupts = step["interrupt"] === true;
      // Agents of the specification go on with what runs.
      if (interrupts) this.#unsure(chat);
      await this.#send(chat, behavior, agentBehaviors[behavior] ?? {}, interrupts ? { interrupt: true } : {});
    },
    finish: (step) => this.#finish(this.#chatOf(step)),
    cancel: (step) => {
      const [running] = this.#chatOf(step).turns;
      if (running === undefined) return;
      running.expected = undefined;
      this.talk.send.notify("cancel_current_turn", { request_id: running.turn.requestId });
    },
    open: (step) => this.talk.send.notify("open_thread", { acp_thread_id: this.#chatOf(step).thread }),
    ping: () => allRead(this.talk),
  };

  constructor(setting: FuzzSetting) {
    super(setting);
    this.#host = asHost(this.talk);
    this.#socket = socketOf(this.talk);
  }

  get isWorn(): boolean {
    return this.#drops > 0;
  }

  async finish(): Promise<void> {
    for (const chat of this.#chats.values()) while (chat.turns.length > 0) await this.#finish(chat);
    if (this.#witness !== undefined) await this.#finish(this.#witness, "another session was harmed");
    // A fault in one session must not keep the next one from working.
    const fresh = this.#newChat();
    await this.#send(fresh, "text", agentBehaviors["text"] ?? {});
    await this.#finish(fresh);
    await allRead(this.talk);
  }

  #newChat(): Chat {
    return { id: this.#host.session(), thread: undefined, turns: [] };
  }

  #chatOf({ session: number }: FuzzStep): Chat {
    const chat = this.#chats.get(Number(number)) ?? this.#newChat();
    this.#chats.set(Number(number), chat);
    return chat;
  }

  /** Sends a user's message, and waits for the thread: before there is one a host may say no more. */
  async #send(
    chat: Chat,
    behavior: string,
    { args, answer }: (typeof agentBehaviors)[string],
    more = {},
  ): Promise<void> {
    const told = this.say(behavior, args);
    const message = told ?? "Say ok.";
    const turn = this.#host.chat(chat.id, message, { acp_thread_id: chat.thread ?? null, ...more });
    chat.turns.push({ turn, message, expected: told === undefined ? undefined : answer });
    chat.thread ??= await turn.thread();
  }

  async #ended(requestId: string): Promise<void> {
    const isEnd = where(ends.join(" or "), (type: unknown) => ends.includes(String(type)));
    await this.talk.expect.message({ event_type: isEnd, data: { request_id: requestId } }, { deadline: TURN_MS });
  }

  async #finish(chat: Chat, harm = "the answer is not what was asked for"): Promise<void> {
    const [running] = chat.turns.splice(0, 1);
    if (running === undefined) return;
    const { turn, expected } = running;
    if (expected === undefined) return this.#ended(turn.requestId);
    const said = await turn.answer();
    // A prompt that waited in a thread also received the end of the previous turn.
    const actual = expected.length === 0 ? [] : said.slice(-expected.length);
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      throw new ExpectationError("mismatch", harm, { expected: expected.join("\n\n"), actual: said });
  }

  #unsure({ turns }: Chat): void {
    turns.forEach((running) => void (running.expected = undefined));
  }

  /**
   * Messages under way may be lost with the connection. A host sends the oldest message once more, and waits for
   * nothing here.
   */
  async #drop(refusals: number): Promise<void> {
    if (this.#drops === MAX_DROPS) return;
    this.#drops += 1;
    const lost = [...this.#chats].filter(([, { turns }]) => turns.length > 0);
    if (!(await this.#host.reconnect(refusals))) return;
    for (const [number, { id, thread, turns }] of lost) {
      this.#chats.delete(number);
      const [oldest] = turns;
      if (oldest !== undefined)
        this.#host.chat(id, oldest.message, { request_id: oldest.turn.requestId, acp_thread_id: thread ?? null });
    }
    this.#witness = undefined;
    await allRead(this.talk);
  }

  /** The turn of another session, which goes on beside what is wrong. */
  async #beWitnessed(): Promise<void> {
    if (this.#witness !== undefined) return;
    this.#witness = this.#newChat();
    await this.#send(this.#witness, "chunks", WITNESS);
  }

  async #anything(how: () => Promise<void> | void): Promise<void> {
    await this.#beWitnessed();
    await how();
    await allRead(this.talk);
  }

  /** A message that may be wrong. One that is right is answered before anything else happens. */
  async #message(template: unknown): Promise<void> {
    const chat = this.#chatOf({ do: "message", session: 0 });
    if (chat.thread === undefined) {
      await this.#send(chat, "text", agentBehaviors["text"] ?? {});
      await this.#finish(chat);
    }
    const fresh = this.#host.request();
    const content = fill(template, {
      [SESSION]: chat.id,
      [THREAD]: chat.thread,
      [TEXT_ID]: fresh,
      [LONG]: "x".repeat(LENGTH),
    });
    const data = isObject(content) && isObject(content["data"]) ? content["data"] : {};
    const { request_id: asked } = data;
    // No two messages have the same id, however odd it is.
    if (typeof asked === "string" && asked !== "" && asked !== fresh) data["request_id"] = `${asked}${fresh}`;
    this.#host.adopt(String(sessionOf(data)));
    this.#last = content;
    this.talk.send.invalid(content);
    if (isRight(content)) await this.#ended(String(data["request_id"]));
  }
}

/** A chat_message that every agent has to answer: valid, and in no thread that it might not know. */
function isRight(message: unknown): boolean {
  if (!isObject(message) || message["type"] !== "chat_message" || message["event_type"] !== undefined) return false;
  const { data } = message;
  if (!isObject(data) || (data["acp_thread_id"] ?? "") !== "") return false;
  return methodOf(table, "chat_message")?.params.safeParse({ ...data, acp_thread_id: null }).success === true;
}
