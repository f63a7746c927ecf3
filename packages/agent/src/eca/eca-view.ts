import type { AcpPermissionAnswer, AuthMethod, ContentBlock } from "@editwire/acp";
import type { EcaServerConnection, EcaServerTurn } from "@editwire/eca";
import { isWireError, RemoteError } from "@editwire/core";
import { deferred } from "../shared/deferred.js";
import type { AgentEvent, AgentPermission, AgentQuestion } from "../api/events.js";
import type { MappingReports } from "../mapping/reports.js";
import type {
  AgentSession,
  AgentTurn,
  AskContext,
  ChosenSignIn,
  SessionView,
  ViewContext,
  WhenBusy,
} from "../api/session.js";
import { isText, textOf } from "../shared/prompt.js";
import { contentsOf } from "./history.js";
import { hasOnlyId, infoOf, selectionOf, showsAll } from "./info.js";
import { ShownTurn } from "./shown-turn.js";
import { chooseSignIn } from "./sign-in.js";

export interface EcaViewParts {
  /** The id of the client's chat. */
  readonly chatId: string;
  readonly session: AgentSession;
  readonly connection: EcaServerConnection;
  readonly asksQuestions: boolean;
  readonly reports: MappingReports;
  /** The handling of a prompt during another turn. */
  readonly whenBusy: WhenBusy;
  /** Resolves when the client knows the chat. */
  readonly shown: Promise<void> | undefined;
}

/** The turn that the client has prompted. */
interface Own {
  readonly turn: EcaServerTurn;
  readonly prompt: readonly ContentBlock[];
  readonly shown: ShownTurn;
}

/** A turn that another view prompted, and how it is ended here. */
interface Mirror {
  readonly of: AgentTurn;
  readonly shown: ShownTurn;
  readonly end: (error?: RemoteError) => void;
}

/** Shows a session to an ECA client. */
export class EcaView implements SessionView {
  readonly name = "eca";
  readonly #parts: EcaViewParts;
  #waits: boolean;
  #own: Own | undefined;
  #mirror: Mirror | undefined;
  /** The last turn at the client that is a turn of the agent: one that the client has prompted may have to wait. */
  #begun: EcaServerTurn | undefined;
  /** The modes and models that the client can choose. */
  #offered: string;
  /** A turn of another view that the client was not shown in time: it has prompted the next one already. */
  #crossed: AgentTurn | undefined;

  constructor(parts: EcaViewParts) {
    this.#parts = parts;
    this.#waits = parts.shown !== undefined;
    this.#offered = offeredIn(parts.session);
    void parts.shown?.then(() => (this.#waits = false));
  }

  /** Shows the turn that the client has prompted, with the agent's prompt. */
  begin(turn: EcaServerTurn, prompt: readonly ContentBlock[]): void {
    this.#own = { turn, prompt, shown: this.#shown(turn) };
  }

  /** Gives the agent what the client added before its turn began: a session may take long to open. */
  begun(): void {
    this.#own?.shown.steer();
  }

  event(event: AgentEvent, context: ViewContext): void | Promise<void> {
    if (this.#waits) return this.#parts.shown?.then(() => this.event(event, context));
    const { turn, own } = context;
    if (event.type === "modes" || event.type === "mode" || event.type === "config_options") return this.#offer();
    if (turn === undefined) return this.#outside(event);
    if (own && turn.prompt !== this.#own?.prompt) return; // a cancelled turn, which is over for the client
    if (own) this.#ownBegun();
    if (event.type === "user" && event.content === this.#own?.prompt) return; // the client shows what it has said
    if (own) return this.#own?.shown.event(event);
    const running = this.#running;
    if (running === undefined || this.#mirror?.of === turn) return this.#foreign(event, turn);
    const isWaiting = running !== this.#begun && this.#parts.whenBusy !== "reject";
    if (isWaiting) this.#crossed = turn; // the client's own turn begins after this one
    if (this.#crossed === turn) return this.#outside(event);
    // A client sees one turn at a time: one that begins at the end of another waits until that is over here.
    return running.ended.then(() => {
      if (this.#running !== undefined) this.#crossed = turn;
      return this.event(event, context);
    });
  }

  #ownBegun(): void {
    const own = this.#own;
    if (own === undefined || this.#begun === own.turn) return;
    this.#begun = own.turn;
    queueMicrotask(() => own.shown.steer()); // after every view was given the prompt
  }

  /** Messages that the client adds to a prompt that waits for another turn wait, too. */
  #takesSteers(turn: EcaServerTurn): boolean {
    const { session, whenBusy } = this.#parts;
    const isOpen = this.#running === turn && !turn.signal.aborted && session.turn !== undefined;
    return isOpen && (this.#begun === turn || whenBusy === "steer");
  }

  /** Shows a turn of another view that runs already, with its open calls. */
  async resume(turn: AgentTurn, calls: readonly AgentEvent[]): Promise<void> {
    if (this.#parts.session.turn !== turn) return;
    const { shown } = this.#mirrorOf(turn);
    for (const call of calls) await shown.event(call);
  }

  /** The turn that the client sees. */
  get #running(): EcaServerTurn | undefined {
    return this.#parts.connection.runningTurn(this.#parts.chatId);
  }

  lendsNothing(): void {
    this.#parts.reports.lendsNothing(this.#parts.session);
  }

  async permission(permission: AgentPermission, context: AskContext): Promise<AcpPermissionAnswer | undefined> {
    return (await this.#turnOf(context))?.permission(permission, context.signal);
  }

  async question(question: AgentQuestion, context: AskContext): Promise<string | undefined> {
    return (await this.#turnOf(context))?.question(question, context.signal);
  }

  async signIn(methods: readonly AuthMethod[]): Promise<ChosenSignIn | undefined> {
    return this.#own && chooseSignIn(this.#own.turn, methods, this.#parts.reports);
  }

  async #turnOf({ own, turn }: ViewContext): Promise<ShownTurn | undefined> {
    if (this.#waits) await this.#parts.shown;
    if (turn === undefined || turn.prompt === this.#own?.prompt) return this.#own?.shown;
    if (own) return undefined; // a cancelled turn, which is over for the client
    if (this.#crossed === turn) return undefined;
    return this.#mirrorOf(turn).shown;
  }

  /** The turn at the client that shows a turn of another view: the client may have come in the middle of it. */
  #mirrorOf(turn: AgentTurn, promptText = ""): Mirror {
    if (this.#mirror?.of === turn) return this.#mirror;
    return (this.#mirror = this.#start(turn, promptText));
  }

  #shown(turn: EcaServerTurn): ShownTurn {
    const { session, asksQuestions, reports } = this.#parts;
    const { report, otherwise } = reports.about(session);
    if (!showsAll(session.configOptions)) report("config_options");
    if (session.modes?.availableModes.every((mode) => hasOnlyId(mode, mode.id)) === false) otherwise("mode");
    const takesSteers = (): boolean => this.#takesSteers(turn);
    return new ShownTurn(turn, { session, asksQuestions, takesSteers, report, otherwise });
  }

  async #foreign(event: AgentEvent, turn: AgentTurn): Promise<void> {
    const isPrompt = event.type === "user" && event.content === turn.prompt;
    const { reports, session } = this.#parts;
    if (isPrompt && !isText(event.content)) reports.otherwise("foreign_turn", session);
    const mirror = this.#mirrorOf(turn, isPrompt ? textOf(event.content) : "");
    if (!isPrompt) await mirror.shown.event(event);
    if (event.type !== "stop") return;
    this.#mirror = undefined;
    const { error } = event;
    mirror.end(error && new RemoteError(error.code ?? 0, error.message, error.data));
  }

  /** Starts a turn at the client, which ends with the agent's. When the user stops it, the agent's is cancelled. */
  #start(of: AgentTurn, promptText: string): Mirror {
    const { connection, chatId: sessionId, session } = this.#parts;
    const over = deferred<RemoteError | undefined>();
    let shown: ShownTurn | undefined;
    connection.startTurn({
      sessionId,
      promptText,
      handler: async (turn) => {
        shown = this.#shown(turn);
        this.#begun = turn;
        // A client that goes ends what it is shown, and not the turn of another view.
        turn.signal.addEventListener("abort", () => {
          if (!isWireError((turn.signal.reason as Error).cause, "closed")) session.cancel();
        });
        const error = await over.promise;
        if (error !== undefined) throw error;
      },
    });
    if (shown === undefined) throw new TypeError("startTurn: expected the binding to call the handler at once");
    return { of, shown, end: (error) => over.resolve(error) };
  }

  /** Sends what is selected, and before that what is offered, if it is something else now. */
  #offer(): void {
    const { connection, chatId, session } = this.#parts;
    const offered = offeredIn(session);
    if (offered !== this.#offered) connection.offer(infoOf(session));
    this.#offered = offered;
    connection.select(chatId, selectionOf(session));
  }

  /** Shows what happens between turns. */
  async #outside(event: AgentEvent): Promise<void> {
    const { connection, chatId } = this.#parts;
    if (event.type === "info" && event.title !== undefined)
      return connection.notify("chat/contentReceived", {
        chatId,
        role: "system",
        content: { type: "metadata", title: event.title },
      });
    for (const { role, content } of contentsOf([event]))
      connection.notify("chat/contentReceived", { chatId, role, content });
  }
}

/** The modes and models of a session, as text. */
function offeredIn({ modes, models }: AgentSession): string {
  return JSON.stringify([modes?.availableModes, models?.availableModels]);
}
