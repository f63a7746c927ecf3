import {
  type ChatCommand,
  type ChatSummary,
  type EcaParams,
  type EcaServer,
  type EcaServerConnection,
  type EcaServerSession,
  type EcaServerTurn,
  type EcaStoredSession,
  ErrorCode,
  RemoteError,
} from "@editwire/eca";
import type { Agent } from "../hub/agent.js";
import { checkFront, frontKinds, type FrontOptions, openSession, reportsOf, stopReasonOf } from "../shared/front.js";
import { ecaMapping } from "../mapping/eca.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentEvent } from "../api/events.js";
import type { AgentSession } from "../api/session.js";
import { signedIn } from "../shared/sign-in.js";
import { isEnd } from "../api/tool-call-state.js";
import { EcaView } from "./eca-view.js";
import { contentsOf } from "./history.js";
import { reportLosses } from "./losses.js";
import { infoOf, select, selectionOf } from "./info.js";
import { isText } from "../shared/prompt.js";
import { blocksOf, foldersOf } from "./prompt.js";
import { chooseSignIn } from "./sign-in.js";

/**
 * Serves an agent over ECA: every function of `@editwire/eca` that serves a server takes the result. It is for one
 * connection, as ECA's servers are; a second client is refused.
 */
export function toEca(agent: Agent, options: FrontOptions = {}): EcaServer {
  checkFront("toEca", agent, options, frontKinds);
  const front = new EcaFront(agent, reportsOf(agent, "eca", ecaMapping, options));
  return {
    initialize: (params) => front.initialize(params),
    initialized: (connection) => front.initialized(connection),
    prompt: (turn) => front.prompt(turn),
    queryCommands: ({ chatId, query }) => front.commands(chatId, query),
    listSessions: () => front.list(),
    loadSession: (id, { shown }) => front.load(id, shown),
    renameSession: async ({ id }, title) => front.session(id)?.setTitle(title),
    deleteSession: ({ id }) => agent.deleteSession(id),
    shutdown: () => front.shutdown(),
    methods: {
      "chat/clear": (params) => front.refuse("chat/clear", params),
      "chat/rollback": (params) => front.refuse("chat/rollback", params),
      "chat/fork": (params) => front.refuse("chat/fork", params),
    },
  };
}

/** A call that the client is shown as a part of the running turn. */
function isOpenCall(event: AgentEvent): boolean {
  return event.type === "tool_call" && !isEnd(event.toolCall.status);
}

/** A chat of the client, and the view that shows it. */
interface Shown {
  readonly session: AgentSession;
  readonly view: EcaView;
  readonly detach: () => void;
}

/** The one connection of a `toEca`. */
class EcaFront {
  readonly #agent: Agent;
  readonly #reports: MappingReports;
  readonly #shown = new Map<string, Shown>();
  #client: EcaParams<"initialize"> | undefined;
  #connection: EcaServerConnection | undefined;
  /** True when the agent knows of this client. */
  #isNoted = false;
  /** True when the client knows the models and behaviors, which some agents find out with their first session. */
  #isOffered = false;

  constructor(agent: Agent, reports: MappingReports) {
    this.#agent = agent;
    this.#reports = reports;
  }

  async initialize(params: EcaParams<"initialize">) {
    if (this.#connection !== undefined) throw RemoteError.invalidRequest("initialize: this server has a client");
    this.#client = params;
    await this.#agent.connected(foldersOf(params));
    this.#isNoted = true;
    const { modes, configOptions } = this.#agent.definition;
    this.#isOffered = modes !== undefined || configOptions !== undefined;
    return infoOf(this.#agent.definition);
  }

  initialized(connection: EcaServerConnection): void {
    this.#connection = connection;
  }

  async prompt(turn: EcaServerTurn): Promise<void> {
    const { session, view } = await signedIn(
      this.#agent.definition,
      () => this.#show(turn.session),
      (methods) => chooseSignIn(turn, methods, this.#reports),
    );
    await select(session, turn);
    const prompt = blocksOf(turn.promptText, turn.contexts);
    view.begin(turn, prompt);
    if (prompt.length <= turn.contexts.length) this.#reports.report("prompt", session);
    const ended = session.prompt(prompt, { view, signal: turn.signal });
    view.begun();
    stopReasonOf(await ended);
  }

  commands(chatId: string | undefined, query: string): ChatCommand[] {
    const session = chatId === undefined ? undefined : this.session(chatId);
    const { commands = [] } = session ?? this.#agent.definition;
    const found = commands.filter(({ name }) => name.includes(query));
    return found.map(({ name, description = "", input }) => ({
      name,
      description,
      type: "customPrompt",
      arguments: input === undefined ? [] : [{ name: input.hint ?? "text", required: false }],
    }));
  }

  async list(): Promise<ChatSummary[]> {
    const sessions = await this.#agent.listSessions();
    return sessions.map(({ sessionId: id, title, createdAt, updatedAt, messages = 0, running = false }) => ({
      id,
      status: running ? "running" : "idle",
      messageCount: messages,
      ...(title === undefined ? {} : { title }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    }));
  }

  async load(chatId: string, shown: Promise<void>): Promise<EcaStoredSession | undefined> {
    const session = await this.#agent.loadSession(chatId);
    if (session === undefined) return undefined;
    const { turn, events } = session; // in the task in which the view is attached
    const open = turn === undefined ? [] : events.filter(isOpenCall);
    const past = events.filter((event) => !open.includes(event));
    const contents = contentsOf(past);
    const about = this.#reports.about(session);
    for (const event of past) reportLosses(event, about);
    if (past.some((event) => event.type === "user" && !isText(event.content))) about.otherwise("history");
    const { view } = this.#attach(chatId, session, shown);
    if (turn !== undefined) void shown.then(() => view.resume(turn, open));
    void shown.then(() => this.#connection?.select(chatId, selectionOf(session)));
    return { title: session.title, contents };
  }

  session(chatId: string): AgentSession | undefined {
    return this.#agent.session(chatId);
  }

  /** Agents keep the messages, as other views show them. */
  refuse(method: string, { chatId }: { readonly chatId: string }): never {
    const chat = this.session(chatId);
    if (chat !== undefined) this.#reports.report("rewind", chat);
    throw new RemoteError(
      ErrorCode.MethodNotFound,
      `${method}: this agent cannot remove messages from a chat; begin a new chat`,
    );
  }

  async shutdown(): Promise<void> {
    for (const { detach } of this.#shown.values()) detach();
    this.#shown.clear();
    if (this.#isNoted) await this.#agent.disconnected();
  }

  /** The session of a chat: one that the agent has, or a new one in the editor's folders. */
  async #show(chat: EcaServerSession): Promise<Shown> {
    const session = this.session(chat.id) ?? (await this.#open(chat));
    const known = this.#shown.get(chat.id);
    return known?.session === session ? known : this.#attach(chat.id, session, undefined);
  }

  async #open({ id: sessionId, minted }: EcaServerSession): Promise<AgentSession> {
    const start = foldersOf(this.#client ?? { workspaceFolders: [] });
    const isNew = minted && !this.#shown.has(sessionId); // no agent knows an id that was made up just now
    return isNew ? this.#agent.newSession({ ...start, sessionId }) : openSession(this.#agent, sessionId, start);
  }

  #attach(chatId: string, session: AgentSession, shown: Promise<void> | undefined): Shown {
    const connection = this.#connection;
    if (connection === undefined) throw RemoteError.invalidRequest("chat/prompt: initialized comes first");
    const asksQuestions = this.#client?.capabilities?.codeAssistant?.chatCapabilities?.askQuestion === true;
    const { whenBusy = "reject" } = this.#agent.definition;
    const parts = { chatId, session, connection, asksQuestions, whenBusy, reports: this.#reports, shown };
    const view = new EcaView(parts);
    const entry = { session, view, detach: session.attach(view) };
    this.#shown.get(chatId)?.detach();
    this.#shown.set(chatId, entry);
    if (!this.#isOffered) connection.offer(infoOf(session));
    this.#isOffered = true;
    return entry;
  }
}
