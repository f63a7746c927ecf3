import type {
  ContentBlock,
  PromptParams,
  RequestPermissionParams,
  RequestPermissionResult,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from "@editwire/acp-schema";
import { isWireError, WireError } from "@editwire/core";
import { EventQueue } from "@editwire/session";
import type { ClientLink } from "./client-link.js";
import { readUpdate, type ToolCallState, type TurnEvent, type UpdateEvent } from "./events.js";
import { outcomeOf } from "./permission.js";
import type { AcpTurn } from "./turn.js";

/** Hears the updates that no turn yields: early ones, late ones, and those of a session at rest. */
export type UpdateListener = (event: UpdateEvent, session: AcpSession) => void;

/** A conversation with an agent. One turn runs at a time; sessions run in parallel. */
export interface AcpSession {
  readonly id: string;
  /** The session's modes with the current one, kept up to date; absent when the agent has none. */
  readonly modes: SessionModeState | undefined;
  /** What the agent replayed while this session was loaded, in order; empty for a new session. */
  readonly history: readonly UpdateEvent[];
  /**
   * Starts a turn. A string becomes one text block. Aborting `signal` cancels the turn.
   * Throws `WireError("invalid_params")` while another turn of this session runs.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: { signal?: AbortSignal | undefined }): AcpTurn;
  /** Switches the mode; rejects with the agent's -32602 for a mode that it does not offer. */
  setMode(modeId: string): Promise<void>;
  /** Cancels the running turn, if there is one. */
  cancel(): Promise<void>;
}

interface RunningTurn {
  readonly queue: EventQueue<TurnEvent>;
  cancelled: boolean;
}

/** An `AcpSession` with the side that the connection feeds. */
export class ClientSession implements AcpSession {
  readonly id: string;
  modes: SessionModeState | undefined;
  history: readonly UpdateEvent[] = [];
  readonly #link: ClientLink;
  readonly #onUpdate: UpdateListener;
  readonly #toolCalls = new Map<string, ToolCallState>();
  readonly #permissions = new Set<AbortController>();
  #turn: RunningTurn | undefined;

  constructor(id: string, modes: SessionModeState | undefined, link: ClientLink, onUpdate: UpdateListener) {
    this.id = id;
    this.modes = modes;
    this.#link = link;
    this.#onUpdate = onUpdate;
  }

  prompt(prompt: string | readonly ContentBlock[], { signal }: { signal?: AbortSignal | undefined } = {}): AcpTurn {
    if (this.#turn !== undefined) {
      throw new WireError(
        "invalid_params",
        `session/prompt: session ${this.id} has a running turn; await or cancel it first`,
      );
    }
    const turn: RunningTurn = { queue: new EventQueue<TurnEvent>(), cancelled: false };
    this.#turn = turn;
    this.#toolCalls.clear();
    const blocks: ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : [...prompt];
    const cancel = (): Promise<void> => this.#cancel(turn);
    const stopReason = this.#run(turn, { sessionId: this.id, prompt: blocks }, signal, cancel);
    stopReason.catch(() => {}); // whoever iterates hears of it there
    return { stopReason, cancel, [Symbol.asyncIterator]: () => turn.queue.read(() => void cancel()) };
  }

  async setMode(modeId: string): Promise<void> {
    await this.#link.request("session/set_mode", { sessionId: this.id, modeId }, { settle: "now" });
    if (this.modes !== undefined) this.modes = { ...this.modes, currentModeId: modeId };
  }

  async cancel(): Promise<void> {
    if (this.#turn !== undefined) await this.#cancel(this.#turn);
  }

  /** Takes an update from the connection: into the running turn, or to the listener. */
  receive(update: SessionUpdate): void | Promise<void> {
    const event = this.read(update);
    if (this.#turn !== undefined) return this.#turn.queue.push(event);
    this.#onUpdate(event, this);
  }

  /** Reads an update and keeps the session's own state in step with it. */
  read(update: SessionUpdate): UpdateEvent {
    const event = readUpdate(update, this.#toolCalls);
    if (event.type === "mode" && this.modes !== undefined) this.modes = { ...this.modes, currentModeId: event.modeId };
    return event;
  }

  /** Answers a permission request: `cancelled` at once when the turn is, whatever the handler says later. */
  async decide(request: RequestPermissionParams, closed: AbortSignal): Promise<RequestPermissionResult> {
    const cancelled: RequestPermissionResult = { outcome: { outcome: "cancelled" } };
    if (this.#turn?.cancelled === true) return cancelled;
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort();
    closed.addEventListener("abort", abort);
    this.#permissions.add(controller);
    try {
      const aborted = new Promise<"cancelled">((resolve) =>
        signal.addEventListener("abort", () => resolve("cancelled")),
      );
      const answer = await Promise.race([this.#link.permission(request, { signal }), aborted]);
      return { outcome: outcomeOf(answer, request.options) };
    } catch (error) {
      this.#link.onError(error, "session/request_permission");
      return cancelled;
    } finally {
      closed.removeEventListener("abort", abort);
      this.#permissions.delete(controller);
    }
  }

  async #run(
    turn: RunningTurn,
    params: PromptParams,
    signal: AbortSignal | undefined,
    cancel: () => Promise<void>,
  ): Promise<StopReason> {
    const onAbort = (): void => void cancel();
    try {
      if (signal?.aborted === true) turn.cancelled = true;
      else signal?.addEventListener("abort", onAbort, { once: true });
      const stopReason = turn.cancelled ? "cancelled" : await this.#ask(turn, params);
      turn.queue.end({ type: "stop", stopReason });
      return stopReason;
    } catch (error) {
      turn.queue.fail(error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#turn = undefined;
    }
  }

  /** Some agents answer a cancelled turn with an error; only a lost connection is one to the caller. */
  async #ask(turn: RunningTurn, params: PromptParams): Promise<StopReason> {
    try {
      return (await this.#link.request("session/prompt", params, { streams: true })).stopReason;
    } catch (error) {
      if (!turn.cancelled || isWireError(error)) throw error;
      this.#link.onDiagnostic({
        id: "cancel-as-error",
        method: "session/prompt",
        message: `A cancelled turn ended in an error: ${String(error)}`,
      });
      return "cancelled";
    }
  }

  async #cancel(turn: RunningTurn): Promise<void> {
    if (turn.cancelled || this.#turn !== turn) return;
    turn.cancelled = true;
    await this.#link.notify("session/cancel", { sessionId: this.id });
    for (const controller of this.#permissions) controller.abort();
  }
}
