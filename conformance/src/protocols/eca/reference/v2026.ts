import { isObject } from "@editwire/core";
import { v2026Greeting } from "../v2026.js";
import { type ClientBehavior, rightClient } from "./client-behavior.js";
import { type Json, rightServer, type ServerBehavior } from "./server-behavior.js";

const notification = (method: string, params: Json): Json => ({ jsonrpc: "2.0", method, params });

/** The decisions with which the reference server speaks the 2026 dialect. */
export const v2026Server = {
  initializeResult: () => ({ chatWelcomeMessage: "Welcome\n" }),
  announces: () => v2026Greeting.map(([method, params]) => notification(method, params)),
  promptResult: (chatId, params) => ({ ...rightServer.promptResult(chatId, params), status: "prompting" }),
  contentParams: (chatId, _params, role, content) => ({ chatId, role, content }),
  contents: (role, content) => [
    { role, content: String(content["type"]).startsWith("toolCal") ? { ...content, server: "eca" } : content },
  ],
  chatStatus: (chatId, status) => [notification("chat/statusChanged", { chatId, status })],
  v2026Result(method, { chatId }, chats) {
    if (method === "chat/list")
      return { chats: [...chats.keys()].map((id) => ({ id, status: "idle", messageCount: 1 })) };
    if (method === "chat/open") return { found: chats.has(String(chatId)), chatId };
    return undefined;
  },
} satisfies Partial<ServerBehavior>;

/** The decisions with which the reference client speaks the 2026 dialect. */
export const v2026Client = {
  initializeParams() {
    const params = rightClient.initializeParams();
    const { codeAssistant } = params["capabilities"] as Json;
    return {
      ...params,
      capabilities: { codeAssistant: { ...(isObject(codeAssistant) && codeAssistant), editor: { diagnostics: true } } },
    };
  },
  promptParams(...prompt) {
    const { behavior: agent, ...params } = rightClient.promptParams(...prompt);
    return { ...params, agent };
  },
  answers: (method) => (method === "editor/getDiagnostics" ? { diagnostics: [] } : undefined),
  clears: (method) => method === "chat/cleared" || method === "chat/deleted",
} satisfies Partial<ClientBehavior>;
