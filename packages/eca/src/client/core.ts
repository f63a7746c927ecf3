import type { ChatConfig, Eca, EcaTraits } from "@editwire/eca-schema";
import type { CallOptions, Connection, Handlers } from "@editwire/core";
import {
  callListener,
  definedAsk,
  type Listeners,
  permissionHandler,
  type SplitOptions,
  Store,
  updateListener,
} from "@editwire/session";
import type { ChoiceKind, ChoiceOwner } from "./choices.js";
import { EcaDialect } from "./dialect.js";
import { editorMethods } from "./editor.js";
import type { ClientLink } from "./link.js";
import { OpenedSessions } from "./opened.js";
import type { EcaPermissionHandler } from "./session-api.js";
import { ClientRewrites } from "./rewrite.js";
import { type EcaServerState, emptyServer, reduceServer, type ServerAction } from "./server-state.js";
import { ClientSession, type SessionConnection } from "./session.js";
import { ClientSessions } from "./sessions.js";
import type { EcaClientMethods, EcaClientOptions } from "./api.js";

const messageTypes: Readonly<Record<string, "error" | "warning">> = { error: "error", warning: "warning" };

/**
 * Notifications that servers send to every client. An application does not have to handle them, so they are not
 * reported.
 */
const unread: EcaClientMethods = {
  "$/progress": () => {},
  "chat/statusChanged": () => {},
};

/** The sessions and the state of one client, which take what the server sends. */
export class ClientCore implements SessionConnection, ChoiceOwner {
  readonly id = undefined;
  readonly dialect: EcaDialect;
  readonly sessions: ClientSessions;
  readonly store: Store<EcaServerState>;
  readonly rewrites = new ClientRewrites();
  readonly chosen = new Set<ChoiceKind>();
  readonly permission: EcaPermissionHandler;
  readonly cancelGraceMs: number;
  readonly onDiagnostic: Listeners["onDiagnostic"];
  readonly onError: Listeners["onError"];
  readonly onUpdate: ClientLink["onUpdate"];
  /** The application's handlers. */
  readonly methods: EcaClientMethods;
  /** For `connect`. */
  readonly handlers: Handlers<Eca, "client">;
  readonly #options: EcaClientOptions;
  readonly #timeoutMs: number;
  readonly #connection: () => Connection<Eca, "client">;
  readonly #opened: OpenedSessions;
  #lastRequest = 0;

  constructor(
    options: EcaClientOptions,
    { timeoutMs, onDiagnostic, onError }: SplitOptions,
    connection: () => Connection<Eca, "client">,
  ) {
    const { profile, strict = false, onSession, onUpdate, permission, cancelGraceMs = 10_000 } = options;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    this.#connection = connection;
    this.permission = permissionHandler(permission);
    this.cancelGraceMs = cancelGraceMs;
    this.onDiagnostic = onDiagnostic;
    this.onError = onError;
    this.onUpdate = updateListener(onUpdate, onError, "chat/contentReceived");
    this.dialect = new EcaDialect(profile, strict);
    const opened = (session: ClientSession): void =>
      callListener(onSession, (error) => onError(error, "chat/opened"), session);
    this.sessions = new ClientSessions(onDiagnostic, (id, parent) => {
      const session = this.named(id, parent);
      opened(session);
      return session;
    });
    this.store = new Store<EcaServerState>(emptyServer, (error) => onError(error, undefined));
    this.#opened = new OpenedSessions((id) => this.named(id), onSession && opened);
    this.methods = { ...editorMethods(options, (id) => this.sessions.get(id), onError), ...options.methods };
    const shared = this.#sharedHandlers(this.methods);
    this.handlers = { ...unread, ...this.methods, ...shared, ...this.#sessionHandlers(), ...this.#serverHandlers() };
  }

  get traits(): EcaTraits {
    return this.dialect.found.traits;
  }

  get config(): ChatConfig {
    return this.store.state.config;
  }

  onConfig(listener: () => void): () => void {
    let { config } = this;
    return this.store.subscribe((state) => {
      if (state.config === config) return;
      config = state.config;
      listener();
    });
  }

  /** The user selected something for all sessions. */
  select(kind: ChoiceKind, config: ChatConfig): void {
    this.chosen.add(kind);
    this.update({ type: "configured", config });
  }

  newRequestId(): string {
    return String(++this.#lastRequest);
  }

  readonly notify: ClientLink["notify"] = (method, params) => this.#connection().notify(method, params);

  readonly ask: ClientLink["ask"] = (method, params, options) =>
    this.#connection().request(method, params, { timeoutMs: this.#timeoutMs, ...definedAsk(options) });

  opened(method: string, action: () => Promise<unknown>): Promise<ClientSession> {
    return this.#opened.next(method, action);
  }

  readonly prompt: SessionConnection["prompt"] = (session, params, { signal, onReply }) => {
    const options: CallOptions = { signal, onReply, settle: "now", streams: true };
    return this.sessions.ask(session, () => this.#connection().request("chat/prompt", params, options));
  };

  update(action: ServerAction): void {
    this.store.set(reduceServer(this.store.state, action));
  }

  /** A new session of this id. `parent` is the session that started it as its subagent. */
  named(id: string, parent?: ClientSession): ClientSession {
    const session = new ClientSession(id, undefined, this);
    session.parent = parent;
    this.sessions.add(session);
    return session;
  }

  /** The connection is closed. */
  lost(reason: Error): void {
    for (const session of this.sessions.all()) session.lost(reason);
    this.rewrites.lost(reason);
  }

  #sessionHandlers(): Handlers<Eca, "client"> {
    const { sessions } = this;
    return {
      "chat/contentReceived": (received, { length }) => sessions.receive(received, length),
      "chat/cleared": ({ chatId, messages }) =>
        messages === false ? undefined : sessions.get(chatId)?.update({ type: "cleared" }),
      "chat/deleted": ({ chatId }) => sessions.get(chatId)?.deleted(),
      "chat/opened": ({ chatId, title }) => {
        const session = sessions.get(chatId) ?? this.#opened.add(chatId);
        if (title !== undefined) session?.update({ type: "titled", title });
      },
    };
  }

  /** Notifications that the state reads, and that an application may handle besides. */
  #sharedHandlers(own: EcaClientMethods): EcaClientMethods {
    return {
      "providers/updated": (provider, context) => {
        this.update({ type: "provider", provider });
        return own["providers/updated"]?.(provider, context);
      },
      "jobs/updated": (params, context) => {
        this.update({ type: "jobs", jobs: params.jobs });
        return own["jobs/updated"]?.(params, context);
      },
      "rewrite/contentReceived": (params, context) =>
        this.rewrites.receive(params) ?? own["rewrite/contentReceived"]?.(params, context),
    };
  }

  #serverHandlers(): Handlers<Eca, "client"> {
    return {
      "config/updated": ({ chatId, chat: config = {} }) =>
        chatId === undefined
          ? this.update({ type: "configured", config })
          : this.sessions.get(chatId)?.update({ type: "configured", config }),
      "tool/serverUpdated": (server) => this.update({ type: "tool_server", server }),
      "tool/serverRemoved": ({ name }) => this.update({ type: "tool_server_removed", name }),
      "$/showMessage": ({ type, message }) => this.#options.onMessage?.(messageTypes[type] ?? "info", message),
    };
  }
}
