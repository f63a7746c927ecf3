import { isObject } from "@editwire/core";
import type { Call } from "../../../../core/talk/call.js";
import type { Case } from "../../../../core/run/case.js";
import { where } from "../../../../trace/pattern.js";
import { defineCases, type ServerContext } from "../../server-role.js";

type Json = Record<string, unknown>;
const unknown = -32601;

/** Reports of 2026 editors, about things that do not exist. */
const news: readonly (readonly [method: string, params: Json])[] = [
  ["workspace/didChangeWorkspaceFolders", { event: { added: [], removed: [] } }],
  ["chat/selectedModelChanged", { chatId: "no-such-chat", model: "no/such-model" }],
  ["chat/selectedAgentChanged", { chatId: "no-such-chat", agent: "plan" }],
  ["chat/promptSteer", { chatId: "no-such-chat", message: "left" }],
  ["chat/promptSteerRemove", { chatId: "no-such-chat" }],
  ["mcp/connectServer", { name: "no-such-server" }],
  ["mcp/disableServer", { name: "no-such-server" }],
];

/** The result of a method that not every 2026 server has. */
async function resultOf(t: ServerContext, call: Call): Promise<Json> {
  const { error } = await call.response();
  t.needs(error?.code !== unknown, `the server has no ${call.method}`);
  return call.result();
}

const isArray = where("an array", (value: unknown) => Array.isArray(value));

/** Cases about servers of 2026: the profile `v2026`. */
export const v2026Cases: readonly Case[] = defineCases({
  "v2026.config": {
    isolation: "connection",
    title: "models and agents are reported",
    emits: ["ECA-V2026-003"],
    async run(t) {
      await t.initialized();
      const wanted = { chat: { models: isArray, agents: isArray } };
      const { params } = await t.require("ECA-V2026-003", t.expect.notify("config/updated", wanted));
      const { models, agents, selectModel, selectAgent } = params["chat"] as Json;
      const among = (one: unknown, list: unknown): boolean =>
        one === undefined || one === null || (list as unknown[]).includes(one);
      t.check("ECA-V2026-003", among(selectModel, models) && among(selectAgent, agents), {
        expected: "selectModel and selectAgent from their lists",
        actual: params,
      });
    },
  },
  "v2026.status": {
    title: "a chat is reported as running, and later as idle",
    emits: ["ECA-V2026-004"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      const turn = t.prompt(chatId, t.say("text"));
      await t.require("ECA-V2026-004", t.expect.notify("chat/statusChanged", { chatId, status: "running" }));
      await turn.finished();
      await t.require("ECA-V2026-004", t.expect.notify("chat/statusChanged", { chatId, status: "idle" }));
    },
  },
  "v2026.chats": {
    title: "a chat with a prompt is listed and opened",
    emits: ["ECA-V2026-005"],
    needs: ["text"],
    async run(t) {
      await t.initialized();
      const chatId = await t.chat();
      await t.prompt(chatId, t.say("text")).finished();
      const { chats } = await t.require("ECA-V2026-005", resultOf(t, t.send.request("chat/list", {})));
      const listed = Array.isArray(chats) && chats.some((chat: unknown) => isObject(chat) && chat["id"] === chatId);
      t.check("ECA-V2026-005", listed, { expected: chatId, actual: chats });
      for (const [id, found] of [
        [chatId, true],
        ["no-such-chat", false],
      ] as const) {
        const opened = await t.require("ECA-V2026-005", resultOf(t, t.send.request("chat/open", { chatId: id })));
        t.check("ECA-V2026-005", (opened["found"] ?? opened["found?"]) === found, {
          expected: { found },
          actual: opened,
        });
      }
    },
  },
  "v2026.notifications": {
    isolation: "rough",
    title: "what 2026 editors report does no harm",
    emits: ["ECA-V2026-006"],
    async run(t) {
      await t.initialized();
      for (const [method, params] of news) t.send.notify(method, params);
      await t.require("ECA-V2026-006", t.quiet(100, { message: { error: {} } }));
      await t.require("ECA-V2026-006", t.alive());
    },
  },
});
