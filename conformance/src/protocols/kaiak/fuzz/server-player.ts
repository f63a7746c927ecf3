import { isObject } from "@editwire/core";
import type { Call } from "../../../core/talk/call.js";
import { ExpectationError } from "../../../core/errors.js";
import { fill, ID, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, StepPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { carrier } from "../envelope.js";
import { incident } from "../samples.js";
import { answering, configureParams, responseTo } from "../server-role.js";

interface Session {
  readonly id: string;
  run: Call | undefined;
  /** Its deletion was forced: a run that was about to begin may have been refused. */
  deleted: boolean;
  /** Stops answering its questions. */
  readonly stop: () => void;
}

const RUN_MS = 60_000;
const WITNESS_CHUNKS = 8;
const fix = "kaiak/generate_fix";

/** Plays a client against a server, step by step. Sessions of the life cycle are known by their number. */
export function serverPlayer(setting: FuzzSetting): FuzzPlayer {
  return new ServerPlayer(setting);
}

class ServerPlayer extends StepPlayer {
  readonly #sessions = new Map<number, Session>();
  readonly #opened: Session[] = [];
  #witness: Session | undefined;
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    run: (step) => this.#run(this.#sessionOf(step), String(step["behavior"])),
    second: (step) => this.talk.send.request(fix, this.#params(this.#sessionOf(step).id, "text")).error(-32016),
    cancel: (step) => this.#cancel(this.#sessionOf(step)),
    finish: (step) => this.#finish(this.#sessionOf(step)),
    delete: (step) => this.#remove(this.#sessionOf(step), step["force"] === true),
    configure: ({ reset }) =>
      this.talk.send.request("kaiak/configure", { ...configureParams(), reset_existing: reset }).result(),
    respond: () =>
      this.talk.send.request("kaiak/interaction/respond", responseTo("no-such-question", "approve")).error(),
  };

  async finish(): Promise<void> {
    for (const session of this.#sessions.values()) {
      if (session.run === undefined) continue;
      this.#cancel(session);
      await this.#finish(session);
    }
    if (this.#witness !== undefined) await this.#askWitness(this.#witness);
    await this.#alive();
    for (const { stop } of this.#opened) stop();
  }

  #newSession(): Session {
    const id = `33333333-3333-4333-8333-${String(this.talk.conversation.freshId()).padStart(12, "0")}`;
    const session = { id, run: undefined, deleted: false, stop: answering(this.talk, id) };
    this.#opened.push(session);
    return session;
  }

  #sessionOf({ session: number }: FuzzStep): Session {
    const session = this.#sessions.get(Number(number)) ?? this.#newSession();
    this.#sessions.set(Number(number), session);
    return session;
  }

  #params(session_id: string, behavior: string, args = {}): Record<string, unknown> {
    const message = this.say(behavior, args) ?? incident.message;
    return { session_id, incidents: [{ ...incident, message }] };
  }

  #run(session: Session, behavior: string, args = {}): void {
    session.run = this.talk.send.request(fix, this.#params(session.id, behavior, args));
  }

  #cancel({ run }: Session): void {
    if (run !== undefined) this.talk.send.notify("$/cancelRequest", { id: run.id });
  }

  async #finish(session: Session): Promise<void> {
    const patience = { deadline: RUN_MS };
    if (session.deleted) await session.run?.response(patience);
    else await session.run?.result({ session_id: session.id }, patience);
    session.run = undefined;
  }

  async #remove(session: Session, force: boolean): Promise<void> {
    session.deleted ||= force;
    const call = this.talk.send.request("kaiak/delete_session", { session_id: session.id, force });
    await call.response({ deadline: RUN_MS });
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  async #askWitness(session: Session): Promise<void> {
    await this.#finish(session);
    if (this.say("chunks") === undefined) return;
    const notes = this.talk.rest("kaiak/stream/ai_response", { session_id: session.id });
    const said = notes.map(({ params: { content } }) => (isObject(content) ? content["text"] : "")).join("");
    const expected = Array.from({ length: WITNESS_CHUNKS }, (_, index) => `${index + 1} `).join("");
    if (said !== expected)
      throw new ExpectationError("mismatch", "another session was harmed", { expected, actual: said });
  }

  /** A message that may begin a run: the run is over before anything else happens. */
  async #message(template: unknown): Promise<void> {
    if (this.#witness === undefined) {
      this.#witness = this.#newSession();
      this.#run(this.#witness, "chunks", { count: WITNESS_CHUNKS });
    }
    const content = fill(template, {
      [SESSION]: this.#sessionOf({ do: "message", session: 0 }).id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
    });
    const call = this.talk.send.invalid(content);
    if (isObject(content) && content["method"] === carrier) {
      const isRun = isObject(content["params"]) && content["params"]["command"] === fix;
      await call.response(isRun ? { deadline: RUN_MS } : {});
    }
    await this.#alive();
  }
}
