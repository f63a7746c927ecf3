import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { contentOf, textOf } from "./fields.js";

/** The kind and the state of a thing that has an id in a chat. */
interface Owner {
  readonly kind: "thought" | "tool call";
  over: boolean;
}

/** Readers keep the contents of a chat by their ids. */
export const idMonitor = defineMonitor(
  {
    id: "eca.turn.ids",
    title: "no two thoughts or tool calls of a chat have the same id",
    req: ["ECA-TURN-011"],
    role: "server",
  },
  (api) => {
    const chats = new Map<string, Map<unknown, Owner>>();
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (from === "suite" && is.kind === "request") {
          const chatId = textOf(is.params, "chatId");
          // A call may end and be prepared again in one turn, which has a requirement of its own.
          if (is.method === "chat/prompt") for (const owner of chats.get(chatId)?.values() ?? []) owner.over = true;
          // A deleted chat begins from the start, and a 2026 server shows again what is in one that is opened.
          else chats.delete(chatId);
        }
        const found = contentOf(seen, "target");
        const { type, id } = found?.content ?? {};
        const isTool = type === "toolCallPrepare" || type === "toolCallRun";
        if (found === undefined || (!isTool && type !== "reasonStarted")) return;
        const owners = chats.get(found.chatId) ?? new Map<unknown, Owner>();
        chats.set(found.chatId, owners);
        const owner = owners.get(id);
        const isNew = owner === undefined || (isTool && owner.kind === "tool call" && !owner.over);
        api.require("ECA-TURN-011", isNew, entry, {
          message: `the id of another ${owner?.kind}`,
          expected: "an id that nothing else in the chat has",
          actual: entry.message,
        });
        owners.set(id, { kind: isTool ? "tool call" : "thought", over: false });
      },
    };
  },
);

/** A change of a file counts the lines of its diff. */
export const fileChangeMonitor = defineMonitor(
  {
    id: "eca.turn.file-changes",
    title: "a file change counts the lines of its diff",
    req: ["ECA-TOOL-051"],
    role: "server",
  },
  (api) => ({
    message(seen) {
      const details = contentOf(seen, "target")?.content["details"];
      if (!isObject(details) || details["type"] !== "fileChange") return;
      const lines = textOf(details, "diff").split("\n");
      // Only a diff with signs can be counted.
      if (!lines.some((line) => /^[+-]/.test(line))) return;
      const headers = lines.filter((line, index) => line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ "));
      for (const [sign, field] of [
        ["+", "linesAdded"],
        ["-", "linesRemoved"],
      ] as const) {
        const [count, most] = [details[field], lines.filter((line) => line.startsWith(sign)).length];
        if (typeof count !== "number") continue;
        api.require("ECA-TOOL-051", count <= most && count >= most - headers.length, seen.entry, {
          message: `${field} is not what the diff has`,
          expected: most - headers.length,
          actual: details,
        });
      }
    },
  }),
);
