import { isObject } from "@editwire/core";
import type { SeenMessage } from "../../../core/talk/monitor.js";
import type { TraceEntry } from "../../../trace/trace.js";

/** A message of a user, and what is known of its turn. */
export interface SeenTurn {
  /** `undefined`: the message names no session, and the session of the dial is not known. */
  readonly session: string | undefined;
  readonly requestId: string;
  thread: string | undefined;
  /** How often the host sent it. */
  sends: number;
  /** How often the agent said that it is complete. */
  ends: number;
  open: boolean;
  /** The text of each message. */
  readonly messages: Map<string, string>;
  /** The last message. */
  last: string | undefined;
}

/** A thread that host and agent know. */
export interface SeenThread {
  readonly sessions: Set<string>;
  /**
   * How it became known: the host named it, or the agent sent context_created, thread_created or user_created_thread.
   */
  readonly by: Set<string>;
  /**
   * The turn of a message is not certain: turns did not end in order, came again, or a user started one in the agent
   * itself.
   */
  unsure: boolean;
}

/** The readable content of one message. */
export interface Said {
  readonly name: string;
  readonly thread: string | undefined;
  readonly session: string | undefined;
  readonly request: string | undefined;
  readonly messageId: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Reads a message of one party, whatever form its fields have. */
export function saidBy({ from, is }: SeenMessage, party: "suite" | "target"): Said | undefined {
  if (from !== party || is.kind !== "notification" || !isObject(is.params)) return undefined;
  const fields = is.params;
  const session =
    party === "suite"
      ? (fields["helix_session_id"] ?? fields["session_id"])
      : (fields["session_id"] ?? fields["helix_session_id"]);
  return {
    name: is.method,
    thread: text(fields["acp_thread_id"]) ?? text(fields["context_id"]),
    session: text(session),
    request: [undefined, null, ""].includes(fields["request_id"] as null) ? undefined : String(fields["request_id"]),
    messageId: String(fields["message_id"] ?? ""),
    fields,
  };
}

/** Whether a message names no session at all. One that names a session in a wrong form is not meant. */
function isNameless({ helix_session_id, session_id }: Said["fields"]): boolean {
  return [helix_session_id, session_id].every((id) => id === undefined || id === null || id === "");
}

/** The session in the URL of a dial. */
function sessionOfDial(data: unknown): string | undefined {
  if (!isObject(data) || typeof data["url"] !== "string") return undefined;
  return text(new URL(data["url"], "ws://host").searchParams.get("session_id"));
}

/** The messages on a connection so far, and on those before it that it follows. */
export class AgentState {
  readonly turns: SeenTurn[] = [];
  readonly threads = new Map<string, SeenThread>();
  /** The session that the agent named when it dialed. A recorded trace may not have it. */
  #dialed: string | undefined;
  /** The requests that were sent on this connection. */
  readonly #asked = new Set<string>();

  /** Takes a dial or the loss of a connection into account. The last messages may be lost with the connection. */
  note(entry: TraceEntry): void {
    if (entry.kind !== "event") return;
    if (entry.name === "dropped") this.#asked.clear();
    if (entry.name === "connected") this.#dialed = sessionOfDial(entry.data) ?? this.#dialed;
  }

  /** Turns whose thread nobody has named. */
  pending(): SeenTurn[] {
    return this.turns.filter(({ thread }) => thread === undefined);
  }

  turn(requestId: string | undefined): SeenTurn | undefined {
    return this.turns.find((turn) => turn.requestId === requestId);
  }

  /** The turn that runs in a thread: the oldest one that did not end. */
  running(thread: string): SeenTurn | undefined {
    return this.turns.find((turn) => turn.thread === thread && turn.open);
  }

  /** Takes a message into account. It must be called after the message was judged. */
  take(seen: SeenMessage): void {
    const asked = saidBy(seen, "suite");
    if (asked !== undefined) return this.#ask(asked);
    const told = saidBy(seen, "target");
    if (told !== undefined) this.#tell(told);
  }

  #ask({ name, thread, session: named, request = "", fields }: Said): void {
    // The specification requires a session. An agent that answers a message without one may take that of the dial.
    const session = named ?? (isNameless(fields) ? this.#dialed : "");
    if (thread !== undefined && (name === "chat_message" || name === "open_thread"))
      this.#know(thread, session, "host");
    if (name !== "chat_message") return;
    const turn: SeenTurn = {
      session,
      requestId: request,
      thread,
      sends: 1,
      ends: 0,
      open: true,
      messages: new Map(),
      last: undefined,
    };
    const again = this.turn(request);
    if (again !== undefined) {
      again.sends += 1;
      this.#doubt(again.thread);
      const known = again.thread === undefined ? undefined : this.threads.get(again.thread);
      // A host that asks once more on another connection, and names no thread, has not heard of it.
      if (thread === undefined && !this.#asked.has(request)) known?.by.clear();
      // An agent that takes it for a new message may make a thread for it.
      if (thread === undefined) this.turns.push({ ...turn, open: false });
    } else this.turns.push(turn);
    this.#asked.add(request);
  }

  #tell({ name, thread, session, request, messageId, fields }: Said): void {
    switch (name) {
      case "context_created":
      case "thread_created": {
        if (thread === undefined) return;
        const isKnown = this.threads.has(thread);
        const waiting = this.pending();
        const asked =
          waiting.find(({ requestId }) => requestId === request) ??
          this.turn(request) ??
          waiting.find((one) => one.session === session) ??
          waiting.find(({ open }) => open) ??
          waiting[0];
        const turn = isKnown ? undefined : asked;
        this.#know(thread, turn?.session, name);
        if (turn !== undefined) turn.thread ??= thread;
        if (!isKnown && turn?.open !== true) this.#doubt(thread);
        return;
      }
      case "user_created_thread":
        if (thread !== undefined) this.#know(thread, undefined, name);
        return;
      case "message_added": {
        if (fields["role"] === "user" || fields["role"] === "system") this.#doubt(thread);
        const turn = thread === undefined ? undefined : this.running(thread);
        if (turn === undefined) return;
        turn.messages.set(messageId, String(fields["content"]));
        turn.last = messageId;
        return;
      }
      case "message_completed":
      case "chat_response_error":
      case "thread_load_error":
        return this.#end(this.turn(request), name === "message_completed");
    }
  }

  #end(turn: SeenTurn | undefined, isComplete: boolean): void {
    if (turn === undefined) return;
    if (turn.thread !== undefined && this.running(turn.thread) !== turn) this.#doubt(turn.thread);
    turn.open = false;
    if (isComplete) turn.ends += 1;
  }

  #know(thread: string, session: string | undefined, by: string): void {
    const known = this.threads.get(thread) ?? { sessions: new Set(), by: new Set(), unsure: false };
    known.by.add(by);
    this.threads.set(thread, known);
    if (session !== undefined) known.sessions.add(session);
  }

  #doubt(thread: string | undefined): void {
    const known = thread === undefined ? undefined : this.threads.get(thread);
    if (known !== undefined) known.unsure = true;
  }
}
