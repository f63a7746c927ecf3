import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/case.js";
import { defineCases, type ServerContext } from "../../server-role.js";

type Json = Record<string, unknown>;

/** The list that a query finds. */
async function found(t: ServerContext, method: string, params: Json, field: string): Promise<readonly unknown[]> {
  const { [field]: list } = await t.send.request(method, params).result();
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** Every letter finds something somewhere. */
const letters = [..."aeiou./"];

/** Runs a turn, and gives what the assistant said and the tokens of the session. */
async function said(t: ServerContext, chatId: string, message: string): Promise<{ text: string; tokens: unknown }> {
  const before = t.rest("chat/contentReceived", { chatId }).length;
  const contents = (await t.prompt(chatId, message).finished()).slice(before);
  const texts = contents.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  return { text: texts.slice(1).join(""), tokens: contents.find(({ type }) => type === "usage")?.["sessionTokens"] };
}

async function remove(t: ServerContext, chatId: string): Promise<void> {
  await t.send.request("chat/delete", { chatId }).result();
}

/** Queries and deletion. */
export const queryCases: readonly Case[] = defineCases({
  "query.context": {
    title: "an empty query finds every context except the given ones",
    emits: ["ECA-QUERY-001", "ECA-QUERY-002"],
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
      // A server without contexts finds none for any letter either.
      const hidden = all.length > 0 ? [] : (await Promise.all(letters.map((letter) => find(letter)))).flat();
      t.check("ECA-QUERY-001", hidden.length === 0, { expected: "every context for a blank query", actual: hidden });
      const [first] = all;
      t.needs(first !== undefined, "the server has no contexts");
      const rest = await find("", [first]);
      const again = rest.some((context) => JSON.stringify(context) === JSON.stringify(first));
      t.check("ECA-QUERY-002", !again, { expected: "no context that the client already has", actual: rest });
    },
  },
  "query.commands": {
    title: "a query filters the commands; a blank query does not",
    emits: ["ECA-QUERY-003"],
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
      // A server without commands finds none for any letter either.
      const hidden = all.length > 0 ? [] : (await Promise.all(letters.map(names))).flat();
      t.check("ECA-QUERY-003", hidden.length === 0, { expected: "every command for a blank query", actual: hidden });
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
      const chatId = t.chat();
      await t.prompt(chatId, t.say("text")).finished();
      await t.require("ECA-DELETE-001", remove(t, chatId));
      for (const params of [{ chatId: "no-such-chat" }, {}])
        await t.require("ECA-DELETE-004", t.send.request("chat/delete", params).result());
      await t.require("ECA-DELETE-002", t.prompt(chatId, t.say("text")).finished());
    },
  },
  "query.chat": {
    title: "the answer to a query is about its chat",
    emits: ["ECA-QUERY-004"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = t.chat();
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
    title: "the messages of a deleted chat are gone",
    emits: ["ECA-DELETE-003"],
    needs: ["text", "recall"],
    async run(t) {
      await t.initialized();
      const chatId = t.chat();
      const secret = `secret-${t.now()}`;
      await said(t, chatId, t.say("text", { text: secret }));
      const { text: before } = await said(t, chatId, t.say("recall"));
      t.needs(before.includes(secret), "the server does not say what it was told before");
      await t.require("ECA-DELETE-003", remove(t, chatId));
      const { text: after } = await said(t, chatId, t.say("recall"));
      t.check("ECA-DELETE-003", !after.includes(secret), { expected: "nothing of the deleted chat", actual: after });
    },
  },
  "usage.session": {
    title: "sessionTokens count every turn of a chat",
    emits: ["ECA-TURN-009"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = t.chat();
      const { tokens: first } = await said(t, chatId, t.say("text"));
      const { tokens: both } = await said(t, chatId, t.say("text"));
      t.needs(typeof first === "number" && typeof both === "number", "the server does not tell of tokens");
      t.check("ECA-TURN-009", Number(both) > Number(first), { expected: `more than ${String(first)}`, actual: both });
    },
  },
  "delete.tokens": {
    title: "the token count of a deleted chat starts again",
    emits: ["ECA-DELETE-003"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = t.chat();
      const turn = async (): Promise<unknown> => (await said(t, chatId, t.say("text"))).tokens;
      const first = await turn();
      const grown = await turn();
      t.needs(Number(grown) > Number(first), "the server does not count the tokens of a session");
      await t.require("ECA-DELETE-003", remove(t, chatId));
      const again = await turn();
      t.check("ECA-DELETE-003", Number(again) < Number(grown), {
        expected: `sessionTokens of a new chat, as ${String(first)}`,
        actual: again,
      });
    },
  },
});
