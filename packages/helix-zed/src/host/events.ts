import type { HelixZedParams } from "@editwire/helix-zed-schema";
import type { DispatchLink, HostDispatcher } from "./dispatch.js";
import { Interaction } from "./interaction.js";
import type { HelixZedInteraction } from "./records.js";
import type { HostSession, Sent } from "./sessions.js";

/** The fields that say to which session an event belongs. */
interface Address {
  readonly session_id: string;
  readonly request_id?: string | undefined;
  readonly acp_thread_id?: string | undefined;
}

interface Found {
  readonly session: HostSession | undefined;
  readonly interaction: Interaction | undefined;
}

/** The parts of a link that events and requests use. */
export interface SessionsLink extends DispatchLink {
  readonly dispatcher: HostDispatcher;
}

/** Applies an agent's events to the sessions of its link. Only an event that must be saved takes a promise. */
export class HostEvents {
  readonly #link: SessionsLink;

  constructor(link: SessionsLink) {
    this.#link = link;
  }

  /** Maps the session to the thread. Another thread than before replaces it. */
  async threadCreated(params: HelixZedParams<"context_created"> | HelixZedParams<"thread_created">): Promise<void> {
    const threadId = params.acp_thread_id;
    const other = this.#link.sessions.byThread(threadId);
    const session = this.#inFlight(params)?.session ?? this.#named(params) ?? other;
    if (session === undefined) return this.#unmatched("context_created", params);
    if (session.threadId === threadId) return;
    if (other !== undefined) {
      const text = `the sessions "${other.id}" and "${session.id}" have one thread, "${threadId}"`;
      this.#link.context.diagnose("shared-thread", "context_created", text);
    }
    await this.map(session, threadId);
  }

  /** Maps a session to a thread, or to none, durably. */
  async map(session: HostSession, threadId: string | undefined): Promise<void> {
    this.#link.sessions.map(session, threadId);
    await this.#link.keeper.saveSession(session);
    this.#link.context.tell({ type: "thread", sessionId: session.id, threadId });
    this.#link.dispatch(session);
  }

  /** Takes an update. There may be very many: none costs a promise, except those that begin an interaction. */
  messageAdded(params: HelixZedParams<"message_added">): void | Promise<void> {
    const { session, interaction } = this.#find(params);
    if (session === undefined) return this.#unmatched("message_added", params);
    const isForeign = interaction === undefined || interaction === session.foreign?.interaction;
    if (params.role === "user" && isForeign && session.current === session.foreign?.interaction)
      return this.#userMessage(session, params);
    if (interaction === undefined || params.role !== "assistant") {
      const { message_id: id, content, timestamp, role } = params;
      if (role === "assistant") this.#unmatched("message_added", params);
      const message = { id, content, timestamp };
      return this.#link.context.tell({ type: "message", sessionId: session.id, role, message });
    }
    interaction.activeAt = performance.now();
    interaction.answeredFrom(this.#link.connection ?? this);
    if (interaction.answer.update(params)) {
      interaction.changed(params.message_id);
      session.state.changed();
      this.#link.keeper.saveSoon(interaction);
    } else {
      const text = `the answer to ${interaction.requestId} would grow beyond its limits; an update was dropped`;
      this.#link.context.diagnose("answer-too-large", "message_added", text);
    }
  }

  async messageCompleted(params: HelixZedParams<"message_completed">): Promise<void> {
    const { session, interaction } = this.#find(params);
    if (session === undefined || interaction === undefined) return this.#unmatched("message_completed", params);
    const isForeign = interaction === session.foreign?.interaction;
    // A late completion of one of our own requests does not end what the user asked on the agent's side.
    if (isForeign && isNamed(params.request_id) && (await this.#link.context.store.interaction(params.request_id)))
      return this.#unmatched("message_completed", params);
    // The thread was announced to a host that ended before it had saved it.
    if (session.threadId === undefined && isNamed(params.acp_thread_id)) await this.map(session, params.acp_thread_id);
    if (interaction.isCancelled) return this.#link.keeper.end(session, interaction, { state: "interrupted" });
    const isError = interaction.answer.isEmpty && this.#link.context.options.emptyAnswer === "error";
    await this.#link.keeper.end(
      session,
      interaction,
      isError
        ? { state: "error", error: "the answer is empty" }
        : { state: "complete", usage: params.usage ?? undefined },
    );
  }

  /** The whole answer of an agent of 2025, as one message, and its end. */
  chatResponse(params: HelixZedParams<"chat_response">): void | Promise<void> {
    const { request_id, content } = params;
    const { interaction } = this.#find(params);
    if (interaction === undefined) return this.#unmatched("chat_response", params);
    void this.messageAdded(messageOf(params, content));
    return this.chatResponseDone({ session_id: params.session_id, request_id });
  }

  /** A piece of such an answer. */
  chatResponseChunk(params: HelixZedParams<"chat_response_chunk">): void | Promise<void> {
    const { interaction } = this.#find(params);
    if (interaction === undefined) return this.#unmatched("chat_response_chunk", params);
    interaction.answeredFrom(this.#link.connection ?? this); // the pieces of another connection do not count
    const before = interaction.answer.message(params.request_id)?.content ?? "";
    return this.messageAdded(messageOf(params, before + params.chunk));
  }

  /** The end of such an answer. */
  chatResponseDone({ session_id, request_id }: HelixZedParams<"chat_response_done">): Promise<void> {
    return this.messageCompleted({ session_id, request_id, acp_thread_id: "", message_id: request_id });
  }

  async turnCancelled(params: HelixZedParams<"turn_cancelled">): Promise<void> {
    const { session, interaction } = this.#find(params);
    // The agent has no such turn. One whose copy it refused is over, then.
    if (params.status === "noop" && interaction?.refusal === undefined) {
      if (interaction !== undefined) interaction.isCancelled = false;
      return;
    }
    if (session === undefined || interaction === undefined) return this.#unmatched("turn_cancelled", params);
    await this.#link.keeper.end(session, interaction, { state: "interrupted" });
  }

  async turnFailed(params: HelixZedParams<"chat_response_error">): Promise<void> {
    const { session, interaction } = this.#find(params);
    if (session === undefined || interaction === undefined) return this.#unmatched("chat_response_error", params);
    if (this.#link.dispatcher.refused(session, interaction, params.error)) return;
    await this.#link.keeper.end(session, interaction, { state: "error", error: params.error });
  }

  /**
   * Ends the request that it names. When the agent does not have the thread, the next message begins a new one. After
   * any other failure the agent may still have the thread with all that was said in it.
   */
  async threadFailed(params: HelixZedParams<"thread_load_error">): Promise<void> {
    const { acp_thread_id: threadId, request_id: requestId, error } = params;
    const { session, interaction } = this.#find(params);
    if (session !== undefined && session.threadId === threadId && isMissingThread(error, threadId)) {
      await this.map(session, undefined);
      if (isNamed(requestId) && interaction !== undefined)
        return this.#link.keeper.end(session, interaction, { state: "error", error });
    }
    if (isNamed(requestId)) return this.turnFailed(params);
    const text = `the agent cannot load the thread "${threadId}": ${error}`;
    this.#link.context.diagnose("thread-not-loaded", "thread_load_error", text);
  }

  async titleChanged(params: HelixZedParams<"thread_title_changed">): Promise<void> {
    const session = this.#link.sessions.byThread(params.acp_thread_id);
    if (session === undefined) return this.#unmatched("thread_title_changed", params);
    await this.rename(session, params.title);
  }

  /** Gives a session another title, durably. */
  async rename(session: HostSession, title: string): Promise<void> {
    session.title = title;
    await this.#link.keeper.saveSession(session);
    this.#link.context.tell({ type: "title", sessionId: session.id, title });
  }

  /** A thread that the user began is a session from now on. */
  async userThread({ acp_thread_id: threadId, title: given }: HelixZedParams<"user_created_thread">): Promise<void> {
    const { agentId, sessions, keeper, context } = this.#link;
    if (sessions.byThread(threadId) !== undefined) return;
    const title = given ?? undefined;
    const session = sessions.add({ id: `ses_${crypto.randomUUID()}`, agentId, threadId, title });
    await keeper.saveSession(session);
    context.tell({ type: "session", sessionId: session.id, agentId, threadId, title });
  }

  ready(): void {
    this.#link.dispatcher.ready();
  }

  /**
   * The connection is lost: what was cancelled is not asked again, and what the user asked on the agent's side cannot
   * be.
   */
  async disconnected(): Promise<void> {
    if (this.#link.connection !== undefined) return;
    for (const session of this.#link.sessions) {
      for (const interaction of [...session.queue])
        if (interaction.isCancelled) await this.#link.keeper.interrupt(session, interaction);
      if (session.foreign !== undefined)
        await this.#link.keeper.end(session, session.foreign.interaction, { state: "interrupted" });
    }
  }

  /** A message that the user wrote on the agent's side begins an interaction, or it is the last one again. */
  async #userMessage(
    session: HostSession,
    { message_id, content, timestamp }: HelixZedParams<"message_added">,
  ): Promise<void> {
    const { context, keeper, connection } = this.#link;
    if (session.foreign?.messageId === message_id) return session.foreign.interaction.reword(content);
    if (session.foreign !== undefined) await keeper.end(session, session.foreign.interaction, { state: "complete" });
    const record: HelixZedInteraction = {
      sessionId: session.id,
      requestId: `user_${crypto.randomUUID()}`,
      message: content,
      state: "waiting",
      messages: [],
      origin: "agent",
      createdAt: timestamp * 1_000,
    };
    const interaction = new Interaction(record, context.answer(record));
    interaction.sentOn = connection;
    interaction.answeredOn = connection;
    session.foreign = { messageId: message_id, interaction };
    await keeper.saveNew(session, interaction);
    session.state.changed();
  }

  /**
   * The session by request, by thread, or by its name, which also tells sessions of one thread apart. The interaction
   * by its request; without one it is the one that was sent last.
   */
  #find(params: Address): Found {
    const asked = this.#inFlight(params);
    if (asked !== undefined) return asked;
    const named = this.#named(params);
    const isItsThread = isNamed(params.session_id) && named?.threadId === params.acp_thread_id;
    const session = isItsThread ? named : (this.#link.sessions.byThread(params.acp_thread_id) ?? named);
    const interaction = isNamed(params.request_id) ? session?.foreign?.interaction : session?.current;
    return { session, interaction };
  }

  #inFlight({ request_id }: Address): Sent | undefined {
    return isNamed(request_id) ? this.#link.sessions.inFlight(request_id) : undefined;
  }

  /** The session that the event names. An agent that names none means the one for which it dialed. */
  #named({ session_id }: Address): HostSession | undefined {
    return this.#link.sessions.get(isNamed(session_id) ? session_id : this.#link.agentId);
  }

  #unmatched(method: string, params: Address): void {
    const { session_id = "", request_id = "", acp_thread_id = "" } = params;
    const address = `session "${session_id}", thread "${acp_thread_id}", request "${request_id}"`;
    this.#link.context.diagnose("unmatched", method, `ignored: nothing waits for it here (${address})`);
  }
}

/** The update that says the same as a `chat_response`: a request has one message, which has its id. */
function messageOf(
  { session_id, request_id }: HelixZedParams<"chat_response_done">,
  content: string,
): HelixZedParams<"message_added"> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return { session_id, request_id, acp_thread_id: "", message_id: request_id, role: "assistant", content, timestamp };
}

function isNamed(id: string | undefined): id is string {
  return id !== undefined && id !== "";
}

const thread = "(?:thread|session|rollout|conversation)";
const patterns = [
  new RegExp(`\\bno (?:such )?${thread}s?(?: id)?\\W*(?:was |were )?(?:found|exists?)\\b`, "i"),
  new RegExp(`\\bno such ${thread}\\b`, "i"),
  new RegExp(`\\b(?:is|was) no ${thread}\\W*(?:$|ID\\b)`, "i"),
  new RegExp(`\\bunknown ${thread}\\b`, "i"),
  new RegExp(`\\b(?:could not|cannot|failed to) find (?:the )?${thread}(?: id)?\\W*(?:$|ID\\b)`, "i"),
  new RegExp(`\\b${thread}(?: id)?\\W*(?:ID\\W*)?(?:was |is )?(?:not found|does not exist|could not be found)\\b`, "i"),
];

/**
 * Tells from an agent's error text that it does not have a thread, as opposed to one that it cannot load now. The
 * protocol has no code for it. Other things that were not found, such as a command, do not count.
 */
function isMissingThread(error: string, threadId: string): boolean {
  const quoted = threadId.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const text = error.replace(new RegExp(`(?<![\\w-])${quoted}(?![\\w-])`, "g"), "ID");
  return patterns.some((pattern) => pattern.test(text));
}
