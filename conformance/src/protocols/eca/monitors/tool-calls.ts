import { isDeepStrictEqual } from "node:util";
import { isObject } from "@editwire/core";
import { defineMonitor, type MonitorApi, type SeenMessage } from "../../../core/talk/monitor.js";
import { contentOf, type SeenContent, textOf } from "./fields.js";

/** How far one tool call is. */
interface ToolCall {
  ran: boolean;
  over: boolean;
  /** The user has to answer first. */
  waits: boolean;
  /** The `argumentsText` so far, and that of the last content alone. */
  text: string;
  last: string;
  /** The arguments with which it runs. */
  readonly args?: unknown;
  /** The properties of the call when it was first shown. */
  readonly first: Readonly<Record<string, unknown>>;
}

/** The tool calls of every chat, and what the client decided about them. */
class ToolCalls {
  readonly #chats = new Map<string, Map<unknown, ToolCall>>();
  /** Chats whose turn the client wants to end: a call may begin while the stop is under way. */
  readonly #stopped = new Set<string>();

  get(chatId: string, id: unknown): ToolCall | undefined {
    return this.#chats.get(chatId)?.get(id);
  }

  prepare(chatId: string, content: Readonly<Record<string, unknown>>): void {
    const before = this.get(chatId, content["id"]);
    const last = textOf(content, "argumentsText");
    const text = before === undefined || before.ran ? last : before.text + last;
    this.#set(chatId, content["id"], { ran: false, over: false, waits: false, text, last, first: content });
  }

  run(chatId: string, content: Readonly<Record<string, unknown>>): void {
    const { text = "", last = "", first = content } = this.get(chatId, content["id"]) ?? {};
    const waits = content["manualApproval"] === true && !this.#stopped.has(chatId);
    const args = content["arguments"];
    this.#set(chatId, content["id"], { ran: true, over: false, waits, text, last, args, first });
  }

  /** Reads a message of the client. */
  readClient({ is }: SeenMessage): void {
    if (is.kind !== "request" && is.kind !== "notification") return;
    const chatId = textOf(is.params, "chatId");
    switch (is.method) {
      case "chat/prompt":
        this.#stopped.delete(chatId);
        // The ids are the model's, which may use one again in a later turn.
        for (const [id, { over }] of this.#chats.get(chatId) ?? []) if (over) this.#chats.get(chatId)?.delete(id);
        break;
      case "chat/delete":
        this.#chats.delete(chatId);
        break;
      case "chat/promptStop":
        this.#stopped.add(chatId);
        for (const call of this.#chats.get(chatId)?.values() ?? []) call.waits = false;
        break;
      case "chat/toolCallApprove":
      case "chat/toolCallReject":
        this.#decide(chatId, textOf(is.params, "toolCallId"));
    }
  }

  /** A decision that names no chat, as Emacs sends it, may be for the call of any chat. */
  #decide(chatId: string, id: string): void {
    for (const chat of chatId === "" ? this.#chats.keys() : [chatId]) {
      const call = this.get(chat, id);
      if (call !== undefined) call.waits = false;
    }
  }

  #set(chatId: string, id: unknown, call: ToolCall): void {
    const calls = this.#chats.get(chatId) ?? new Map<unknown, ToolCall>();
    this.#chats.set(chatId, calls.set(id, call));
  }
}

/** Tool calls are prepared, run and end, in this order. */
export const toolCallMonitor = defineMonitor(
  {
    id: "eca.turn.tool-calls",
    title: "a tool call is prepared, runs once and ends once",
    req: [
      "ECA-TOOL-001",
      "ECA-TOOL-002",
      "ECA-TOOL-003",
      "ECA-TOOL-004",
      "ECA-TOOL-024",
      "ECA-TOOL-025",
      "ECA-TOOL-026",
      "ECA-TOOL-029",
      "ECA-TOOL-050",
    ],
    role: "server",
  },
  (api) => {
    const calls = new ToolCalls();
    return {
      message(seen) {
        if (seen.from === "suite") calls.readClient(seen);
        const found = contentOf(seen, "target");
        if (found !== undefined) judgeToolCall(api, seen, found, calls);
      },
    };
  },
);

/** Judges one content by what the same tool call did before, and records it. */
function judgeToolCall(
  api: MonitorApi,
  { entry }: SeenMessage,
  { chatId, content }: SeenContent,
  calls: ToolCalls,
): void {
  const { type, id } = content;
  const known = calls.get(chatId, id);
  const judge = (req: string, condition: boolean, message: string, expected: string): void =>
    void api.require(req, condition, entry, { message, expected, actual: entry.message });
  if (known !== undefined && type !== "toolCallPrepare" && String(type).startsWith("toolCall")) {
    const isSame = ["name", "origin"].every((field) => known.first[field] === content[field]);
    judge("ECA-TOOL-025", isSame, "a tool call becomes another", "the name and the origin that it had");
  }
  switch (type) {
    case "toolCallPrepare": {
      const again = "a tool call is prepared that ran already, or its id is used again";
      const whole = "one toolCallPrepare with the whole text";
      judge("ECA-TOOL-001", known?.ran !== true, again, "an id of its own");
      judge("ECA-TOOL-002", known === undefined || known.ran, "a tool call is prepared in pieces", whole);
      calls.prepare(chatId, content);
      break;
    }
    case "toolCallRun": {
      judge("ECA-TOOL-001", known?.ran !== true, "a tool runs twice", "toolCallRun once");
      judge("ECA-TOOL-050", known !== undefined, "a tool runs without a toolCallPrepare", "toolCallPrepare first");
      const other = "the argumentsText of toolCallPrepare is not what the tool runs with";
      judge(
        "ECA-TOOL-024",
        known === undefined || hasArguments(known, content["arguments"]),
        other,
        "the same arguments",
      );
      const says = known?.first["manualApproval"];
      const isAsked = says === undefined || says === content["manualApproval"];
      judge("ECA-TOOL-026", isAsked, "manualApproval changes", "what toolCallPrepare said");
      calls.run(chatId, content);
      break;
    }
    case "toolCalled":
    case "toolCallRejected": {
      const once = "toolCallRun, then toolCalled or toolCallRejected once";
      const answer = "an approval, a rejection or a stop first";
      judge("ECA-TOOL-001", known?.ran === true && !known.over, "a tool call ends that does not run", once);
      judge("ECA-TOOL-003", known?.waits !== true, "a tool call that waits for the user ends", answer);
      const [args, others] = [known?.args, content["arguments"]];
      const isSame = !isObject(args) || !isObject(others) || isDeepStrictEqual(args, others);
      judge("ECA-TOOL-029", isSame, "a tool call ends with other arguments", "those of toolCallRun");
      if (known !== undefined) known.over = true;
      const form = "arguments an object or a list of strings, outputs a list of texts";
      if (type === "toolCalled") judge("ECA-TOOL-004", hasRightShape(content), "toolCalled in another form", form);
    }
  }
}

/** Whether the text that was prepared, in pieces or whole each time, is the JSON text of the arguments. */
function hasArguments({ text, last }: ToolCall, args: unknown): boolean {
  if (!isObject(args)) return true; // it has a requirement of its own
  return [text, last].some((each) => {
    try {
      return isDeepStrictEqual(JSON.parse(each), args);
    } catch {
      return false;
    }
  });
}

function hasRightShape({ arguments: args, outputs }: Record<string, unknown>): boolean {
  const isText = (output: unknown): boolean =>
    isObject(output) && output["type"] === "text" && typeof (output["text"] ?? output["content"]) === "string";
  // The interface of the specification has a list of strings here, and its other tool calls have an object.
  const isList = Array.isArray(args) && args.every((arg) => typeof arg === "string");
  return (isObject(args) || isList) && Array.isArray(outputs) && outputs.every(isText);
}
