import type { EcaParams } from "@editwire/eca-schema";
import { chosen, type EcaServerInfo, settle, type SettledInfo } from "./info.js";
import type { ServerSession } from "./session.js";
import type { ServerSessions } from "./sessions.js";

/** The server's offers, and the user's choices among them: for all sessions, or for one. */
export class ServerChoices {
  #info: SettledInfo = settle({}, { capabilities: {}, workspaceFolders: [] });
  readonly #sessions: ServerSessions;
  readonly #onChange: (config: EcaParams<"config/updated">) => void;

  /** `onChange` is called with what the client is sent about a choice. */
  constructor(sessions: ServerSessions, onChange: (config: EcaParams<"config/updated">) => void) {
    this.#sessions = sessions;
    this.#onChange = onChange;
  }

  get info(): SettledInfo {
    return this.#info;
  }

  /** Takes what the server offers. */
  offer(info: EcaServerInfo, params: EcaParams<"initialize">): SettledInfo {
    return (this.#info = settle(info, params));
  }

  /** The behavior that a prompt asks for, if the server offers others only. */
  unknownBehavior({ behavior, agent }: EcaParams<"chat/prompt">): string | undefined {
    const wanted = behavior ?? agent;
    const { behaviors } = this.#info;
    if (wanted === undefined || behaviors.length === 0) return undefined;
    return chosen(wanted, behaviors, undefined) === undefined ? wanted : undefined;
  }

  /** The model and the behavior of a turn. A server that offers none gets what the client wants. */
  forTurn(
    { choice }: ServerSession,
    { model, behavior, agent }: EcaParams<"chat/prompt">,
  ): { model: string | undefined; behavior: string | undefined } {
    const { models, behaviors, ...otherwise } = this.#info;
    const wanted = behavior ?? agent;
    return {
      model: models.length === 0 ? model : chosen(model ?? choice.model, models, otherwise.model),
      behavior: behaviors.length === 0 ? wanted : chosen(wanted ?? choice.behavior, behaviors, otherwise.behavior),
    };
  }

  /** Takes the user's model, for one session or, without an id, for all. A model that is not offered is ignored. */
  selectModel(sessionId: string | undefined, model: string): void {
    if (!this.#info.models.includes(model)) return;
    this.#select(sessionId, { model });
    this.#change(sessionId, { selectModel: model, variants: [], selectVariant: null });
  }

  /** Takes the user's behavior, as `selectModel` does. */
  selectBehavior(sessionId: string | undefined, wanted: string): void {
    const behavior = chosen(wanted, this.#info.behaviors, undefined);
    if (behavior === undefined) return;
    this.#select(sessionId, { behavior });
    this.#change(sessionId, { selectAgent: behavior });
  }

  #select(sessionId: string | undefined, choice: { model?: string; behavior?: string }): void {
    if (sessionId === undefined) this.#info = { ...this.#info, ...choice };
    else Object.assign(this.#sessions.ensure(sessionId, false).choice, choice);
  }

  #change(sessionId: string | undefined, chat: EcaParams<"config/updated">["chat"]): void {
    this.#onChange({ ...(sessionId === undefined ? {} : { chatId: sessionId }), chat });
  }
}
