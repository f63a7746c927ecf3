import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import type { ClientBehavior } from "../reference/client-behavior.js";
import { rightClient } from "../reference/client-behavior.js";
import type { Json, ServerBehavior } from "../reference/server-behavior.js";
import { todaysClient, todaysServer } from "../reference/today.js";
import { sent } from "./client-patch.js";
import { notified, without } from "./server-patch.js";

type Facts = Pick<Mutant, "violates" | "collateral" | "cases">;

const server = (id: string, facts: Facts, switches: Partial<ServerBehavior> = {}): Mutant =>
  mutant(`eca.server/${id}`, { ...facts, profile: "v2026", patch: { ...todaysServer, ...switches } });
const client = (id: string, facts: Facts, switches: Partial<ClientBehavior> = {}): Mutant =>
  mutant(`eca.client/${id}`, { ...facts, profile: "v2026", patch: { ...todaysClient, ...switches } });

const configured = (change: (chat: Json) => Json | undefined): Partial<ServerBehavior> =>
  notified("config/updated", (params) => {
    const chat = change(isObject(params["chat"]) ? params["chat"] : {});
    return chat && { ...params, chat };
  });
const everything = { violates: [], cases: ["*"] } as const;
const config = ["eca.server.today.config"];
const one = ["eca.client.turn.message"];

/** Servers of the 2026 dialect that are broken in one way each, and some that are not. */
export const todaysServers: readonly Mutant[] = [
  server(
    "todays-models-as-text",
    { violates: ["ECA-TODAY-001"], collateral: ["ECA-TODAY-003"], cases: config },
    configured((chat) => ({ ...chat, models: "test/one" })),
  ),
  server(
    "lists-chats-without-status",
    { violates: ["ECA-TODAY-001"], cases: ["eca.server.today.chats"] },
    {
      today(method, params, chats) {
        const found = todaysServer.today(method, params, chats);
        return method === "chat/list"
          ? { chats: (found as { chats: Json[] }).chats.map((chat) => without(chat, "status")) }
          : found;
      },
    },
  ),
  server(
    "tools-without-server",
    { violates: ["ECA-TODAY-002"], cases: ["eca.server.tool.runs"] },
    { contents: (role, content) => [{ role, content }] },
  ),
  server(
    "succeeds-at-once",
    { violates: ["ECA-TODAY-002"], cases: ["eca.server.chat.own-id"] },
    {
      promptResult: (chatId, params) => ({ ...todaysServer.promptResult(chatId, params), status: "success" }),
    },
  ),
  server("configures-nothing", { violates: ["ECA-TODAY-003"] }, { announces: () => [] }),
  server(
    "selects-what-is-not-there",
    { violates: ["ECA-TODAY-003"] },
    configured((chat) => ({ ...chat, selectModel: "other" })),
  ),
  server("never-runs-a-chat", { violates: ["ECA-TODAY-004"] }, { chatStatus: () => [] }),
  server(
    "never-idle",
    { violates: ["ECA-TODAY-004"] },
    { chatStatus: (chatId) => todaysServer.chatStatus(chatId, "running") },
  ),
  server(
    "lists-no-chats",
    { violates: ["ECA-TODAY-005"] },
    {
      today: (method, params, chats) =>
        method === "chat/list" ? { chats: [] } : todaysServer.today(method, params, chats),
    },
  ),
  server(
    "opens-any-chat",
    { violates: ["ECA-TODAY-005"] },
    {
      today: (method, params, chats) =>
        method === "chat/open" ? { found: true, chatId: params["chatId"] } : todaysServer.today(method, params, chats),
    },
  ),
  server(
    "dies-of-todays-news",
    { violates: ["ECA-TODAY-006"] },
    { unknownNotification: (method) => (method === "chat/selectedModelChanged" ? "die" : []) },
  ),
  server("benign-today", everything),
  server("benign-today-without-chats", everything, { today: () => undefined }),
  server("benign-today-rejections", everything, { reject: "userChoiceDeny" }),
  server("benign-today-pieces", everything, { prepares: (text) => [text.slice(0, 4), text.slice(4)] }),
];

/** Clients of the 2026 dialect that are broken in one way each, and some that are not. */
export const todaysClients: readonly Mutant[] = [
  client(
    "diagnostics-as-text",
    { violates: ["ECA-TODAY-020"], collateral: ["ECA-TODAY-023"], cases: ["eca.client.today.diagnostics"] },
    {
      answers: (method) => (method === "editor/getDiagnostics" ? { diagnostics: "none" } : undefined),
    },
  ),
  client(
    "nulls-in-prompts-of-today",
    { violates: ["ECA-TODAY-021"], cases: one },
    sent("chat/prompt", (params) => ({ ...params, agent: null })),
  ),
  client(
    "dies-of-a-status",
    { violates: ["ECA-TODAY-022"], cases: ["eca.client.today.news"] },
    {
      unknownNotification: (method) => (method === "chat/statusChanged" ? "die" : "bear"),
    },
  ),
  client(
    "dies-of-images",
    { violates: ["ECA-TODAY-022"], cases: ["eca.client.today.contents"] },
    {
      bears: ({ content }) => (isObject(content) && content["type"] === "image" ? "die" : "bear"),
    },
  ),
  client("refuses-diagnostics", { violates: ["ECA-TODAY-023"] }, { answers: () => undefined }),
  client("keeps-what-is-cleared", { violates: ["ECA-TODAY-024"] }, { clears: () => false }),
  client("benign-today", everything),
  client(
    "benign-today-agent",
    everything,
    sent("chat/prompt", (params) => ({ ...without(params, "requestId"), agent: "code", trust: false })),
  ),
  client("benign-today-without-diagnostics", everything, {
    initializeParams: rightClient.initializeParams,
    answers: () => undefined,
  }),
];
