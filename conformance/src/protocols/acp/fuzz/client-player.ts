import { isObject } from "@editwire/core";
import type { Call } from "../../../core/talk/call.js";
import type { Incoming } from "../../../core/talk/talk.js";
import { fill, ID, PROMPT, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, settled, SteeringPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { cwd } from "../agent-role.js";
import { modes, permissionOptions } from "../as-agent.js";

interface Turn {
  readonly ask: Incoming;
  /** Resolves with the client's report on the end of the turn. */
  readonly done: Promise<unknown>;
  readonly questions: Call[];
}
interface Session {
  readonly id: string;
  turn: Turn | undefined;
}

/**
 * Plays the agent against a client that can be steered, step by step. Sessions of the life cycle are known by their
 * number.
 */
export function clientPlayer(setting: FuzzSetting): FuzzPlayer {
  return new ClientPlayer(setting);
}

class ClientPlayer extends SteeringPlayer {
  readonly #sessions: Session[] = [];
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    new: () => this.#open(),
    prompt: (step) => this.#prompt(this.#of(step)),
    update: (step) => this.talk.send.notify("session/update", { sessionId: this.#of(step).id, update: step["update"] }),
    ask: (step) => {
      const { id: sessionId, turn } = this.#of(step);
      const toolCall = { toolCallId: `call-${this.talk.conversation.freshId()}`, title: "A tool", status: "pending" };
      turn?.questions.push(
        this.talk.send.request("session/request_permission", { sessionId, toolCall, options: permissionOptions }),
      );
    },
    permission: (step) => this.steering.tell("permission", { policy: step["policy"] }),
    mode: (step) => this.steering.can("set-mode", { sessionId: this.#of(step).id, modeId: step["modeId"] }),
    end: (step) => this.#end(this.#of(step), String(step["stopReason"])),
    fail: (step) => this.#fail(this.#of(step)),
    cancel: (step) => this.#cancel(this.#of(step)),
  };

  async finish(): Promise<void> {
    for (const session of this.#sessions) if (session.turn !== undefined) await this.#cancel(session);
    // A fault in one session must not keep the next one from working.
    await this.steering.tell("permission", { policy: "reject" });
    const last = await this.#open();
    await this.#prompt(last);
    await this.#end(last, "end_turn");
    await this.#alive();
  }

  #of(step: FuzzStep): Session {
    const session = this.#sessions[Number(step["session"])];
    if (session === undefined) throw new TypeError(`unknown session ${String(step["session"])}`);
    return session;
  }

  #turnOf({ turn }: Session): Turn {
    if (turn === undefined) throw new TypeError("no turn runs");
    return turn;
  }

  async #open(): Promise<Session> {
    if (this.#sessions.length === 0) await this.steering.tell("permission", { policy: "reject" });
    const id = `fuzz-session-${this.talk.conversation.freshId()}`;
    this.talk.answer("session/new", () => ({ result: { sessionId: id, modes } }));
    await this.steering.tell("new-session", { cwd });
    const session: Session = { id, turn: undefined };
    this.#sessions.push(session);
    return session;
  }

  async #prompt(session: Session): Promise<Turn> {
    const done = this.steering.tell("prompt", { sessionId: session.id, prompt: "Hello" });
    const asked = this.talk.expect.request("session/prompt", { sessionId: session.id });
    const turn = { ask: await Promise.race([asked, done.then(() => asked)]), done, questions: [] };
    session.turn = turn;
    return turn;
  }

  /** Ends a turn with an answer that the client has to understand. */
  async #end(session: Session, stopReason: string): Promise<void> {
    const turn = this.#turnOf(session);
    session.turn = undefined;
    this.talk.reply(turn.ask, { stopReason });
    for (const question of turn.questions) await question.response();
    await turn.done;
  }

  async #fail(session: Session): Promise<void> {
    const turn = this.#turnOf(session);
    session.turn = undefined;
    this.talk.refuse(turn.ask, { code: -32603, message: "prompt execution failed" });
    await settled(turn.done);
  }

  async #cancel(session: Session): Promise<void> {
    const { id: sessionId } = session;
    const cancelled = this.talk.expect.notify("session/cancel", { sessionId });
    if (!(await this.steering.can("cancel", { sessionId }))) return this.#end(session, "end_turn");
    await cancelled;
    await this.#end(session, "cancelled");
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  /** A message within a turn; a whole request has to be answered, whatever is wrong with its params. */
  async #message(template: unknown): Promise<void> {
    const session = this.#sessions[0] ?? (await this.#open());
    const turn = session.turn ?? (await this.#prompt(session));
    const content = fill(template, {
      [SESSION]: session.id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
      [PROMPT]: turn.ask.id,
    });
    const call = this.talk.send.invalid(content);
    if (isObject(content) && content["method"] === undefined && content["id"] === turn.ask.id) {
      session.turn = undefined;
      await settled(turn.done);
    } else if (
      isObject(content) &&
      content["jsonrpc"] === "2.0" &&
      content["method"] === "session/request_permission" &&
      typeof content["id"] === "number" &&
      !("result" in content)
    ) {
      await call.response();
    }
    await this.#alive();
  }
}
