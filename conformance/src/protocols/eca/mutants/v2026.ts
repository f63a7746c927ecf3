import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import type { ClientBehavior } from "../reference/client-behavior.js";
import { rightClient } from "../reference/client-behavior.js";
import type { Json, ServerBehavior } from "../reference/server-behavior.js";
import { v2026Client, v2026Server } from "../reference/v2026.js";
import { sent } from "./client-patch.js";
import { notified, without } from "./server-patch.js";

type Facts = Pick<Mutant, "violates" | "collateral" | "cases">;

const server = (id: string, facts: Facts, switches: Partial<ServerBehavior> = {}): Mutant =>
  mutant(`eca.server/${id}`, { ...facts, profile: "v2026", patch: { ...v2026Server, ...switches } });
const client = (id: string, facts: Facts, switches: Partial<ClientBehavior> = {}): Mutant =>
  mutant(`eca.client/${id}`, { ...facts, profile: "v2026", patch: { ...v2026Client, ...switches } });

const configured = (change: (chat: Json) => Json | undefined): Partial<ServerBehavior> =>
  notified("config/updated", (params) => {
    const chat = change(isObject(params["chat"]) ? params["chat"] : {});
    return chat && { ...params, chat };
  });
const everything = { violates: [], cases: ["*"] } as const;
const config = ["eca.server.v2026.config"];
const one = ["eca.client.turn.message"];

/** Servers of the 2026 dialect that are broken in one way each, and some that are not. */
export const v2026Servers: readonly Mutant[] = [
  server(
    "models-as-text-in-v2026",
    { violates: ["ECA-V2026-001"], collateral: ["ECA-V2026-003"], cases: config },
    configured((chat) => ({ ...chat, models: "test/one" })),
  ),
  server(
    "lists-chats-without-status",
    { violates: ["ECA-V2026-001"], cases: ["eca.server.v2026.chats"] },
    {
      v2026Result(method, params, chats) {
        const found = v2026Server.v2026Result(method, params, chats);
        return method === "chat/list"
          ? { chats: (found as { chats: Json[] }).chats.map((chat) => without(chat, "status")) }
          : found;
      },
    },
  ),
  server(
    "tools-without-server",
    { violates: ["ECA-V2026-002"], cases: ["eca.server.tool.runs"] },
    { contents: (role, content) => [{ role, content }] },
  ),
  server(
    "succeeds-at-once",
    { violates: ["ECA-V2026-002"], cases: ["eca.server.chat.own-id"] },
    {
      promptResult: (chatId, params) => ({ ...v2026Server.promptResult(chatId, params), status: "success" }),
    },
  ),
  server("configures-nothing", { violates: ["ECA-V2026-003"] }, { announces: () => [] }),
  server(
    "selects-what-is-not-there",
    { violates: ["ECA-V2026-003"] },
    configured((chat) => ({ ...chat, selectModel: "other" })),
  ),
  server("never-runs-a-chat", { violates: ["ECA-V2026-004"] }, { chatStatus: () => [] }),
  server(
    "never-idle",
    { violates: ["ECA-V2026-004"] },
    { chatStatus: (chatId) => v2026Server.chatStatus(chatId, "running") },
  ),
  server(
    "lists-no-chats",
    { violates: ["ECA-V2026-005"] },
    {
      v2026Result: (method, params, chats) =>
        method === "chat/list" ? { chats: [] } : v2026Server.v2026Result(method, params, chats),
    },
  ),
  server(
    "opens-any-chat",
    { violates: ["ECA-V2026-005"] },
    {
      v2026Result: (method, params, chats) =>
        method === "chat/open"
          ? { found: true, chatId: params["chatId"] }
          : v2026Server.v2026Result(method, params, chats),
    },
  ),
  server(
    "dies-of-v2026-notifications",
    { violates: ["ECA-V2026-006"] },
    { unknownNotification: (method) => (method === "chat/selectedModelChanged" ? "die" : []) },
  ),
  server("benign-v2026", everything),
  server("benign-v2026-without-chats", everything, { v2026Result: () => undefined }),
  server("benign-v2026-rejections", everything, { reject: "userChoiceDeny" }),
  server("benign-v2026-pieces", everything, { prepares: (text) => [text.slice(0, 4), text.slice(4)] }),
];

/** Clients of the 2026 dialect that are broken in one way each, and some that are not. */
export const v2026Clients: readonly Mutant[] = [
  client(
    "diagnostics-as-text",
    { violates: ["ECA-V2026-020"], collateral: ["ECA-V2026-023"], cases: ["eca.client.v2026.diagnostics"] },
    {
      answers: (method) => (method === "editor/getDiagnostics" ? { diagnostics: "none" } : undefined),
    },
  ),
  client(
    "nulls-in-v2026-prompts",
    { violates: ["ECA-V2026-021"], cases: one },
    sent("chat/prompt", (params) => ({ ...params, agent: null })),
  ),
  client(
    "dies-of-a-status",
    { violates: ["ECA-V2026-022"], cases: ["eca.client.v2026.notifications"] },
    {
      unknownNotification: (method) => (method === "chat/statusChanged" ? "die" : "survive"),
    },
  ),
  client(
    "dies-of-images",
    { violates: ["ECA-V2026-022"], cases: ["eca.client.v2026.contents"] },
    {
      onContent: ({ content }) => (isObject(content) && content["type"] === "image" ? "die" : "survive"),
    },
  ),
  client("refuses-diagnostics", { violates: ["ECA-V2026-023"] }, { answers: () => undefined }),
  client("keeps-what-is-cleared", { violates: ["ECA-V2026-024"] }, { clears: () => false }),
  client("benign-v2026", everything),
  client(
    "benign-v2026-agent",
    everything,
    sent("chat/prompt", (params) => ({ ...without(params, "requestId"), agent: "code", trust: false })),
  ),
  client("benign-v2026-without-diagnostics", everything, {
    initializeParams: rightClient.initializeParams,
    answers: () => undefined,
  }),
];
