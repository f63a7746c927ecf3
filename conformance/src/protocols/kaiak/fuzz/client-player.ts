import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import type { Incoming } from "../../../core/talk/talk.js";
import { fill, ID, PROMPT, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, settled, SteeringPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { noteParams, questionContent, answerTo, runResult } from "../client-role.js";
import { incident } from "../samples.js";

type Json = Record<string, unknown>;

interface Run {
  readonly ask: Incoming;
  readonly request: string;
  /** Settles when the client reports the end of the run. */
  readonly done: Promise<unknown>;
}
interface Session {
  /** The suite's name for it, and the id. */
  readonly name: string;
  id: string | undefined;
  run: Run | undefined;
  /** The text that a user should see. */
  text: string;
}

const fix = "kaiak/generate_fix";

/**
 * Plays the server against a client that can be steered, step by step. Sessions of the life cycle are known by their
 * number.
 */
export function clientPlayer(setting: FuzzSetting): FuzzPlayer {
  return new ClientPlayer(setting);
}

class ClientPlayer extends SteeringPlayer {
  readonly #sessions = new Map<number, Session>();
  #response: unknown;
  #witness: Session | undefined;
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    run: (step) => this.#run(this.#sessionOf(step)),
    note: (step) => this.#note(this.#sessionOf(step), String(step["kind"]), step["content"] as Json),
    question: (step) => this.#ask(this.#sessionOf(step)),
    end: (step) => this.#end(this.#sessionOf(step), String(step["status"])),
    fail: (step) => this.#fail(this.#sessionOf(step)),
    cancel: (step) => this.#cancel(this.#sessionOf(step)),
    delete: (step) => this.#remove(this.#sessionOf(step), step["force"] === true),
    answer: (step) => this.#answer(step["response"]),
  };

  async finish(): Promise<void> {
    for (const session of this.#sessions.values()) if (session.run !== undefined) await this.#end(session);
    // A fault in one session must not harm another, or keep the next one from working.
    const last = this.#newSession();
    await this.#run(last);
    for (const session of [this.#witness, last]) {
      if (session === undefined) continue;
      this.#note(session, "ai_response", { text: "still here", partial: false });
      await this.#end(session);
      await this.#look(session);
    }
    await this.#alive();
  }

  #newSession(): Session {
    return { name: `fuzz-${this.talk.conversation.freshId()}`, id: undefined, run: undefined, text: "" };
  }

  #sessionOf({ session: number }: FuzzStep): Session {
    const session = this.#sessions.get(Number(number)) ?? this.#newSession();
    this.#sessions.set(Number(number), session);
    return session;
  }

  #runOf({ run }: Session): Run {
    if (run === undefined) throw new TypeError("no run goes on");
    return run;
  }

  async #answer(response: unknown): Promise<void> {
    this.#response = response;
    await this.steering.tell("answer", { response });
  }

  async #run(session: Session): Promise<Run> {
    // The user's answers in an earlier run do not count.
    if (this.#response === undefined) await this.#answer(null);
    const done = this.steering.tell("fix", { session: session.name, incidents: [incident] });
    const asked = this.talk.expect.request(fix, session.id === undefined ? {} : { session_id: session.id });
    const ask = await Promise.race([asked, done.then(() => asked)]);
    session.id = String(ask.params["session_id"]);
    return (session.run = { ask, request: `req-${this.talk.conversation.freshId()}`, done });
  }

  #note(session: Session, kind: string, content: Json): void {
    const { request } = this.#runOf(session);
    const number = Number(this.talk.conversation.freshId());
    const params = noteParams(String(session.id), request, number, content);
    this.talk.send.notify(`kaiak/stream/${kind}`, params);
    if (kind === "ai_response") session.text += String(content["text"]);
  }

  /** A question, up to what the user answers. */
  async #ask(session: Session): Promise<void> {
    const id = `interaction-${this.talk.conversation.freshId()}`;
    this.#note(session, "user_interaction", questionContent(id, ["approve", "deny"]));
    if (this.#response === null) return;
    const actual = await answerTo(this.talk, id);
    if (actual !== this.#response)
      throw new ExpectationError("mismatch", "another answer", { expected: String(this.#response), actual });
  }

  async #end(session: Session, status = "completed"): Promise<void> {
    const { ask, request, done } = this.#runOf(session);
    this.talk.reply(ask, runResult(ask, request, status));
    session.run = undefined;
    await done;
  }

  async #fail(session: Session): Promise<void> {
    const { ask, done } = this.#runOf(session);
    this.talk.refuse(ask, { code: -32603, message: "Internal error" });
    session.run = undefined;
    await settled(done);
  }

  async #cancel(session: Session): Promise<void> {
    const { ask } = this.#runOf(session);
    const told = this.talk.expect.notify("$/cancelRequest", { id: ask.id });
    if (await this.steering.can("cancel", { session: session.name })) await told;
    await this.#end(session, "cancelled");
  }

  async #remove(session: Session, force: boolean): Promise<void> {
    if (!(await this.steering.can("delete", { session: session.name, force }))) return;
    for (const [number, one] of this.#sessions) if (one === session) this.#sessions.delete(number);
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  /**
   * Compares the session as the user sees it with the messages that the suite sent, as far as the client reports them.
   */
  async #look(session: Session): Promise<void> {
    if (!(await this.steering.can("report", { session: session.name }))) return;
    const seen = await this.steering.tell("report", { session: session.name });
    const text = isObject(seen) ? seen["text"] : undefined;
    if (typeof text === "string" && text !== session.text)
      throw new ExpectationError("mismatch", "another session was harmed", { expected: session.text, actual: text });
  }

  /** A message within a run, while a run of another session goes on. */
  async #message(template: unknown): Promise<void> {
    if (this.#witness === undefined) {
      this.#witness = this.#newSession();
      await this.#run(this.#witness);
      this.#note(this.#witness, "ai_response", { text: "one ", partial: true });
    }
    const session = this.#sessionOf({ do: "message", session: 0 });
    const { ask, done } = session.run ?? (await this.#run(session));
    const filled = fill(template, {
      [SESSION]: session.id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
      [PROMPT]: ask.id,
    });
    this.talk.send.invalid(filled);
    if (isObject(filled) && filled["method"] === undefined && filled["id"] === ask.id) {
      session.run = undefined;
      this.#sessions.delete(0);
      await settled(done);
    }
    await this.#alive();
  }
}
