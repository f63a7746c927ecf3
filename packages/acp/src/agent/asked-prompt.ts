import type { AcpParams, AcpResult, ContentBlock, Meta, StopReason } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import type { AcpAgentClient } from "./client-services.js";
import type { AgentSession } from "./session.js";
import type { AcpAgentSession } from "./session-api.js";
import { sessionServices } from "./session-services.js";

/** A prompt of the client, for an agent that has turns of its own. */
export interface AcpPrompt {
  readonly session: AcpAgentSession;
  readonly content: readonly ContentBlock[];
  /** The `_meta` of the prompt. */
  readonly meta: Meta | undefined;
  /** Aborts when the client cancels the prompt or its connection closes. */
  readonly signal: AbortSignal;
  /** The services of the client until the prompt is answered: files, terminals, questions to the user. */
  readonly client: AcpAgentClient;
}

/**
 * Turns of the agent's own. The agent answers each prompt as it arrives: it decides itself what happens to one that
 * comes while another is not answered, and for how long a cancelled one may run. `whenBusy`, `maxQueuedPrompts` and
 * `cancelGraceMs` do not apply.
 */
export interface AcpTurns {
  /** Resolves with the answer to a prompt: a stop reason, or the whole answer with its `_meta`. */
  answer(prompt: AcpPrompt): Promise<StopReason | AcpResult<"session/prompt">>;
}

/** An `AcpPrompt` with the part that the connection uses. */
export class AskedPrompt implements AcpPrompt {
  readonly session: AgentSession;
  readonly content: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly #controller = new AbortController();
  readonly #stopWatching: () => void;
  /** Releases what the client lends for this prompt. */
  readonly #open = new Set<() => Promise<void>>();
  #isAnswered = false;

  /** @param request The signal of the prompt's request. */
  constructor(session: AgentSession, { prompt, _meta }: AcpParams<"session/prompt">, request: AbortSignal) {
    this.session = session;
    this.content = prompt;
    this.meta = _meta;
    if (request.aborted) this.cancel();
    this.#stopWatching = onAbort(request, () => this.cancel());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get client(): AcpAgentClient {
    return sessionServices(this.session, {
      signal: this.signal,
      check: (method) => this.#check(method),
      opened: (close) => {
        this.#open.add(close);
        return () => void this.#open.delete(close);
      },
    });
  }

  cancel(): void {
    this.#controller.abort(new WireError("aborted", `a prompt of session ${this.session.id} was cancelled`));
  }

  /** Has the agent answer, and releases what it has borrowed. `onError` receives what cannot be released. */
  async answeredBy(turns: AcpTurns, onError: (error: unknown) => void): Promise<AcpResult<"session/prompt">> {
    try {
      const result = await turns.answer(this);
      return typeof result === "string" ? { stopReason: result } : result;
    } finally {
      this.#isAnswered = true;
      this.#stopWatching();
      for (const close of this.#open) await close().catch(onError);
    }
  }

  #check(method: string): void {
    if (this.#isAnswered)
      throw new WireError("closed", `${method}: the prompt of session ${this.session.id} was answered`);
  }
}
