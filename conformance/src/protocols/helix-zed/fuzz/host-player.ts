import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import { fill, LONG, PROMPT, SESSION, THREAD } from "../../../fuzz/placeholders.js";
import { type Plays, settled, SteeringPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { describePattern, where } from "../../../trace/pattern.js";
import { asAgent, type HostTurn, sessionOf } from "../as-agent.js";
import { type Expected, fits, isSettled } from "../cases/host/reported.js";
import type { SessionReport } from "../host-role.js";
import { allRead, socketOf } from "../../../packs/socket.js";

const isOver = where("any state but waiting", (state: unknown) => state !== "waiting");

/** How a turn ends. A message of the 2026 dialect, which not every host knows, reports every end but the first one. */
export type Ending = "completed" | "failed" | "cancelled";

interface Answer {
  readonly turn: HostTurn;
  /** The texts of the answer's messages, in the order in which they began. */
  readonly texts: Map<string, string>;
  /** The expected report once the interaction is over. */
  expected: Expected;
}
interface Chat {
  readonly id: string;
  /** The message that is with the agent. */
  answer: Answer | undefined;
  /** The user's messages that the agent has not seen, each with the promise of its end. */
  readonly unseen: Map<string, Promise<unknown>>;
  readonly past: Answer[];
}

const LENGTH = 1024 * 1024;
const POLLS = 150;
const POLL_MS = 15;

/**
 * Plays the agent against a host that can be steered, step by step. Sessions of the life cycle are known by their
 * number.
 */
export function hostPlayer(setting: FuzzSetting): FuzzPlayer {
  return new HostPlayer(setting);
}

class HostPlayer extends SteeringPlayer {
  readonly #agent: ReturnType<typeof asAgent>;
  readonly #socket: ReturnType<typeof socketOf>;
  readonly #chats = new Map<number, Chat>();
  readonly #asked = new Set<unknown>();
  /** The sessions in which anything may have been said. */
  readonly #victims: Chat[] = [];
  #messages = 0;
  #witness: Chat | undefined;
  #last: unknown;
  protected readonly plays: Plays = {
    message: (step) => this.#anything(() => this.#message(step["message"])),
    again: () => this.#anything(() => (this.#last === undefined ? undefined : void this.talk.send.invalid(this.#last))),
    text: (step) => this.#anything(() => this.talk.send.bytes(String(step["text"]))),
    binary: (step) => this.#anything(() => this.#socket.binary(Buffer.from(String(step["text"])))),
    drop: () => this.#dial("drop"),
    redial: () => this.#dial("keep"),
    ping: () => allRead(this.talk),
    chat: (step) => this.#send(this.#chatOf(step)),
    thread: (step) =>
      this.#answerOf(this.#chatOf(step)).turn.created(
        undefined,
        step["name"] === "thread_created" ? "thread_created" : "context_created",
      ),
    say: (step) => this.#say(this.#chatOf(step), Number(step["message"]), String(step["content"])),
    end: (step) => this.#end(this.#chatOf(step), step["how"] as Ending),
    late: (step) => {
      this.#chatOf(step).past.at(-1)?.turn.added("Too late");
      // The user's next message takes another way, and must not overtake it.
      return allRead(this.talk);
    },
    twice: (step) => this.#chatOf(step).past.at(-1)?.turn.completed(),
    event: (step) =>
      this.#agent.event(String(step["name"]), { session_id: "ses-of-nobody", ...(step["params"] as object) }),
  };

  constructor(setting: FuzzSetting) {
    super(setting);
    this.#agent = asAgent(this.talk);
    this.#socket = socketOf(this.talk);
  }

  async finish(): Promise<void> {
    // Turns and threads that the messages opened are over now.
    for (const { answer } of this.#victims) {
      if (answer === undefined) continue;
      answer.turn.created(answer.turn.thread);
      answer.turn.completed();
      await settled(answer.turn.done);
    }
    for (const chat of this.#chats.values()) {
      if (this.#victims.includes(chat)) continue;
      while (chat.answer !== undefined) await this.#end(chat, "completed");
      await this.#look(chat);
    }
    if (this.#witness !== undefined) {
      this.#say(this.#witness, 0, "one two");
      await this.#end(this.#witness, "completed");
      await this.#look(this.#witness, "another session was harmed");
    }
    // A fault in one session must not keep the next one from working.
    const fresh = this.#newChat();
    await this.#send(fresh);
    this.#say(fresh, 0, "Still here");
    await this.#end(fresh, "completed");
    await this.#look(fresh);
    await allRead(this.talk);
  }

  #newChat(): Chat {
    return { id: this.#agent.session(), answer: undefined, unseen: new Map(), past: [] };
  }

  #chatOf({ session: number }: FuzzStep): Chat {
    const chat = this.#chats.get(Number(number)) ?? this.#newChat();
    this.#chats.set(Number(number), chat);
    return chat;
  }

  #answerOf({ answer }: Chat): Answer {
    if (answer === undefined) throw new TypeError("no message waits for an answer");
    return answer;
  }

  /** Waits for the next message of a session; one that is sent once more is not another. */
  async #next(chat: Chat): Promise<void> {
    const { id, unseen } = chat;
    const isNew = where(
      `of the session ${id} with a new request_id`,
      (data: unknown) => isObject(data) && sessionOf(data) === id && !this.#asked.has(data["request_id"]),
    );
    const expected = this.talk.expect.notify("chat_message", isNew);
    // A failed send reports its reason before the wait for it times out.
    const ask = await Promise.race([expected, ...[...unseen.values()].map((done) => done.then(() => expected))]);
    const text = String(ask.params["message"]);
    const done = unseen.get(text);
    if (done === undefined)
      throw new ExpectationError("mismatch", "the host sent a message that no user has", {
        expected: [...unseen.keys()].join(", "),
        actual: text,
      });
    unseen.delete(text);
    this.#asked.add(ask.params["request_id"]);
    chat.answer = { turn: this.#agent.turn(id, ask, done), texts: new Map(), expected: {} };
  }

  async #send(chat: Chat): Promise<void> {
    const message = `Hello ${++this.#messages}`;
    chat.unseen.set(message, this.steering.tell("send", { session: chat.id, agent: this.#socket.id, message }));
    if (chat.answer === undefined) await this.#next(chat);
  }

  #say(chat: Chat, number: number, content: string): void {
    const { turn, texts } = this.#answerOf(chat);
    const id = `ai_msg_${turn.requestId}_${number}`;
    if (turn.thread === "no-thread") turn.created();
    turn.added(content, id);
    texts.set(id, content);
  }

  async #over(chat: Chat): Promise<void> {
    chat.past.push(this.#answerOf(chat));
    chat.answer = undefined;
    if (chat.unseen.size > 0) await this.#next(chat);
  }

  async #end(chat: Chat, how: Ending): Promise<void> {
    const answer = this.#answerOf(chat);
    const { turn, texts } = answer;
    const ids = { session_id: chat.id, request_id: turn.requestId };
    if (turn.thread === "no-thread") turn.created();
    if (how === "failed") this.#agent.event("chat_response_error", { ...ids, error: "The model cannot be reached" });
    if (how === "cancelled") this.#agent.event("turn_cancelled", { ...ids, status: "cancelled" });
    turn.completed();
    const response = [...texts.values()].join("\n\n");
    // An answer without a word is an error to some hosts, and not every host knows how else a turn may end.
    const isComplete = how === "completed" && response !== "";
    answer.expected = isComplete ? { response, state: "complete" } : { state: isOver };
    await (how === "completed" ? turn.done : settled(turn.done));
    await this.#over(chat);
  }

  /** The host reported the text as it was sent, as far as the host reports texts. */
  async #look({ id: session, past }: Chat, harm = "the host keeps another text than the agent sent"): Promise<void> {
    if (!(await this.steering.can("report", { session }))) return;
    for (const { turn, expected } of past) {
      for (let polls = 0; ; polls++) {
        const report = ((await this.steering.tell("report", { session })) ?? {}) as SessionReport;
        if (fits(report, turn, expected)) break;
        if (polls === POLLS)
          throw new ExpectationError("mismatch", harm, {
            expected: describePattern({ request_id: turn.requestId, ...expected }),
            actual: report.interactions,
          });
        await this.talk.pace(POLL_MS);
      }
    }
  }

  async #dial(old: "drop" | "keep"): Promise<void> {
    await this.#socket.reconnect?.(old);
    await allRead(this.talk);
  }

  /** Something that may be wrong, beside the turn of another session. */
  async #anything(how: () => Promise<void> | void): Promise<void> {
    if (this.#witness === undefined) {
      this.#witness = this.#newChat();
      await this.#send(this.#witness);
      this.#say(this.#witness, 0, "one ");
    }
    await how();
    await allRead(this.talk);
  }

  /** A message within a turn, which may end it. */
  async #message(template: unknown): Promise<void> {
    const known = this.#chats.get(0);
    const isOver = known?.answer === undefined || (await isSettled(known.answer.turn.done));
    const chat = known === undefined || isOver ? this.#newChat() : known;
    if (chat !== known) {
      this.#chats.set(0, chat);
      this.#victims.push(chat);
      await this.#send(chat);
      this.#answerOf(chat).turn.created();
    }
    const { turn } = this.#answerOf(chat);
    this.#last = fill(template, {
      [SESSION]: chat.id,
      [THREAD]: turn.thread,
      [PROMPT]: turn.requestId,
      [LONG]: "x".repeat(LENGTH),
    });
    this.talk.send.invalid(this.#last);
  }
}
