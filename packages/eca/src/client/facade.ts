import type { ChatSummary, Eca, EcaParams, EcaResult } from "@editwire/eca-schema";
import { type Connection, isWireError, type Peer, WireError } from "@editwire/core";
import type { AskOptions } from "@editwire/session";
import { completeInline, jobsOf, mcpServers, providersOf, refuse } from "./asks.js";
import { checkFolders } from "./capabilities.js";
import { choiceOf } from "./choices.js";
import type { ClientCore } from "./core.js";
import { ClientSession } from "./session.js";
import type { EcaSession } from "./session-api.js";
import type { EcaClient, EcaLoadSessionOptions, EcaNewSessionOptions } from "./api.js";

export interface FacadeParts {
  readonly info: EcaResult<"initialize">;
  readonly core: ClientCore;
  readonly connection: Connection<Eca, "client">;
  readonly peer: Peer;
  readonly shutdownTimeoutMs: number | undefined;
}

/** The client as an application sees it. */
export function facade(parts: FacadeParts): EcaClient {
  const { info, core, connection } = parts;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shutDown(parts));
  return {
    info,
    get profile() {
      return core.dialect.found;
    },
    get state() {
      return core.store.state;
    },
    subscribe: (listener) => core.store.subscribe(listener),
    newSession: (options = {}) => newSession(core, options),
    listSessions: (options = {}) => listSessions(core, options),
    loadSession: (options) => loadSession(core, options),
    async changeWorkspaceFolders({ added = [], removed = [] }) {
      checkFolders("changeWorkspaceFolders: added", added);
      const event = { added: [...added], removed: [...removed] };
      await connection.notify("workspace/didChangeWorkspaceFolders", { event });
    },
    models: choiceOf("model", core, core),
    agents: choiceOf("agent", core, core),
    mcp: mcpServers(core),
    providers: providersOf(core, (providers) => core.update({ type: "providers", providers })),
    jobs: jobsOf(core, (jobs) => core.update({ type: "jobs", jobs })),
    completeInline: completeInline(core),
    rewrite: (options) => core.rewrites.start(core, options),
    connection,
    close,
    closed: connection.closed,
    [Symbol.asyncDispose]: close,
  };
}

function newSession(core: ClientCore, { sessionId, contexts }: EcaNewSessionOptions): EcaSession {
  const known = sessionId === undefined ? undefined : core.sessions.get(sessionId);
  if (known !== undefined) return known;
  const { clientNamesChats } = core.dialect.found.traits;
  const session = new ClientSession(sessionId ?? (clientNamesChats ? crypto.randomUUID() : undefined), contexts, core);
  core.sessions.add(session);
  return session;
}

async function listSessions(
  core: ClientCore,
  { signal, timeoutMs, ...params }: EcaParams<"chat/list"> & AskOptions,
): Promise<ChatSummary[]> {
  return (await core.ask("chat/list", params, { signal, timeoutMs })).chats;
}

async function loadSession(
  core: ClientCore,
  { sessionId, limit, ...options }: EcaLoadSessionOptions,
): Promise<EcaSession | undefined> {
  const { sessions } = core;
  const known = sessions.get(sessionId);
  if (known?.state.running === true)
    throw new WireError("invalid_params", `chat/open: the session ${sessionId} has a running turn`);
  const session = known ?? core.named(sessionId);
  let isFound = false;
  try {
    const params = { chatId: sessionId, ...(limit === undefined ? {} : { limit }) };
    const { found, title, meta, error } = await session.replay(() => core.ask("chat/open", params, options));
    if (found) refuse("chat/open", error);
    isFound = found;
    session.shows(meta);
    if (title !== undefined) session.update({ type: "titled", title });
  } finally {
    if (!isFound && known === undefined) sessions.delete(sessionId);
  }
  return isFound ? session : undefined;
}

/** The two messages have no params (#shutdown, #exit). A server that does not answer is closed, too. */
async function shutDown({ core, connection, peer, shutdownTimeoutMs = 3_000 }: FacadeParts): Promise<void> {
  for (const session of core.sessions.all()) void session.cancel(); // a server that reads slowly must not delay this
  try {
    await peer.request("shutdown", undefined, { timeoutMs: shutdownTimeoutMs, settle: "now" });
  } catch (error) {
    if (!isWireError(error, "closed")) core.onError(error, "shutdown");
  }
  try {
    await peer.notify("exit", undefined);
  } catch {
    // The connection is closed already.
  }
  await connection.close();
}
