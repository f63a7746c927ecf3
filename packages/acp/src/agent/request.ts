import type { AcpResult, Meta } from "@editwire/acp-schema";
import type { HandlerContext } from "@editwire/core";
import type { AskOptions } from "@editwire/session";
import { checkContent, type AcpElicitationQuestion } from "./client-services.js";
import type { SessionClient } from "./session-client.js";

type OfNoSession<Question> = Question extends unknown ? Omit<Question, "toolCallId"> : never;

/** Who asks, with what, and how the agent asks back before it answers. */
export interface AcpRequestContext extends AcpCallerContext {
  /** The `_meta` of the request. */
  readonly meta: Meta | undefined;
  /** Aborts when the client cancels the request, or its connection closes. */
  readonly signal: AbortSignal;
  /**
   * Asks the user to fill in a form or to open a page before the request is answered, such as when they sign in. The
   * question belongs to the request, and to no session. Rejects as `turn.client.elicit` does, and with
   * `WireError("aborted")` when the client cancels the request.
   */
  readonly elicit: (
    question: OfNoSession<AcpElicitationQuestion>,
    options?: AskOptions,
  ) => Promise<AcpResult<"elicitation/create">>;
  /**
   * Tells the client that the user is done with a page that `elicit` asked to open. Throws
   * `WireError("invalid_params")` if the client did not declare `elicitation.url`.
   */
  readonly completeElicitation: (elicitationId: string) => void | Promise<void>;
}

/** The context of one request of a client. */
export function requestContext(
  client: SessionClient,
  { _meta: meta }: { readonly _meta?: Meta | undefined },
  request: HandlerContext,
): AcpRequestContext {
  return {
    caller: client.caller,
    meta,
    get signal() {
      return request.signal;
    },
    async elicit(question, { signal, timeoutMs } = {}) {
      client.demands.check("elicitation/create", `elicitation.${question.mode}`);
      const either = signal === undefined ? request.signal : AbortSignal.any([request.signal, signal]);
      const params = { ...question, requestId: request.id };
      const answer = await client.request("elicitation/create", params, { signal: either, timeoutMs });
      return checkContent(question, answer);
    },
    completeElicitation(elicitationId) {
      client.demands.check("elicitation/complete", "elicitation.url");
      return client.connection().notify("elicitation/complete", { elicitationId });
    },
  };
}

/** Who asks. */
export interface AcpCallerContext {
  /** The caller, as the listener's `authenticate` returned it; `undefined` without it. */
  readonly caller: string | undefined;
}
