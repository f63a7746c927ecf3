import { WireError } from "@editwire/core/errors";
import { defaultCloseTimeoutMs } from "../stream/transport.js";
import { answerLater, answerText } from "./answers.js";
import { keysHeader, keysTaken } from "./keys.js";
import type { HttpClient, HttpServerLimits } from "./options.js";
import type { ListenerReports } from "../listening/reports.js";
import { defaultMaxQueuedTotal, QueueTotal } from "../listening/queue-total.js";
import { HttpSession, type HttpSessionLimits } from "./session.js";

const lostEvents =
  "what followed this event is not kept: the client was away for too long, or the server was restarted";

/** The sessions of one HTTP server, by their callers and ids. */
export class HttpSessions {
  readonly #maxClients: number;
  readonly #reports: ListenerReports;
  readonly #limits: HttpSessionLimits;
  readonly #byKey = new Map<string, HttpSession>();
  #closing = false;

  constructor(options: HttpServerLimits, maxStreams: number, reports: ListenerReports) {
    const { maxQueuedBytes = 16 * 1024 * 1024, maxReplayBytes = 16 * 1024 * 1024, maxClients = 256 } = options;
    const { idleMs = 300_000, keepAliveMs = 5_000, closeTimeoutMs = defaultCloseTimeoutMs } = options;
    this.#maxClients = maxClients;
    this.#reports = reports;
    const total = new QueueTotal(options.maxQueuedTotal ?? defaultMaxQueuedTotal, reports);
    this.#limits = { maxQueuedBytes, maxReplayBytes, maxStreams, idleMs, keepAliveMs, closeTimeoutMs, total };
  }

  /** The session of a client, also one that is over and not forgotten yet. */
  get(client: HttpClient): HttpSession | undefined {
    return this.#byKey.get(keyOf(client));
  }

  /** Makes the session of a client. Returns the answer to it when there is no place for one. */
  add(client: HttpClient, streamOf?: (json: string) => string | undefined): HttpSession | Response {
    if (this.#closing) return answerText(503, "the server is closing");
    if (!this.#makeRoom()) {
      this.#reports.add(
        "listener.full",
        `a client was refused: all ${this.#maxClients} others are present (maxClients)`,
      );
      return answerLater(503, "too many clients");
    }
    const key = keyOf(client);
    const forget = (): void => {
      if (this.#byKey.get(key) === session) this.#byKey.delete(key);
    };
    const session = new HttpSession(this.#limits, forget, streamOf);
    this.#byKey.set(key, session);
    return session;
  }

  /** Admits no more clients, and closes those that are there. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(Array.from(this.#byKey.values(), (session) => session.close()));
  }

  /**
   * Ends a client if all slots are taken: one that is over, then the oldest that did not complete its handshake, then
   * the one that is away the longest. False when every client is present.
   */
  #makeRoom(): boolean {
    if (this.#byKey.size < this.#maxClients) return true;
    const sessions = [...this.#byKey.values()];
    const leaving = sessions.find(({ over }) => over) ?? sessions.find(({ keepsSlot }) => !keepsSlot);
    if (leaving !== undefined) {
      leaving.leave(new WireError("closed", "another client replaced this one, which did not complete its handshake"));
      return true;
    }
    const [absent] = sessions.filter(isAbsent).toSorted((a, b) => a.absentSince - b.absentSince);
    if (absent === undefined) return false;
    const awayMs = Math.round(performance.now() - absent.absentSince);
    const why = `there are ${this.#maxClients} clients (maxClients), and this one was away for ${awayMs} ms`;
    this.#reports.add("listener.full", "a client that was away made room for another", why);
    absent.leave(new WireError("closed", `another client replaced this one: ${why}`));
    return true;
  }
}

function isAbsent(session: HttpSession): session is HttpSession & { readonly absentSince: number } {
  return session.absentSince !== undefined;
}

/** Answers with an event stream of a session, after the event that `Last-Event-ID` names. 410 when it is not kept. */
export function eventsAnswer(session: HttpSession | undefined, stream: string, after: string | null): Response {
  const open = session?.openStream(stream, after);
  if (open === undefined) return answerText(410, lostEvents);
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    // The event that the stream continues after, for a client that loses it before its first event.
    "last-event-id": open.lastEventId,
    [keysHeader]: keysTaken,
  };
  return new Response(open.body, { headers });
}

/** Ids of two callers may be equal. JSON keeps what one caller chooses from looking like another's. */
function keyOf({ id, caller }: HttpClient): string {
  return JSON.stringify([caller, id]);
}
