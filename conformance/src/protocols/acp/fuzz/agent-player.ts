import { isObject } from "@editwire/core";
import type { Call } from "../../../core/talk/call.js";
import { ExpectationError } from "../../../core/errors.js";
import { fill, ID, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, StepPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { type PermissionAnswer, permissionResult } from "../answers.js";
import { cwd } from "../agent-role.js";

/** How permission requests are answered: by an option, with `cancelled`, or not before the turn is cancelled. */
export type Permission = PermissionAnswer | "hold";

interface Session {
  readonly id: string;
  readonly modes: readonly string[];
  turn: Call | undefined;
  cancelled: boolean;
}

const TURN_MS = 60_000;
const PATIENCE_MS = 3_000;

/** Plays a client against an agent, step by step. Sessions of the life cycle are known by their number. */
export function agentPlayer(setting: FuzzSetting): FuzzPlayer {
  return new AgentPlayer(setting);
}

class AgentPlayer extends StepPlayer {
  readonly #sessions: Session[] = [];
  readonly #held: { readonly id: unknown; readonly sessionId: string }[] = [];
  #permission: Permission = "cancelled";
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    new: () => this.#open(),
    load: (step) =>
      this.talk.send.request("session/load", { sessionId: this.#of(step).id, cwd, mcpServers: [] }).result(),
    mode: (step) => {
      const { id, modes } = this.#of(step);
      const modeId = modes[Number(step["mode"]) % modes.length];
      return modeId === undefined
        ? undefined
        : this.talk.send.request("session/set_mode", { sessionId: id, modeId }).result();
    },
    permission: (step) => void (this.#permission = step["answer"] as Permission),
    prompt: (step) => {
      const session = this.#of(step);
      const text = this.say(String(step["behavior"])) ?? "Say ok.";
      session.turn = this.talk.send.request("session/prompt", {
        sessionId: session.id,
        prompt: [{ type: "text", text }],
      });
    },
    cancel: (step) => this.#cancel(this.#of(step)),
    finish: (step) => this.#finish(this.#of(step)),
  };

  constructor(setting: FuzzSetting) {
    super(setting);
    this.talk.answer("session/request_permission", (params, id) => {
      const sessionId = isObject(params) ? String(params["sessionId"]) : "";
      const cancelled = this.#sessions.some((session) => session.id === sessionId && session.cancelled);
      if (cancelled) return { result: permissionResult(params, "cancelled") };
      if (this.#permission !== "hold") return { result: permissionResult(params, this.#permission) };
      this.#held.push({ id, sessionId });
      return undefined;
    });
  }

  async finish(): Promise<void> {
    for (const session of this.#sessions) {
      if (session.turn === undefined) continue;
      this.#cancel(session);
      await this.#finish(session);
    }
    await this.#alive();
  }

  #of(step: FuzzStep): Session {
    const session = this.#sessions[Number(step["session"])];
    if (session === undefined) throw new TypeError(`unknown session ${String(step["session"])}`);
    return session;
  }

  async #open(): Promise<Session> {
    const { sessionId, modes } = await this.talk.send.request("session/new", { cwd, mcpServers: [] }).result();
    const available: unknown[] =
      isObject(modes) && Array.isArray(modes["availableModes"]) ? modes["availableModes"] : [];
    const session = {
      id: String(sessionId),
      modes: available.flatMap((mode) => (isObject(mode) ? [String(mode["id"])] : [])),
      turn: undefined,
      cancelled: false,
    };
    this.#sessions.push(session);
    return session;
  }

  #cancel(session: Session): void {
    session.cancelled = session.turn !== undefined;
    this.talk.send.notify("session/cancel", { sessionId: session.id });
    for (const ask of this.#held.splice(0)) {
      if (ask.sessionId === session.id) this.talk.conversation.reply(ask.id, permissionResult(undefined, "cancelled"));
      else this.#held.push(ask);
    }
  }

  async #finish(session: Session): Promise<void> {
    await session.turn?.response({ deadline: TURN_MS });
    session.turn = undefined;
    session.cancelled = false;
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  /** A message that may be a prompt: its turn is over before anything else happens. */
  async #message(template: unknown): Promise<void> {
    const session = this.#sessions[0] ?? (await this.#open());
    const content = fill(template, {
      [SESSION]: session.id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
    });
    const call = this.talk.send.invalid(content);
    if (isObject(content) && content["method"] === "session/prompt") {
      try {
        await call.response({ deadline: PATIENCE_MS });
      } catch (error) {
        if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
        this.#cancel(session);
        await call.response();
      }
    }
    await this.#alive();
  }
}
