import type { ChatSummary, Eca, EcaParams, EcaResult } from "@editwire/eca-schema";
import { type NotificationName, type ParamsOf, RemoteError } from "@editwire/core";
import type { KeptContent } from "./record.js";
import type { ServerSession } from "./session.js";
import type { ServerSessions } from "./sessions.js";
import type { EcaServer, EcaServerMethods } from "./api.js";

/** Sends the client a notification. */
export type Notify = <N extends NotificationName<Eca, "server">>(
  method: N,
  params: ParamsOf<Eca, N>,
) => void | Promise<void>;

export interface SessionMethodsParts {
  readonly sessions: ServerSessions;
  readonly server: EcaServer;
  readonly notify: Notify;
}

/** The answer to a cursor of a content that is no longer kept. */
const cursorExpired = {
  code: "cursor_expired",
  message: "The content that the cursor names is no longer kept; ask for the last page instead",
};

/**
 * The methods of `v2026` about the sessions that a server has: listing, showing again, renaming, flags, steering,
 * clearing, rollback and fork. The last three also change what the model remembers, so they exist only where the server
 * has a handler for them.
 */
export function sessionMethods(parts: SessionMethodsParts): EcaServerMethods {
  const { sessions, server, notify } = parts;
  return {
    "chat/list": async (params) => ({ chats: await listed(parts, params) }),
    "chat/open": (params) => openSession(parts, params),
    async "chat/history"({ chatId, ...part }) {
      await bringBack(parts, chatId, Promise.resolve());
      const page = sessions.known("chat/history", chatId).record.part(part);
      if (page === undefined) return { error: cursorExpired };
      return { contents: page.contents.map(({ role, content }) => ({ role, content })), meta: page.meta };
    },
    async "chat/addFlag"({ chatId, contentId, text }) {
      const session = sessions.known("chat/addFlag", chatId);
      const flag = { type: "flag" as const, text, contentId: session.takeId() };
      if (!session.record.addFlag(contentId, flag)) throw unknownContent("chat/addFlag", session, contentId);
      await notify("chat/contentReceived", { chatId, role: "system", content: flag });
      return {};
    },
    "chat/removeFlag"({ chatId, contentId }) {
      const session = sessions.known("chat/removeFlag", chatId);
      if (!session.record.removeFlag(contentId)) throw unknownContent("chat/removeFlag", session, contentId);
      return {};
    },
    "chat/promptSteer": ({ chatId, message }) => sessions.get(chatId)?.turn?.steer(message),
    "chat/promptSteerRemove": ({ chatId }) => sessions.get(chatId)?.turn?.dropSteers(),
    "chat/update": (params) => updateSession(parts, params),
    ...(server.clearSession && {
      async "chat/clear"({ chatId, messages = true }) {
        const session = sessions.known("chat/clear", chatId);
        if (!messages) return {};
        await stopped(session);
        await server.clearSession?.(session);
        session.record.clear();
        return {};
      },
    }),
    ...(server.rollbackSession && { "chat/rollback": (params) => rollBack(parts, params) }),
    ...(server.forkSession && { "chat/fork": (params) => fork(parts, params) }),
  };
}

async function listed(
  { sessions, server }: SessionMethodsParts,
  params: EcaParams<"chat/list">,
): Promise<ChatSummary[]> {
  const { limit = 0, sortBy = "updatedAt" } = params;
  const own = sessions.all.filter(({ hasPast, deleted }) => hasPast && !deleted).map(summaryOf);
  const all = [...((await server.listSessions?.(params)) ?? own)];
  const time = (chat: ChatSummary): number => (sortBy === "createdAt" ? chat.createdAt : chat.updatedAt) ?? 0;
  const found = all.sort((a, b) => time(b) - time(a));
  return limit > 0 ? found.slice(0, limit) : found;
}

/** Asks the server for a session that this connection does not have. */
async function bringBack(
  { sessions, server }: SessionMethodsParts,
  chatId: string,
  shown: Promise<void>,
): Promise<void> {
  if (server.loadSession === undefined || sessions.get(chatId) !== undefined) return;
  const stored = await server.loadSession(chatId, { shown });
  if (stored === undefined || sessions.get(chatId) !== undefined) return;
  const session = sessions.ensure(chatId, false);
  for (const { role, content } of stored.contents) session.keep(role, content);
  session.title = stored.title ?? session.title;
}

async function openSession(
  parts: SessionMethodsParts,
  params: EcaParams<"chat/open">,
): Promise<EcaResult<"chat/open">> {
  let onShown = (): void => {};
  await bringBack(parts, params.chatId, new Promise((resolve) => (onShown = resolve)));
  try {
    return await showSession(parts, params);
  } finally {
    onShown();
  }
}

async function showSession(
  { sessions, notify }: SessionMethodsParts,
  { chatId, ...part }: EcaParams<"chat/open">,
): Promise<EcaResult<"chat/open">> {
  const session = sessions.get(chatId);
  if (session === undefined || session.deleted) return { found: false };
  const page = session.record.part(part);
  if (page === undefined) return { found: true, chatId, error: cursorExpired };
  const { contents, meta } = page;
  await Promise.all([
    notify("chat/cleared", { chatId, messages: true }),
    sendOpened(notify, session),
    show(notify, session, contents),
    notify("config/updated", configOf(session)),
  ]);
  return { found: true, chatId, ...(session.title === undefined ? {} : { title: session.title }), meta };
}

async function updateSession(
  { sessions, server, notify }: SessionMethodsParts,
  { chatId, title, trust }: EcaParams<"chat/update">,
): Promise<Record<string, never>> {
  const session = sessions.ensure(chatId, false); // editors set up a chat before its first prompt
  session.trust = trust ?? session.trust;
  if (title === undefined) return {};
  const sent = notify("chat/contentReceived", { chatId, role: "system", content: { type: "metadata", title } });
  session.keep("system", { type: "metadata", title });
  await sent;
  await server.renameSession?.(session, title);
  return {};
}

async function rollBack(
  { sessions, server, notify }: SessionMethodsParts,
  { chatId, contentId, include }: EcaParams<"chat/rollback">,
): Promise<Record<string, never>> {
  const session = sessions.known("chat/rollback", chatId);
  const [, forgotten] = promptsAround(session, "chat/rollback", contentId);
  await stopped(session);
  await server.rollbackSession?.(session, forgotten, include);
  if (!include.includes("messages")) return {};
  session.record.cutBefore(contentId);
  await Promise.all([
    notify("chat/cleared", { chatId, messages: true }),
    show(notify, session, session.record.contents),
  ]);
  return {};
}

async function fork(
  { sessions, server, notify }: SessionMethodsParts,
  { chatId, contentId }: EcaParams<"chat/fork">,
): Promise<Record<string, never>> {
  const session = sessions.known("chat/fork", chatId);
  const [before] = promptsAround(session, "chat/fork", contentId);
  const copy = sessions.ensure(crypto.randomUUID(), true);
  const { title, choice, model, trust } = session;
  Object.assign(copy, { title, choice: { ...choice }, model, trust });
  try {
    await server.forkSession?.(session, copy, [...before, contentId]);
  } catch (error) {
    sessions.delete(copy);
    throw error;
  }
  copy.copy(session, contentId);
  await Promise.all([sendOpened(notify, copy), show(notify, copy, copy.record.contents)]);
  const notice = { type: "text", text: `Forked into the chat ${copy.id}` } as const;
  const sent = notify("chat/contentReceived", { chatId, role: "system", content: notice });
  session.keep("system", notice);
  await sent;
  return {};
}

/** Sends contents again, in one go, so that what a running turn sends comes after its past. */
async function show(notify: Notify, { id }: ServerSession, contents: readonly KeptContent[]): Promise<void> {
  await Promise.all(contents.map(({ role, content }) => notify("chat/contentReceived", { chatId: id, role, content })));
}

function sendOpened(notify: Notify, session: ServerSession): void | Promise<void> {
  const { id, title } = session;
  session.opened = true;
  return notify("chat/opened", { chatId: id, ...(title === undefined ? {} : { title }) });
}

/** Ends the running turn, whose handler uses what is about to change. */
async function stopped({ turn }: ServerSession): Promise<void> {
  turn?.cancel();
  await turn?.ended;
}

/** The prompts before one, and that one with those after it. Throws -32602 for one that the session does not have. */
function promptsAround(session: ServerSession, method: string, contentId: string): [before: string[], from: string[]] {
  const { prompts } = session.record;
  const index = prompts.indexOf(contentId);
  if (index >= 0) return [prompts.slice(0, index), prompts.slice(index)];
  throw unknownContent(method, session, contentId);
}

function unknownContent(method: string, { id }: ServerSession, contentId: string): RemoteError {
  const expected = method === "chat/rollback" || method === "chat/fork" ? "message of the user" : "content";
  const message = `${method}: params.contentId: the chat ${id} has no ${expected} ${contentId}`;
  return RemoteError.invalidParams(message, { code: "content_not_found", contentId });
}

function summaryOf(session: ServerSession): ChatSummary {
  const { id, record, turn, createdAt, updatedAt, model } = session;
  const { listedTitle: title } = session;
  const status = turn === undefined ? "idle" : turn.signal.aborted ? "stopping" : "running";
  return {
    id,
    status,
    createdAt,
    updatedAt,
    messageCount: record.messages,
    ...(title === undefined ? {} : { title }),
    ...(model === undefined ? {} : { model }),
  };
}

/** The settings with which an editor continues a session. */
function configOf({ id, model, choice, trust }: ServerSession): EcaParams<"config/updated"> {
  const selected = choice.model ?? model;
  return {
    chatId: id,
    chat: {
      selectTrust: trust,
      ...(selected === undefined ? {} : { selectModel: selected }),
      ...(choice.behavior === undefined ? {} : { selectAgent: choice.behavior }),
    },
  };
}
