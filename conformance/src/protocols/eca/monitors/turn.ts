import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { contentOf, textOf } from "./fields.js";

const roles: Readonly<Record<string, string>> = { progress: "system", usage: "system" };
const ofTheModel = [
  "reasonStarted",
  "reasonText",
  "reasonFinished",
  "toolCallPrepare",
  "toolCallRun",
  "toolCalled",
  "toolCallRejected",
];

/** Every turn ends once. */
export const finishedMonitor = defineMonitor(
  {
    id: "eca.turn.finished-once",
    title: "a turn ends with one progress that is finished",
    req: ["ECA-TURN-001", "ECA-TURN-010"],
    role: "server",
  },
  (api) => {
    const open = new Map<string, number>();
    /** Prompts whose chat may get another id from the server: those of a new id, and those without one. */
    const unnamed: string[] = [];
    /** The turns of a chat that have not ended. */
    const leftOf = (chatId: string): number => {
      const named = open.get(chatId) === undefined ? unnamed.pop() : undefined;
      if (named !== undefined) open.delete(named);
      return open.get(chatId) ?? (named === undefined ? 0 : 1);
    };
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "chat/prompt") {
          const chatId = textOf(is.params, "chatId");
          if (!open.has(chatId)) unnamed.push(chatId);
          if (chatId !== "") open.set(chatId, (open.get(chatId) ?? 0) + 1);
        }
        // A 2026 server replays a chat that is opened again.
        if (from === "suite" && is.kind === "request" && is.method === "chat/open")
          open.delete(textOf(is.params, "chatId"));
        const found = contentOf(seen, "target");
        if (found === undefined) return;
        const { type, state } = found.content;
        if (found.role === "assistant" || (type === "progress" && state === "running"))
          api.require("ECA-TURN-010", open.get(found.chatId) !== 0 || unnamed.includes(""), entry, {
            message: "a turn that has ended goes on",
            expected: "nothing after finished",
            actual: entry.message,
          });
        if (type !== "progress" || state !== "finished") return;
        const left = leftOf(found.chatId);
        api.require("ECA-TURN-001", left > 0, entry, {
          message: "the end of a turn that has already ended",
          expected: "one finished for each turn",
          actual: entry.message,
        });
        open.set(found.chatId, left - 1);
        if (unnamed.includes(found.chatId)) unnamed.splice(unnamed.indexOf(found.chatId), 1);
      },
    };
  },
);

/** Whose a content is. */
export const roleMonitor = defineMonitor(
  {
    id: "eca.turn.roles",
    title: "progress and usage are the system's, thoughts and tools the assistant's",
    req: ["ECA-TURN-003"],
    role: "server",
  },
  (api) => ({
    message(seen) {
      const found = contentOf(seen, "target");
      if (found === undefined) return;
      const type = String(found.content["type"]);
      const wanted = ofTheModel.includes(type) ? "assistant" : roles[type];
      if (wanted === undefined) return;
      api.require("ECA-TURN-003", found.role === wanted, seen.entry, {
        message: `${type} of the ${String(found.role)}`,
        expected: wanted,
        actual: seen.entry.message,
      });
    },
  }),
);

/** The messages that a server shows to the user. */
export const messageMonitor = defineMonitor(
  {
    id: "eca.life.message",
    title: "a message is an error, a warning or an info",
    req: ["ECA-LIFE-013"],
    role: "server",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || is.method !== "$/showMessage") return;
      const type = textOf(is.params, "type");
      api.require("ECA-LIFE-013", ["error", "warning", "info"].includes(type), entry, {
        message: `a message of the type ${JSON.stringify(type)}`,
        expected: "error, warning or info",
        actual: entry.message,
      });
    },
  }),
);

/** Thoughts begin, go on and end. */
export const reasonMonitor = defineMonitor(
  {
    id: "eca.turn.reasons",
    title: "thoughts are started before they go on or finish",
    req: ["ECA-TURN-004"],
    role: "server",
  },
  (api) => {
    const started = new Set<string>();
    return {
      message(seen) {
        const found = contentOf(seen, "target");
        if (found === undefined || !String(found.content["type"]).startsWith("reason")) return;
        const key = JSON.stringify([found.chatId, found.content["id"]]);
        if (found.content["type"] === "reasonStarted") started.add(key);
        api.require("ECA-TURN-004", started.has(key), seen.entry, {
          message: "a thought that was not started, or is finished",
          expected: "reasonStarted first",
          actual: seen.entry.message,
        });
        if (found.content["type"] === "reasonFinished") started.delete(key);
      },
    };
  },
);

/** The prompt's id comes back with its contents. */
export const requestIdMonitor = defineMonitor(
  {
    id: "eca.turn.request-id",
    title: "contents carry the requestId of their prompt",
    req: ["ECA-CHAT-004"],
    role: "server",
  },
  (api) => {
    const wanted = new Map<string, Set<unknown>>();
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (
          from === "suite" &&
          is.kind === "request" &&
          is.method === "chat/prompt" &&
          isObject(is.params) &&
          typeof is.params["requestId"] === "string"
        ) {
          const ids = wanted.get(textOf(is.params, "chatId")) ?? new Set();
          wanted.set(textOf(is.params, "chatId"), ids.add(is.params["requestId"]));
        }
        const found = contentOf(seen, "target");
        const ids = found && wanted.get(found.chatId);
        if (found === undefined || ids === undefined || ids.size === 0) return;
        api.require("ECA-CHAT-004", ids.has(found.requestId), entry, {
          message: "a content without the requestId of its prompt",
          expected: [...ids].join(" or "),
          actual: entry.message,
        });
        if (found.content["type"] === "progress" && found.content["state"] === "finished") ids.delete(found.requestId);
      },
    };
  },
);

/** Nothing but answers comes before the client is ready. */
export const earlyMonitor = defineMonitor(
  {
    id: "eca.life.early",
    title: "nothing but answers is sent before initialized",
    req: ["ECA-LIFE-005"],
    role: "server",
  },
  (api) => {
    let ready = false;
    return {
      message({ from, is, entry }) {
        if (from === "suite" && is.kind === "notification" && is.method === "initialized") ready = true;
        if (from !== "target" || ready) return;
        const early = is.kind === "request" || is.kind === "notification";
        api.require("ECA-LIFE-005", !early, entry, {
          message: "a message before initialized",
          expected: "answers only",
          actual: entry.message,
        });
      },
    };
  },
);

/** The tokens of a session include those of its last message. */
export const usageMonitor = defineMonitor(
  {
    id: "eca.turn.usage",
    title: "numbers of tokens are whole, and sessionTokens count the last message, too",
    req: ["ECA-TURN-009", "ECA-TURN-012"],
    role: "server",
  },
  (api) => ({
    message(seen) {
      const content = contentOf(seen, "target")?.content;
      if (content?.["type"] !== "usage") return;
      const { messageInputTokens: read, messageOutputTokens: written, sessionTokens: all } = content;
      if (typeof read !== "number" || typeof written !== "number" || typeof all !== "number") return;
      const isWhole = [read, written, all].every((count) => Number.isInteger(count) && count >= 0);
      api.require("ECA-TURN-012", isWhole, seen.entry, {
        message: "no number of tokens",
        expected: "whole numbers from 0 up",
        actual: content,
      });
      api.require("ECA-TURN-009", all >= read + written, seen.entry, {
        message: "sessionTokens are less than those of the last message",
        expected: `at least ${read + written}`,
        actual: all,
      });
    },
  }),
);
