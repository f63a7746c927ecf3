import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import { fill, LONG, PROMPT, SESSION, THREAD } from "../../../fuzz/placeholders.js";
import { playBy, type Plays, settled, steering } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { asAgent, type HostTurn, sessionOf } from "../as-agent.js";
import { type Expected, fits, isSettled } from "../cases/host/told.js";
import type { SessionReport } from "../host-role.js";
import { heard, socketOf } from "../socket.js";

/** How a turn ends: all but the first are told by a message of today's dialect first, which not every host knows. */
export type Ending = "completed" | "failed" | "cancelled";

interface Answer {
  readonly turn: HostTurn;
  /** The texts of the answer's messages, in the order in which they began. */
  readonly texts: Map<string, string>;
  /** What the user should see once it is over. */
  expected: Expected;
}
interface Chat {
  readonly id: string;
  /** The message that is with the agent. */
  answer: Answer | undefined;
  /** What the user sent and the agent has not seen, and when it is over. */
  readonly unseen: Map<string, Promise<unknown>>;
  readonly past: Answer[];
}

const LENGTH = 1024 * 1024;
const POLLS = 150;
const POLL_MS = 15;

/** Plays the agent against a host that can be steered, step by step. Sessions of the life cycle are known by their number. */
export function hostPlayer({ talk }: FuzzSetting): FuzzPlayer {
  const { tell, can } = steering(talk.conversation.link.control);
  const agent = asAgent(talk);
  const socket = socketOf(talk);
  const chats = new Map<number, Chat>();
  const asked = new Set<unknown>();
  /** The sessions in which anything may have been said. */
  const victims: Chat[] = [];
  let messages = 0;
  let witness: Chat | undefined;
  let last: unknown;

  const newChat = (): Chat => ({ id: agent.session(), answer: undefined, unseen: new Map(), past: [] });
  const chatOf = ({ session: number }: FuzzStep): Chat => {
    const chat = chats.get(Number(number)) ?? newChat();
    chats.set(Number(number), chat);
    return chat;
  };
  const answerOf = ({ answer }: Chat): Answer => {
    if (answer === undefined) throw new TypeError("no message waits for an answer");
    return answer;
  };

  /** Waits for the next message of a session; one that is sent once more is not another. */
  const next = async (chat: Chat): Promise<void> => {
    const { id, unseen } = chat;
    const isNew = (data: unknown): boolean =>
      isObject(data) && sessionOf(data) === id && !asked.has(data["request_id"]);
    const expected = talk.expect.notify("chat_message", isNew);
    // What the host could not send says why before the wait for it is over.
    const ask = await Promise.race([expected, ...[...unseen.values()].map((done) => done.then(() => expected))]);
    const text = String(ask.params["message"]);
    const done = unseen.get(text);
    if (done === undefined)
      throw new ExpectationError("mismatch", "the host sent a message that no user has", {
        expected: [...unseen.keys()].join(", "),
        actual: text,
      });
    unseen.delete(text);
    asked.add(ask.params["request_id"]);
    chat.answer = { turn: agent.turn(id, ask, done), texts: new Map(), expected: {} };
  };
  const send = async (chat: Chat): Promise<void> => {
    const message = `Hello ${++messages}`;
    chat.unseen.set(message, tell("send", { session: chat.id, agent: socket.id, message }));
    if (chat.answer === undefined) await next(chat);
  };
  const say = (chat: Chat, number: number, content: string): void => {
    const { turn, texts } = answerOf(chat);
    const id = `ai_msg_${turn.requestId}_${number}`;
    if (turn.thread === "no-thread") turn.created();
    turn.added(content, id);
    texts.set(id, content);
  };
  const over = async (chat: Chat): Promise<void> => {
    chat.past.push(answerOf(chat));
    chat.answer = undefined;
    if (chat.unseen.size > 0) await next(chat);
  };
  const end = async (chat: Chat, how: Ending): Promise<void> => {
    const answer = answerOf(chat);
    const { turn, texts } = answer;
    const ids = { session_id: chat.id, request_id: turn.requestId };
    if (turn.thread === "no-thread") turn.created();
    if (how === "failed") agent.event("chat_response_error", { ...ids, error: "The model cannot be reached" });
    if (how === "cancelled") agent.event("turn_cancelled", { ...ids, status: "cancelled" });
    turn.completed();
    const response = [...texts.values()].join("\n\n");
    // An answer without a word is an error to some hosts, and not every host knows how else a turn may end.
    const isComplete = how === "completed" && response !== "";
    answer.expected = isComplete ? { response, state: "complete" } : { state: (state: unknown) => state !== "waiting" };
    await (how === "completed" ? turn.done : settled(turn.done));
    await over(chat);
  };
  /** The host told of it as it was said, as far as it tells. */
  const look = async (
    { id: session, past }: Chat,
    harm = "the host keeps something else than what was said",
  ): Promise<void> => {
    if (!(await can("report", { session }))) return;
    for (const { turn, expected } of past) {
      for (let polls = 0; ; polls++) {
        const report = ((await tell("report", { session })) ?? {}) as SessionReport;
        if (fits(report, turn, expected)) break;
        if (polls === POLLS)
          throw new ExpectationError("mismatch", harm, {
            expected: JSON.stringify({ request_id: turn.requestId, ...expected }),
            actual: report.interactions,
          });
        await talk.pace(POLL_MS);
      }
    }
  };
  const dial = async (old: "drop" | "keep"): Promise<void> => {
    await socket.reconnect?.(old);
    await heard(talk);
  };

  /** Something that may be wrong, beside the turn of another session. */
  const anything = async (how: () => Promise<void> | void): Promise<void> => {
    if (witness === undefined) {
      witness = newChat();
      await send(witness);
      say(witness, 0, "one ");
    }
    await how();
    await heard(talk);
  };
  /** A message within a turn, which may end it. */
  const message = async (template: unknown): Promise<void> => {
    const known = chats.get(0);
    const isOver = known?.answer === undefined || (await isSettled(known.answer.turn.done));
    const chat = known === undefined || isOver ? newChat() : known;
    if (chat !== known) {
      chats.set(0, chat);
      victims.push(chat);
      await send(chat);
      answerOf(chat).turn.created();
    }
    const { turn } = answerOf(chat);
    last = fill(template, {
      [SESSION]: chat.id,
      [THREAD]: turn.thread,
      [PROMPT]: turn.requestId,
      [LONG]: "x".repeat(LENGTH),
    });
    talk.send.invalid(last);
  };

  const plays: Plays = {
    message: (step) => anything(() => message(step["message"])),
    again: () => anything(() => (last === undefined ? undefined : void talk.send.invalid(last))),
    text: (step) => anything(() => talk.send.bytes(String(step["text"]))),
    binary: (step) => anything(() => socket.binary(Buffer.from(String(step["text"])))),
    drop: () => dial("drop"),
    redial: () => dial("keep"),
    ping: () => heard(talk),
    chat: (step) => send(chatOf(step)),
    thread: (step) =>
      answerOf(chatOf(step)).turn.created(
        undefined,
        step["name"] === "thread_created" ? "thread_created" : "context_created",
      ),
    say: (step) => say(chatOf(step), Number(step["message"]), String(step["content"])),
    end: (step) => end(chatOf(step), step["how"] as Ending),
    late(step) {
      chatOf(step).past.at(-1)?.turn.added("Too late");
      // What the user sends next goes another way, and must not overtake it.
      return heard(talk);
    },
    twice: (step) => chatOf(step).past.at(-1)?.turn.completed(),
    event: (step) => agent.event(String(step["name"]), { session_id: "ses-of-nobody", ...(step["params"] as object) }),
  };
  return {
    play: (step) => playBy(plays, step),
    async finish() {
      // Whatever the messages made of their turns and threads, they are over now.
      for (const { answer } of victims) {
        if (answer === undefined) continue;
        answer.turn.created(answer.turn.thread);
        answer.turn.completed();
        await settled(answer.turn.done);
      }
      for (const chat of chats.values()) {
        if (victims.includes(chat)) continue;
        while (chat.answer !== undefined) await end(chat, "completed");
        await look(chat);
      }
      if (witness !== undefined) {
        say(witness, 0, "one two");
        await end(witness, "completed");
        await look(witness, "another session was harmed");
      }
      // What went wrong in one session must not keep the next one from working.
      const fresh = newChat();
      await send(fresh);
      say(fresh, 0, "Still here");
      await end(fresh, "completed");
      await look(fresh);
      await heard(talk);
    },
  };
}
