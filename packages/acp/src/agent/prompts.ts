import { type AcpParams, type AcpResult, promptInProgress } from "@editwire/acp-schema";
import type { Listeners } from "@editwire/session";
import type { AgentSession, WaitingPrompt } from "./session.js";
import { type AcpTurns, AskedPrompt } from "./asked-prompt.js";
import { AgentTurn, type AcpTurnHandler } from "./turn.js";

interface PromptParts extends Pick<Listeners, "onError"> {
  /** Runs turns, or has turns of its own. */
  readonly handler: AcpTurnHandler | AcpTurns;
  readonly whenBusy: "reject" | "queue" | "steer";
  readonly maxQueuedPrompts: number;
  readonly cancelGraceMs: number;
}

const cancelled: AcpResult<"session/prompt"> = { stopReason: "cancelled" };

/** Runs the prompts of one connection: one turn of a session at a time, unless the agent has turns of its own. */
export class AgentPrompts {
  readonly #parts: PromptParts;

  constructor(parts: PromptParts) {
    this.#parts = parts;
  }

  /** Answers a prompt. The signal is that of its request. */
  prompt(
    session: AgentSession,
    params: AcpParams<"session/prompt">,
    signal: AbortSignal,
  ): Promise<AcpResult<"session/prompt">> {
    const { handler } = this.#parts;
    if (typeof handler !== "function") return this.#answered(handler, session, params, signal);
    if (!session.running) return this.#run(handler, session, params, signal);
    if (this.#parts.whenBusy === "reject" || session.waiting.length >= this.#parts.maxQueuedPrompts)
      throw promptInProgress(session.id);
    return this.#wait(handler, session, params, signal);
  }

  /** Ends the turn of a session and every prompt that waits for it, each as `cancelled`. */
  static cancel(session: AgentSession): void {
    for (const { resolve } of session.waiting.splice(0)) resolve(cancelled);
    session.turn?.cancel();
    for (const prompt of session.asked.keys()) prompt.cancel();
  }

  async #answered(
    turns: AcpTurns,
    session: AgentSession,
    params: AcpParams<"session/prompt">,
    signal: AbortSignal,
  ): Promise<AcpResult<"session/prompt">> {
    session.owner.inserted(session.id, params.prompt, crypto.randomUUID());
    const prompt = new AskedPrompt(session, params, signal);
    const answer = prompt.answeredBy(turns, (error) => this.#parts.onError(error, "session/prompt"));
    session.asked.set(prompt, answer);
    try {
      return await answer;
    } finally {
      session.asked.delete(prompt);
    }
  }

  #wait(
    handler: AcpTurnHandler,
    session: AgentSession,
    params: AcpParams<"session/prompt">,
    signal: AbortSignal,
  ): Promise<AcpResult<"session/prompt">> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingPrompt = {
        params,
        resolve,
        reject,
        start: () => {
          signal.removeEventListener("abort", leave);
          this.#run(handler, session, params, signal).then(resolve, reject);
        },
      };
      const leave = (): void => {
        const at = session.waiting.indexOf(waiting);
        if (at < 0) return; // the running turn has taken it, or it was cancelled
        session.waiting.splice(at, 1);
        resolve(cancelled);
      };
      signal.addEventListener("abort", leave);
      session.waiting.push(waiting);
      if (signal.aborted) leave();
      else session.turn?.steered();
    });
  }

  async #run(
    handler: AcpTurnHandler,
    session: AgentSession,
    params: AcpParams<"session/prompt">,
    signal: AbortSignal,
  ): Promise<AcpResult<"session/prompt">> {
    const { cancelGraceMs, onError, whenBusy } = this.#parts;
    const report = (error: unknown): void => onError(error, "session/prompt");
    const turn = new AgentTurn(session, params, { onError: report, takesSteers: whenBusy === "steer" });
    if (signal.aborted) turn.cancel();
    const cancel = (): void => turn.cancel();
    signal.addEventListener("abort", cancel);
    session.turn = turn;
    let over = (): void => {};
    session.turnOver = new Promise((resolve) => (over = resolve));
    let answerTaken = (waiting: WaitingPrompt): void => waiting.resolve(cancelled);
    try {
      session.recordPrompt(params.prompt);
      const result = await turn.run({ handler, cancelGraceMs, onError: report });
      answerTaken = (waiting) => waiting.resolve({ stopReason: result.stopReason });
      return result;
    } catch (error) {
      answerTaken = (waiting) => waiting.reject(error);
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
      session.turn = undefined;
      // The answer of this prompt leaves first, in the jobs of this tick.
      setTimeout(() => {
        turn.taken.forEach(answerTaken);
        over();
        if (session.turn === undefined) session.waiting.shift()?.start();
      }, 0);
    }
  }
}
