import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { inTime } from "../../../../core/errors.js";
import { defineCases, type ServerContext } from "../../server-role.js";

type Json = Record<string, unknown>;

/** The time of a turn that is deleted, and how much later its end may come. */
const SLOW_MS = 2_000;
const LATE_MS = 1_000;

/** The list that a query finds. */
async function found(t: ServerContext, method: string, params: Json, field: string): Promise<readonly unknown[]> {
  const { [field]: list } = await t.send.request(method, params).result();
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** Every letter finds something somewhere. */
const letters = [..."aeiou./"];

/** Runs a turn, in a new chat by default, and gives what the assistant said and the tokens of the session. */
async function said(
  t: ServerContext,
  chatId: string | null,
  message: string,
): Promise<{ text: string; tokens: unknown }> {
  const heard = (id: string | null): Json[] =>
    t
      .rest("chat/contentReceived", { chatId: id, role: /^(?!user$)/ })
      .flatMap(({ params: { content } }) => (isObject(content) ? [content] : []));
  const before = heard(chatId).length;
  const turn = t.prompt(chatId, message);
  await turn.finished();
  const contents = heard(await turn.chatId()).slice(before);
  const texts = contents.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  return { text: texts.join(""), tokens: contents.find(({ type }) => type === "usage")?.["sessionTokens"] };
}

async function remove(t: ServerContext, chatId: string): Promise<void> {
  await t.send.request("chat/delete", { chatId }).result();
}

/**
 * The chat id of a prompt that begins a deleted chat again: only a server that accepts the client's ids knows the old
 * one.
 */
const renewed = async (t: ServerContext, chatId: string): Promise<string | null> =>
  (await t.takesIds()) ? chatId : null;

/** Queries and deletion. */
export const queryCases: readonly Case[] = defineCases({
  "query.context": {
    title: "an empty query finds every context except the given ones",
    emits: ["ECA-QUERY-001", "ECA-QUERY-002", "ECA-QUERY-005"],
    async run(t) {
      await t.initialized();
      const find = (query: string, contexts: readonly unknown[] = []): Promise<readonly unknown[]> =>
        found(t, "chat/queryContext", { query, contexts }, "contexts");
      const all = await t.require("ECA-QUERY-001", find(""));
      const none = await t.require("ECA-QUERY-001", find("no such thing anywhere 4711"));
      t.check("ECA-QUERY-001", all.length > none.length || all.length === 0, {
        expected: "a query that filters",
        actual: { all: all.length, none: none.length },
      });
      // The results for a letter are also among those for a blank query.
      const known = new Set(all.map((context) => JSON.stringify(context)));
      const narrower = (await Promise.all(letters.map((letter) => find(letter)))).flat();
      const hidden = narrower.filter((context) => !known.has(JSON.stringify(context)));
      t.check("ECA-QUERY-001", hidden.length === 0, { expected: "every context for a blank query", actual: hidden });
      const blank = (await find(" ")).length;
      t.check("ECA-QUERY-005", blank >= all.length, { expected: all.length, actual: blank });
      const [first] = all;
      t.needs(first !== undefined, "the server has no contexts");
      const rest = await find("", [first]);
      const again = rest.some((context) => JSON.stringify(context) === JSON.stringify(first));
      t.check("ECA-QUERY-002", !again, { expected: "no context that the client already has", actual: rest });
    },
  },
  "query.commands": {
    title: "a query filters the commands; a blank query does not",
    emits: ["ECA-QUERY-003", "ECA-QUERY-005"],
    async run(t) {
      await t.initialized();
      const names = async (query: string): Promise<readonly unknown[]> => {
        const { commands } = await t.send.request("chat/queryCommands", { query }).result();
        return Array.isArray(commands)
          ? commands.map((command: unknown) => (isObject(command) ? command["name"] : undefined))
          : [];
      };
      const all = await t.require("ECA-QUERY-003", names(""));
      const [first] = all;
      // The results for a letter are also among those for a blank query.
      const hidden = (await Promise.all(letters.map(names))).flat().filter((name) => !all.includes(name));
      t.check("ECA-QUERY-003", hidden.length === 0, { expected: "every command for a blank query", actual: hidden });
      const blank = (await names(" ")).length;
      t.check("ECA-QUERY-005", blank >= all.length, { expected: all.length, actual: blank });
      t.needs(typeof first === "string", "the server has no commands");
      t.check("ECA-QUERY-003", (await names(String(first))).includes(first), {
        expected: "the command of that name",
        actual: await names(String(first)),
      });
      t.check("ECA-QUERY-003", (await names("no such thing anywhere 4711")).length === 0, {
        expected: "no command",
        actual: all,
      });
    },
  },
  delete: {
    title: "a chat is deleted, known or not, and its id can be used again",
    emits: ["ECA-DELETE-001", "ECA-DELETE-002", "ECA-DELETE-004"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      await t.prompt(chatId, t.say("text")).finished();
      await t.require("ECA-DELETE-001", remove(t, chatId));
      for (const params of [{ chatId: "no-such-chat" }, {}])
        await t.require("ECA-DELETE-004", t.send.request("chat/delete", params).result());
      t.needs(await t.takesIds(), "the server takes no ids that the client made");
      await t.require("ECA-DELETE-002", t.prompt(chatId, t.say("text")).finished());
    },
  },
  "query.chat": {
    title: "the answer to a query is about its chat",
    emits: ["ECA-QUERY-004"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      await t.prompt(chatId, t.say("text")).finished();
      const queries: readonly (readonly [string, Json])[] = [
        ["chat/queryContext", { contexts: [] }],
        ["chat/queryCommands", {}],
      ];
      for (const [method, more] of queries) {
        const result = await t.send.request(method, { chatId, query: "", ...more }).result();
        t.check("ECA-QUERY-004", [undefined, null, chatId].includes(result["chatId"] as string), {
          expected: `no chatId, or ${chatId}`,
          actual: result["chatId"],
        });
      }
    },
  },
  "delete.messages": {
    title: "a chat knows its messages until it is deleted",
    emits: ["ECA-CHAT-008", "ECA-DELETE-003"],
    needs: ["text", "recall"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      const secret = `secret-${t.now()}`;
      await said(t, chatId, t.say("text", { text: secret }));
      const strange = `strange-${t.now()}`;
      const otherChat = await t.chat();
      await said(t, otherChat, t.say("text", { text: strange }));
      await said(t, chatId, t.say("text"));
      const { text: before } = await said(t, chatId, t.say("recall"));
      t.check("ECA-CHAT-008", before.includes(secret), { expected: "what the user said before", actual: before });
      const { text: other } = await said(t, otherChat, t.say("recall"));
      const isOwn = !other.includes(secret) && !before.includes(strange);
      t.check("ECA-CHAT-008", isOwn, { expected: "nothing of another chat", actual: [before, other] });
      await t.require("ECA-DELETE-003", remove(t, chatId));
      const { text: after } = await said(t, await renewed(t, chatId), t.say("recall"));
      t.check("ECA-DELETE-003", !after.includes(secret), { expected: "nothing of the deleted chat", actual: after });
    },
  },
  "delete.running": {
    title: "the turn of a chat that is deleted ends",
    emits: ["ECA-DELETE-006"],
    needs: ["slow"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      await t.prompt(chatId, t.say("slow", { ms: Math.round(t.time.deadline(SLOW_MS)) })).works();
      await remove(t, chatId);
      // Messages that were on their way, and the end of the turn, may still arrive.
      await t.alive();
      await t.pace(100);
      const limits = { after: t.now(), deadline: SLOW_MS + LATE_MS };
      const late = await inTime(t.expect.notify("chat/contentReceived", { chatId }, limits));
      t.check("ECA-DELETE-006", late === undefined, { expected: "nothing of the deleted chat", actual: late });
    },
  },
  "usage.session": {
    title: "sessionTokens count every turn of a chat",
    emits: ["ECA-TURN-009"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      const { tokens: first } = await said(t, chatId, t.say("text"));
      const { tokens: both } = await said(t, chatId, t.say("text"));
      t.needs(Number(first) > 0 && typeof both === "number", "the server does not tell of tokens");
      t.check("ECA-TURN-009", Number(both) > Number(first), { expected: `more than ${String(first)}`, actual: both });
    },
  },
  "delete.tokens": {
    title: "the token count of a deleted chat starts again, and that of another chat does not",
    emits: ["ECA-DELETE-003", "ECA-DELETE-005"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      const other = await t.chat();
      const turn = async (id: string | null = chatId): Promise<unknown> => (await said(t, id, t.say("text"))).tokens;
      const first = await turn();
      const grown = await turn();
      const kept = await turn(other);
      t.needs(Number(grown) > Number(first), "the server does not count the tokens of a session");
      await t.require("ECA-DELETE-003", remove(t, chatId));
      const again = await turn(await renewed(t, chatId));
      const more = await turn(other);
      t.check("ECA-DELETE-005", Number(more) > Number(kept), {
        expected: `more sessionTokens than ${String(kept)} in the other chat`,
        actual: more,
      });
      t.check("ECA-DELETE-003", Number(again) < Number(grown), {
        expected: `sessionTokens of a new chat, as ${String(first)}`,
        actual: again,
      });
    },
  },
});
