import type {
  ChatResponseErrorParams,
  ContextCreatedParams,
  MessageAddedParams,
  MessageCompletedParams,
  ThreadCreatedParams,
  ThreadLoadErrorParams,
  ThreadTitleChangedParams,
  TurnCancelledParams,
  UserCreatedThreadParams,
} from "@editwire/helix-zed-schema";
import type { HostLink, Sent } from "./host-link.js";
import type { HelixHostOptions } from "./host-options.js";
import type { HostSession } from "./host-session.js";
import type { Interaction } from "./interaction.js";
import { after } from "./timers.js";

/** What agents say of a thread that they do not have, as opposed to one that they cannot load now. */
const missingThread =
  /\bno (such )?(thread|session)\b|\bunknown (thread|session)\b|\b(thread|session)\b.*\b(not found|does not exist)\b/i;

type Done = void | Promise<void>;

/** The fields by which an event is told to which session it belongs. */
interface Address {
  readonly session_id: string;
  readonly request_id?: string | undefined;
  readonly acp_thread_id?: string | undefined;
}

/** What an agent's messages do to the sessions of its link. */
export class HostEvents {
  readonly #link: HostLink;
  readonly #options: HelixHostOptions;

  constructor(link: HostLink, options: HelixHostOptions) {
    this.#link = link;
    this.#options = options;
  }

  /** Maps the session to the thread; another thread than before replaces it. */
  threadCreated(params: ContextCreatedParams | ThreadCreatedParams): Done {
    const session = this.#inFlight(params)?.session ?? this.#named(params) ?? this.#link.byThread(params.acp_thread_id);
    if (session === undefined) return this.#unmatched("context_created", params);
    if (session.threadId === params.acp_thread_id) return;
    const other = this.#link.byThread(params.acp_thread_id);
    if (other !== undefined)
      this.#diagnose(
        "shared-thread",
        "context_created",
        `the sessions "${other.id}" and "${session.id}" have one thread, "${params.acp_thread_id}"`,
      );
    return this.#link.map(session, params.acp_thread_id);
  }

  messageAdded(params: MessageAddedParams): Done {
    const found = this.#find(params);
    const { session, interaction } = found;
    if (session === undefined) return this.#unmatched("message_added", params);
    if (interaction === undefined || params.role !== "assistant") {
      const { message_id: id, content, timestamp, role } = params;
      if (params.role === "assistant") this.#unmatched("message_added", params);
      return this.#tell({ type: "message", session, role, message: { id, content, timestamp } });
    }
    interaction.heardAt = performance.now();
    if (interaction.answer.update(params)) interaction.changed(params.message_id);
    else
      this.#diagnose(
        "answer-too-large",
        "message_added",
        `the answer to ${interaction.requestId} would grow beyond its limits; an update was dropped`,
      );
  }

  messageCompleted(params: MessageCompletedParams): Done {
    const { session, interaction } = this.#find(params);
    if (session === undefined || interaction === undefined) return this.#unmatched("message_completed", params);
    const isError = interaction.answer.isEmpty && this.#options.emptyAnswer === "error";
    return this.#link.end(
      session,
      interaction,
      isError
        ? { state: "error", error: "the answer is empty" }
        : { state: "complete", usage: params.usage ?? undefined },
    );
  }

  turnCancelled(params: TurnCancelledParams): Done {
    if (params.status === "noop") return;
    const { session, interaction } = this.#find(params);
    if (session === undefined || interaction === undefined) return this.#unmatched("turn_cancelled", params);
    return this.#link.end(session, interaction, { state: "interrupted" });
  }

  turnFailed(params: ChatResponseErrorParams): Done {
    const { session, interaction } = this.#find(params);
    if (session === undefined || interaction === undefined) return this.#unmatched("chat_response_error", params);
    return this.#link.end(session, interaction, { state: "error", error: params.error });
  }

  /**
   * Ends the request that it names. A thread that the agent has no more is left, so that the next message begins a new one; after any
   * other failure it may still be there, with all that was said in it.
   */
  threadFailed(params: ThreadLoadErrorParams): Done {
    const { acp_thread_id: threadId, request_id: requestId, error } = params;
    const { session } = this.#find(params);
    const isGone = session !== undefined && session.threadId === threadId && missingThread.test(error);
    return after(isGone ? this.#link.map(session, undefined) : undefined, () => {
      if (isNamed(requestId)) return this.turnFailed(params);
      this.#diagnose(
        "thread-not-loaded",
        "thread_load_error",
        `the agent cannot load the thread "${threadId}": ${error}`,
      );
    });
  }

  titleChanged(params: ThreadTitleChangedParams): Done {
    const session = this.#link.byThread(params.acp_thread_id);
    if (session === undefined) return this.#unmatched("thread_title_changed", params);
    return this.#link.rename(session, params.title);
  }

  userThread({ acp_thread_id: threadId, title }: UserCreatedThreadParams): Done {
    this.#tell({ type: "user_thread", agentId: this.#link.agentId, threadId, title: title ?? undefined });
  }

  ready(): Done {
    this.#link.ready();
  }

  /** The session by request, by thread, by its name, which also tells sessions of one thread apart; the interaction by its request, or else the one that was sent last. */
  #find(params: Address): { session: HostSession | undefined; interaction: Interaction | undefined } {
    const asked = this.#inFlight(params);
    if (asked !== undefined) return asked;
    const named = this.#named(params);
    const isItsThread = isNamed(params.session_id) && named?.threadId === params.acp_thread_id;
    const session = isItsThread ? named : (this.#link.byThread(params.acp_thread_id) ?? named);
    return { session, interaction: isNamed(params.request_id) ? undefined : session?.current };
  }

  #inFlight({ request_id }: Address): Sent | undefined {
    return isNamed(request_id) ? this.#link.inFlight(request_id) : undefined;
  }

  /** The session that the event names; an agent that names none speaks of the one it dialled for. */
  #named({ session_id }: Address): HostSession | undefined {
    return this.#link.sessions.get(isNamed(session_id) ? session_id : this.#link.agentId);
  }

  #unmatched(method: string, params: Address): void {
    const { session_id = "", request_id = "", acp_thread_id = "" } = params;
    this.#diagnose(
      "unmatched",
      method,
      `nothing waits for it here: session "${session_id}", thread "${acp_thread_id}", request "${request_id}"; it is ignored`,
    );
  }

  #diagnose(id: string, method: string, message: string): void {
    this.#options.onDiagnostic?.({ id, method, message });
  }

  #tell(event: Parameters<NonNullable<HelixHostOptions["onEvent"]>>[0]): void {
    this.#link.tell(event);
  }
}

function isNamed(id: string | undefined): id is string {
  return id !== undefined && id !== "";
}
