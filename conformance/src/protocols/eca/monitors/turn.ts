import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/monitor.js";
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
    req: ["ECA-TURN-001"],
    role: "server",
  },
  (api) => {
    const open = new Map<string, number>();
    const unnamed: string[] = [];
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "chat/prompt") {
          const chatId = textOf(is.params, "chatId");
          if (chatId === "") unnamed.push("");
          else open.set(chatId, (open.get(chatId) ?? 0) + 1);
        }
        const found = contentOf(seen, "target");
        if (found?.content["type"] !== "progress" || found.content["state"] !== "finished") return;
        const left = open.get(found.chatId) ?? (unnamed.pop() === undefined ? 0 : 1);
        api.require("ECA-TURN-001", left > 0, entry, {
          message: "the end of a turn that is over already",
          expected: "one finished for each turn",
          actual: entry.message,
        });
        open.set(found.chatId, left - 1);
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

/** The life of one tool call. */
interface ToolCall {
  prepared: number;
  ran: boolean;
  over: boolean;
  /** What it still waits for. */
  waits: boolean;
}

/** Tool calls are prepared, run and end, in this order. */
export const toolCallMonitor = defineMonitor(
  {
    id: "eca.turn.tool-calls",
    title: "a tool call is prepared, runs once and ends once",
    req: ["ECA-TOOL-001", "ECA-TOOL-002", "ECA-TOOL-003", "ECA-TOOL-004"],
    role: "server",
  },
  (api) => {
    const calls = new Map<string, ToolCall>();
    /** Chats whose turn the client wants to end: a call may begin while the stop is under way. */
    const stopped = new Set<string>();
    const key = (chatId: string, id: unknown): string => JSON.stringify([chatId, id]);
    const isOf = (chatId: string, id: string): boolean => id.startsWith(JSON.stringify([chatId]).slice(0, -1));
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (from === "suite" && is.kind === "notification") {
          const chatId = textOf(is.params, "chatId");
          if (is.method === "chat/toolCallApprove" || is.method === "chat/toolCallReject") {
            const call = calls.get(key(chatId, textOf(is.params, "toolCallId")));
            if (call !== undefined) call.waits = false;
          }
          if (is.method === "chat/promptStop") {
            stopped.add(chatId);
            for (const [id, call] of calls) if (isOf(chatId, id)) call.waits = false;
          }
        }
        if (from === "suite" && is.kind === "request" && is.method === "chat/prompt")
          stopped.delete(textOf(is.params, "chatId"));
        if (from === "suite" && is.kind === "request" && is.method === "chat/delete")
          for (const id of [...calls.keys()]) if (isOf(textOf(is.params, "chatId"), id)) calls.delete(id);
        const found = contentOf(seen, "target");
        if (found === undefined) return;
        const { type, id, manualApproval } = found.content;
        const known = calls.get(key(found.chatId, id));
        const bad = (req: string, condition: boolean, message: string, expected: string): void =>
          void api.require(req, condition, entry, { message, expected, actual: entry.message });
        if (type === "toolCallPrepare") {
          bad(
            "ECA-TOOL-001",
            known?.ran !== true,
            "a tool call is prepared that ran already, or its id is used again",
            "an id of its own",
          );
          bad(
            "ECA-TOOL-002",
            known === undefined || known.ran,
            "a tool call is prepared in pieces",
            "one toolCallPrepare with the whole text",
          );
          calls.set(key(found.chatId, id), {
            prepared: (known?.prepared ?? 0) + 1,
            ran: false,
            over: false,
            waits: false,
          });
        } else if (type === "toolCallRun") {
          bad(
            "ECA-TOOL-001",
            known !== undefined && !known.ran,
            known === undefined ? "a tool runs that was not prepared" : "a tool runs twice",
            "toolCallPrepare, then toolCallRun once",
          );
          const waits = manualApproval === true && !stopped.has(found.chatId);
          calls.set(key(found.chatId, id), { prepared: 1, ran: true, over: false, waits });
        } else if (type === "toolCalled" || type === "toolCallRejected") {
          bad(
            "ECA-TOOL-001",
            known?.ran === true && !known.over,
            "a tool call ends that does not run",
            "toolCallRun, then toolCalled or toolCallRejected once",
          );
          bad(
            "ECA-TOOL-003",
            known?.waits !== true,
            "a tool call that waits for the user ends",
            "an approval, a rejection or a stop first",
          );
          if (known !== undefined) known.over = true;
          if (type === "toolCalled")
            bad(
              "ECA-TOOL-004",
              hasRightShape(found.content),
              "toolCalled in another form",
              "arguments an object, outputs a list of texts, error a boolean",
            );
        }
      },
    };
  },
);

function hasRightShape({ arguments: args, outputs, error }: Record<string, unknown>): boolean {
  const isText = (output: unknown): boolean =>
    isObject(output) && output["type"] === "text" && typeof (output["text"] ?? output["content"]) === "string";
  return isObject(args) && typeof error === "boolean" && Array.isArray(outputs) && outputs.every(isText);
}

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
    const all = new Set<unknown>();
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
          all.add(is.params["requestId"]);
        }
        const found = contentOf(seen, "target");
        const ids = found && wanted.get(found.chatId);
        if (found === undefined || ids === undefined) return;
        api.require("ECA-CHAT-004", ids.has(found.requestId), entry, {
          message: "a content without the requestId of its prompt",
          expected: [...ids].join(" or "),
          actual: entry.message,
        });
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
