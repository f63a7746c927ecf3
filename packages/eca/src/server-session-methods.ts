import type { ChatHistoryParams, ChatRollbackParams, ChatSummary, ConfigUpdatedParams } from "@editwire/eca-schema";
import { type NotificationName, type ParamsOf, RemoteError } from "@editwire/core";
import type { Eca } from "@editwire/eca-schema";
import type { ServerSession } from "./server-session.js";
import type { ServerSessions } from "./server-sessions.js";
import type { KeptContent } from "./server-record.js";
import type { EcaServer, EcaServerMethods } from "./server.js";

/** What the methods work with. */
export interface ChatMethodsSetting {
  readonly chats: ServerSessions;
  readonly server: Pick<EcaServer, "clearSession" | "rollbackSession" | "forkSession">;
  readonly notify: <N extends NotificationName<Eca, "server">>(
    method: N,
    params: ParamsOf<Eca, N>,
  ) => void | Promise<void>;
}

/** Characters of a title that is made of the first prompt. */
const maxTitle = 80;

/**
 * Today's methods about the chats that a server has: they are listed, shown again, renamed, emptied, taken back and forked. What
 * the model remembers is the server's, so the last three are there only where it has a handler for them.
 */
export function chatMethods({ chats, server, notify }: ChatMethodsSetting): EcaServerMethods {
  /** Shows a chat anew, in the order that editors rely on. */
  const show = async (chat: ServerSession, contents: readonly KeptContent[]): Promise<void> => {
    // Without a pause, so that what a running turn says comes after its past.
    await Promise.all(
      contents.map(({ role, content }) => notify("chat/contentReceived", { chatId: chat.id, role, content })),
    );
  };
  const opened = ({ id, title }: ServerSession): void | Promise<void> =>
    notify("chat/opened", { chatId: id, ...(title === undefined ? {} : { title }) });
  const { clearSession, rollbackSession, forkSession } = server;

  return {
    "chat/list"({ limit = 0, sortBy = "updatedAt" }) {
      const time = (chat: ServerSession): number => (sortBy === "createdAt" ? chat.createdAt : chat.updatedAt);
      const listed = chats.all
        .reverse()
        .filter(({ record, deleted }) => record.contents.length > 0 && !deleted)
        .sort((a, b) => time(b) - time(a));
      return { chats: (limit > 0 ? listed.slice(0, limit) : listed).map(summaryOf) };
    },
    async "chat/open"({ chatId, ...part }) {
      const chat = chats.get(chatId);
      if (chat === undefined || chat.deleted) return { found: false };
      const { contents, meta } = partOf(chat, part);
      const told = [
        notify("chat/cleared", { chatId, messages: true }),
        opened(chat),
        show(chat, contents),
        notify("config/updated", configOf(chat)),
      ];
      await Promise.all(told);
      return { found: true, chatId, ...(chat.title === undefined ? {} : { title: chat.title }), meta };
    },
    "chat/history"({ chatId, ...part }) {
      const { contents, meta } = partOf(chats.known("chat/history", chatId), part);
      return { contents: contents.map(({ role, content }) => ({ role, content })), meta };
    },
    async "chat/update"({ chatId, title, trust }) {
      const chat = chats.ensure(chatId, false); // editors set up chats before they prompt in them
      chat.trust = trust ?? chat.trust;
      if (title === undefined) return {};
      chat.keep("system", { type: "metadata", title });
      await notify("chat/contentReceived", { chatId, role: "system", content: { type: "metadata", title } });
      return {};
    },
    ...(clearSession && {
      async "chat/clear"({ chatId, messages = true }) {
        const chat = chats.known("chat/clear", chatId);
        if (!messages) return {};
        await stopped(chat);
        await clearSession(chat);
        chat.record.clear();
        return {};
      },
    }),
    ...(rollbackSession && {
      async "chat/rollback"({ chatId, contentId, include }: ChatRollbackParams) {
        const chat = chats.known("chat/rollback", chatId);
        const [, forgotten] = promptsAround(chat, "chat/rollback", contentId);
        await stopped(chat);
        await rollbackSession(chat, forgotten, include);
        if (!include.includes("messages")) return {};
        chat.record.cutBefore(contentId);
        await Promise.all([notify("chat/cleared", { chatId, messages: true }), show(chat, chat.record.contents)]);
        return {};
      },
    }),
    ...(forkSession && {
      async "chat/fork"({ chatId, contentId }) {
        const chat = chats.known("chat/fork", chatId);
        const [before] = promptsAround(chat, "chat/fork", contentId);
        const fork = chats.ensure(crypto.randomUUID(), true);
        Object.assign(fork, { title: chat.title, choice: chat.choice, model: chat.model, trust: chat.trust });
        await forkSession(chat, fork, [...before, contentId]);
        fork.record.copy(chat.record, contentId);
        await Promise.all([opened(fork), show(fork, fork.record.contents)]);
        const notice = { type: "text", text: `Forked into the chat ${fork.id}` } as const;
        chat.keep("system", notice);
        await notify("chat/contentReceived", { chatId, role: "system", content: notice });
        return {};
      },
    }),
  };
}

/** Ends the running turn: its handler works on what is about to change. */
async function stopped({ turn }: ServerSession): Promise<void> {
  turn?.stop("userPromptStop");
  await turn?.ended;
}

/** The prompts before one, and that one with those after it. Throws -32602 for one that the chat does not have. */
function promptsAround(chat: ServerSession, method: string, contentId: string): [before: string[], from: string[]] {
  const { prompts } = chat.record;
  const index = prompts.indexOf(contentId);
  if (index >= 0) return [prompts.slice(0, index), prompts.slice(index)];
  throw RemoteError.invalidParams(`${method}: the chat ${chat.id} has no message ${contentId} of the user`, {
    code: "content_not_found",
    contentId,
  });
}

function partOf(
  { record }: ServerSession,
  part: Omit<ChatHistoryParams, "chatId">,
): { contents: readonly KeptContent[]; meta: { hasMore: boolean; before?: string; after?: string } } {
  const { contents, hasMore } = record.part(part);
  const [first, last] = [contents[0], contents.at(-1)];
  return {
    contents,
    meta: { hasMore, ...(first && { before: String(first.place) }), ...(last && { after: String(last.place) }) },
  };
}

function summaryOf(chat: ServerSession): ChatSummary {
  const { id, record, turn, createdAt, updatedAt, model } = chat;
  const title = chat.title ?? titleOf(record.contents);
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

/** The beginning of the first prompt, for a chat that nobody gave a title. */
function titleOf(contents: readonly KeptContent[]): string | undefined {
  const prompt = contents.find(({ role, content }) => role === "user" && content.type === "text")?.content;
  const [line = ""] = prompt?.type === "text" ? prompt.text.trim().split("\n", 1) : [];
  return line === "" ? undefined : line.slice(0, maxTitle);
}

/** What an editor needs to go on with a chat as it was left. */
function configOf({ id, model, choice, trust }: ServerSession): ConfigUpdatedParams {
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
