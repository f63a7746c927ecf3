import { onAbort } from "@editwire/core/aborts";
import { type AcpAgentClient, agentClientServices } from "./client-services.js";
import type { SessionClient } from "./session-client.js";

/** The session whose client is used. */
interface ServedSession {
  readonly id: string;
  readonly owner: SessionClient;
  readonly signal: AbortSignal;
  /** Resolves when the client knows the session. */
  ready(): Promise<void>;
}

/** The part of a session in which its client's services are used. */
interface ServicesSpan {
  readonly signal: AbortSignal;
  /** Throws when the part is over. */
  check(method: string): void;
  /** Calls `close` when the part ends, unless the returned function is called first. */
  opened(close: () => Promise<void>): () => void;
}

/** The services of the session's client, in a turn or, by default, as long as the session lasts. */
export function sessionServices(session: ServedSession, span: ServicesSpan = wholeSession(session)): AcpAgentClient {
  const { id: sessionId, owner } = session;
  return agentClientServices({
    sessionId,
    capabilities: owner.capabilities,
    check: (method, path) => owner.demands.check(method, path),
    request: async (method, params, { signal, timeoutMs } = {}) => {
      span.check(method);
      await session.ready();
      const either = signal === undefined ? span.signal : AbortSignal.any([span.signal, signal]);
      return owner.request(method, params, { signal: either, timeoutMs });
    },
    release: async (method, params) => {
      await session.ready(); // as `request`, so that it does not overtake one
      return owner.request(method, params, {});
    },
    opened: (close) => span.opened(close),
  });
}

function wholeSession(session: ServedSession): ServicesSpan {
  return {
    get signal() {
      return session.signal;
    },
    check: () => session.signal.throwIfAborted(),
    opened(close) {
      return onAbort(session.signal, () => void close().catch(() => {})); // the client ends them by itself
    },
  };
}
