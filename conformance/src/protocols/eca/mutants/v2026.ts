import { without } from "../../../packs/rewrites.js";
import { isObject } from "@editwire/core";
import { type Mutant, mutantsOf } from "../../../core/mutant.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import type { Json, ServerBehavior } from "../reference/server-behavior.js";
import { v2026Client, v2026Server } from "../reference/v2026.js";
import { sent } from "./client-patch.js";
import { notified } from "./server-patch.js";

const servers = mutantsOf<ServerBehavior>("eca.server", "ECA", { profile: "v2026", patch: v2026Server });
const clients = mutantsOf<ClientBehavior>("eca.client", "ECA", { profile: "v2026", patch: v2026Client });

const configured = (change: (chat: Json) => Json | undefined): Partial<ServerBehavior> =>
  notified("config/updated", (params) => {
    const chat = change(isObject(params["chat"]) ? params["chat"] : {});
    return chat && { ...params, chat };
  });
const config = ["v2026.config"];
const one = ["turn.message"];

/** Servers of the 2026 dialect that are broken in one way each, and some that are not. */
export const v2026Servers: readonly Mutant[] = [
  ...servers.broken({
    "models-as-text-in-v2026": [
      "V2026-001",
      configured((chat) => ({ ...chat, models: "test/one" })),
      { collateral: ["V2026-003"], cases: config },
    ],
    "succeeds-at-once": [
      "V2026-002",
      { promptResult: (chatId, params) => ({ ...v2026Server.promptResult(chatId, params), status: "success" }) },
      { cases: ["chat.own-id"] },
    ],
    "selects-what-is-not-there": ["V2026-003", configured((chat) => ({ ...chat, selectModel: "other" }))],
    "never-idle": ["V2026-004", { chatStatus: (chatId) => v2026Server.chatStatus(chatId, "running") }],
    "lists-no-chats": [
      "V2026-005",
      {
        v2026Result: (method, params, chats) =>
          method === "chat/list" ? { chats: [] } : v2026Server.v2026Result(method, params, chats),
      },
    ],
    "dies-of-v2026-notifications": [
      "V2026-006",
      { unknownNotification: (method) => (method === "chat/selectedModelChanged" ? "die" : []) },
    ],
  }),
  ...servers.benign({
    v2026: {},
    "v2026-without-chats": { v2026Result: () => undefined },
    "v2026-rejections": { reject: "userChoiceDeny" },
    "v2026-pieces": { prepares: (text) => [text.slice(0, 4), text.slice(4)] },
  }),
];

/** Clients of the 2026 dialect that are broken in one way each, and some that are not. */
export const v2026Clients: readonly Mutant[] = [
  ...clients.broken({
    "diagnostics-as-text": [
      "V2026-020",
      { answers: (method) => (method === "editor/getDiagnostics" ? { diagnostics: "none" } : undefined) },
      { collateral: ["V2026-023"], cases: ["v2026.diagnostics"] },
    ],
    "nulls-in-v2026-prompts": [
      "V2026-021",
      sent("chat/prompt", (params) => ({ ...params, agent: null })),
      { cases: one },
    ],
    "dies-of-a-status": [
      "V2026-022",
      { unknownNotification: (method) => (method === "chat/statusChanged" ? "die" : "survive") },
      { cases: ["v2026.notifications"] },
    ],
    "dies-of-images": [
      "V2026-022",
      { onContent: ({ content }) => (isObject(content) && content["type"] === "image" ? "die" : "survive") },
      { cases: ["v2026.contents"] },
    ],
    "refuses-diagnostics": ["V2026-023", { answers: () => undefined }],
    "keeps-what-is-cleared": ["V2026-024", { clears: () => false }],
  }),
  ...clients.benign({
    v2026: {},
    "v2026-agent": sent("chat/prompt", (params) => ({ ...without(params, "requestId"), agent: "code", trust: false })),
    "v2026-without-diagnostics": {
      initializeParams: rightClient.initializeParams,
      answers: () => undefined,
    },
  }),
];
