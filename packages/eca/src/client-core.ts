import type { ChatConfig, Eca } from "@editwire/eca-schema";
import type { CallOptions, Connection, Handlers } from "@editwire/core";
import { type AskOptions, type SplitOptions, Store } from "@editwire/session";
import type { ChoiceKind } from "./client-choices.js";
import { ClientDialect } from "./client-dialect.js";
import { editorMethods } from "./client-editor.js";
import type { ClientLink } from "./client-link.js";
import { OpenedSessions } from "./client-opened.js";
import { permissionHandler } from "./client-permission.js";
import { ClientRewrites } from "./client-rewrite.js";
import { type EcaServerState, emptyServer, reduceServer, type ServerAction } from "./client-server-state.js";
import { ClientSession } from "./client-session.js";
import { ClientSessions } from "./client-sessions.js";
import type { EcaClientMethods, EcaClientOptions } from "./client.js";

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
export class ClientCore {
  readonly dialect: ClientDialect;
  readonly sessions: ClientSessions;
  readonly store: Store<EcaServerState>;
  readonly rewrites = new ClientRewrites();
  readonly link: ClientLink;
  /** The application's handlers. */
  readonly methods: EcaClientMethods;
  /** For `connect`. */
  readonly handlers: Handlers<Eca, "client">;
  readonly #options: EcaClientOptions;
  readonly #opened: OpenedSessions;

  constructor(options: EcaClientOptions, split: SplitOptions, connection: () => Connection<Eca, "client">) {
    const { onDiagnostic, onError } = split;
    this.#options = options;
    this.dialect = new ClientDialect(options.profile, options.strict === true);
    this.sessions = new ClientSessions(onDiagnostic, (id, parent) => {
      const session = this.named(id, parent);
      options.onSession?.(session);
      return session;
    });
    this.store = new Store<EcaServerState>(emptyServer, (error) => onError(error, undefined));
    this.#opened = new OpenedSessions((id) => this.named(id), options.onSession);
    this.link = this.#link(options, split, connection);
    this.methods = { ...editorMethods(options, (id) => this.sessions.get(id), onError), ...options.methods };
    const shared = this.#sharedHandlers(this.methods);
    this.handlers = { ...unread, ...this.methods, ...shared, ...this.#sessionHandlers(), ...this.#serverHandlers() };
  }

  readonly sessionId = (): undefined => undefined;

  readonly config = (): ChatConfig => this.store.state.config;

  readonly onConfig = (listener: () => void): (() => void) => {
    let { config } = this.store.state;
    return this.store.subscribe((state) => {
      if (state.config === config) return;
      config = state.config;
      listener();
    });
  };

  /** The user selected something for all sessions. */
  readonly select = (kind: ChoiceKind, config: ChatConfig): void => {
    this.link.chosen.add(kind);
    this.update({ type: "configured", config });
  };

  update(action: ServerAction): void {
    this.store.set(reduceServer(this.store.state, action));
  }

  /** A new session of this id. `parent` is the session that started it as its subagent. */
  named(id: string, parent?: ClientSession): ClientSession {
    const session = new ClientSession(id, undefined, this.link);
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

  #link(
    { permission, onUpdate = () => {}, cancelGraceMs = 10_000 }: EcaClientOptions,
    { timeoutMs, onDiagnostic, onError }: SplitOptions,
    connection: () => Connection<Eca, "client">,
  ): ClientLink {
    let lastRequest = 0;
    const { dialect, store } = this;
    return {
      get traits() {
        return dialect.profile.traits;
      },
      get config() {
        return store.state.config;
      },
      onConfig: this.onConfig,
      chosen: new Set(),
      notify: (method, params) => connection().notify(method, params),
      ask: (method, params, options) => connection().request(method, params, { timeoutMs, ...defined(options) }),
      opened: (method, action) => this.#opened.next(method, action),
      prompt: (session, params, { signal, onReply }) => {
        const options: CallOptions = { signal, onReply, settle: "now", streams: true };
        return this.sessions.ask(session, () => connection().request("chat/prompt", params, options));
      },
      newRequestId: () => String(++lastRequest),
      permission: permissionHandler(permission),
      cancelGraceMs,
      onUpdate(event, session) {
        try {
          onUpdate(event, session);
        } catch (error) {
          onError(error, "chat/contentReceived");
        }
      },
      onDiagnostic,
      onError,
    };
  }
}

/** The options of one call that are given. */
export function defined({ signal, timeoutMs }: AskOptions): AskOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}
