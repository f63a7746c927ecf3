import {
  type Deviation,
  dropNulls,
  dropUnreadable,
  isObject,
  mapField,
  methodsOf,
  nullLists,
  repaired,
  type Part,
  type Places,
  type Schema,
  validatorOf,
} from "@editwire/core";
import {
  codeAssistant,
  commandArguments,
  commands,
  contentsOf,
  contexts,
  foundContexts,
  initializationOptions,
  toolCallTypes,
  whole,
} from "./places.js";
import { ChatHistoryMeta, ChatSelection } from "./chats.js";
import { ContextBreakdown, UsageLimit } from "./content.js";
import { ChatContext } from "./contexts.js";
import * as z from "zod/mini";
import { fill, fills } from "./deviations-filled.js";
import { eca } from "./protocol.js";
import { ToolCallDetails } from "./tool-details.js";
import { filled, readOutputText, withoutNulls } from "./wire-forms.js";

type Facts = Omit<Parameters<typeof repaired>[0], "at">;

const emacs = "Emacs";
const servers2025 = "servers of 2025";
const serversNow = "servers of 2026";

const numberFact: Facts = {
  id: "chat-id-number",
  summary: "a number as chatId, read as a string",
  seen: "eca-nvim of 2025",
};
const cursorFact: Facts = {
  id: "cursor-place",
  summary: "a cursor without path or position, read as the start of an unnamed file",
  seen: "server 0.155.1, in what it offers",
};
const textFact: Facts = {
  id: "text-context",
  summary: "a text context without label and content, or with its content as text",
  seen: "clients written against earlier pages of the protocol",
};
/** The part of a prompt and of a query that has the contexts. */
const ContextsParams = z.looseObject({ contexts: z.optional(z.array(ChatContext)) });
const nullFact: Facts = { id: "A10", summary: "null for a field that may be absent", seen: emacs };
const nulls: Deviation[] = methodsOf(eca).flatMap(([method, def]) => [
  ...repaired({ ...nullFact, at: whole(method) }, dropNulls(def.params)),
  ...(def.kind === "request"
    ? repaired({ ...nullFact, at: whole(method), part: "result" }, dropNulls(def.result))
    : []),
]);

/** The rows that make a value fit; more special ones come before the nulls. */
export const repairs: readonly Deviation[] = [
  ...repaired(
    {
      id: "A22",
      summary: "an empty list in place of empty params",
      seen: "nvim",
      at: whole("initialized", "shutdown", "exit", "chat/promptStop"),
    },
    (params) => (Array.isArray(params) && params.length === 0 ? {} : params),
  ),
  ...repaired(
    {
      id: "A20",
      summary: "an object as the capability chat, read as true",
      seen: "ECA's own tests",
      at: codeAssistant,
    },
    (value) => mapField(value, "chat", (chat) => (isObject(chat) ? true : chat)),
  ),
  ...repaired(
    { id: "A19", summary: "null for chatBehavior or chatAgent of the options", seen: emacs, at: initializationOptions },
    withoutNulls("chatBehavior", "chatAgent"),
  ),
  ...repaired(
    {
      id: "A28",
      summary: "null for the chatId of a query's answer",
      seen: servers2025,
      at: whole("chat/queryContext", "chat/queryFiles", "chat/queryCommands"),
      part: "result",
    },
    withoutNulls("chatId"),
  ),
  ...repaired(
    { id: "A1", summary: "no outputs of a tool, or null among them", seen: servers2025, at: contentsOf("toolCalled") },
    (content) =>
      mapField(fill({ outputs: () => [] })(content), "outputs", (list) =>
        Array.isArray(list) && list.includes(null) ? list.filter((output) => output !== null) : list,
      ),
  ),
  ...repaired(
    { id: "A2", summary: "a command without arguments", seen: serversNow, at: commands, part: "result" },
    fill({ arguments: () => [] }),
  ),
  ...repaired(
    {
      id: "A3",
      summary: "a tool call without arguments",
      seen: serversNow,
      at: contentsOf("toolCallRun", "toolCallRunning", "toolCalled", "toolCallRejected"),
    },
    fill({ arguments: () => ({}) }),
  ),
  ...repaired(
    {
      id: "A6",
      summary: "a tool call without an origin, read as unknown",
      seen: servers2025,
      at: contentsOf(...toolCallTypes),
    },
    fill({ origin: () => "unknown" }),
  ),
  ...repaired(
    {
      id: "A32",
      summary: "a tool call's outcome without error, read as false",
      seen: serversNow,
      at: contentsOf("toolCalled"),
    },
    fill({ error: () => false }),
  ),
  ...repaired(
    {
      id: "found-key",
      summary: "found? instead of found",
      seen: "servers before 2026-07-15",
      at: whole("chat/open"),
      part: "result",
    },
    (result) => {
      if (!isObject(result) || typeof result["found?"] !== "boolean" || result["found"] !== undefined) return result;
      const { "found?": found, ...others } = result;
      return { ...others, found };
    },
  ),
  ...repaired(
    {
      id: "diagnostics-status",
      summary: "a status in place of diagnostics, read as none",
      seen: "Emacs outside of a project",
      at: whole("editor/getDiagnostics"),
      part: "result",
    },
    (result) =>
      isObject(result) && typeof result["status"] === "string" ? fill({ diagnostics: () => [] })(result) : result,
  ),
  ...methodsOf(eca).flatMap(([method, def]) => [
    ...repaired({ ...numberFact, at: whole(method) }, withTextId),
    ...(def.kind === "request" ? repaired({ ...numberFact, at: whole(method), part: "result" }, withTextId) : []),
  ]),
  ...repaired(
    {
      id: "run-approval",
      summary: "a tool call that runs without manualApproval, read as false",
      seen: "server 0.155.1, when it replays a chat",
      at: contentsOf("toolCallRun"),
    },
    fill({ manualApproval: () => false }),
  ),
  ...repaired(
    {
      id: "rollback-include",
      summary: "a rollback without include, read as a rollback of the messages",
      seen: "eca-desktop",
      at: whole("chat/rollback"),
    },
    fill({ include: () => ["messages"] }),
  ),
  ...fills,
  ...nulls,
  ...nullLists(eca),
  ...repaired({ ...textFact, at: contexts }, withLabel),
  ...repaired({ ...textFact, at: foundContexts, part: "result" }, withLabel),
  ...repaired({ ...cursorFact, at: contexts }, withPlace),
  ...repaired({ ...cursorFact, at: foundContexts, part: "result" }, withPlace),
  ...withoutUnreadable(contentsOf(...toolCallTypes), "details", ToolCallDetails),
  ...methodsOf(eca).flatMap(([method, def]) => [
    ...(def.from === "server" ? readable(whole(method), "params", def.params) : []),
    ...(def.kind === "request" ? readable(whole(method), "result", def.result) : []),
  ]),
  ...readable(whole(...Object.keys(contexts)), "params", ContextsParams),
  ...withoutUnreadable(contentsOf("usage"), "limit", UsageLimit),
  ...withoutUnreadable(contentsOf("usage"), "contextBreakdown", ContextBreakdown),
  ...withoutUnreadable(whole("chat/open", "chat/history"), "meta", ChatHistoryMeta, "result"),
  ...withoutUnreadable(whole("chat/open"), "selection", ChatSelection, "result"),
];

/** Reads a `chatId` that is a number as a text. */
function withTextId(value: unknown): unknown {
  return mapField(value, "chatId", (id) => (typeof id === "number" ? String(id) : id));
}

/** Reads a text context of which only the text is known. */
function withLabel(context: unknown): unknown {
  return isObject(context) && context["type"] === "text"
    ? filled({ label: "", content: (value: Record<string, unknown>) => value["text"] ?? "" })(context)
    : context;
}

/** Gives a cursor that says no place the start of no file. */
function withPlace(context: unknown): unknown {
  const start = { line: 1, character: 1 };
  return isObject(context) && context["type"] === "cursor"
    ? filled({ path: "", position: () => ({ start, end: start }) })(context)
    : context;
}

/**
 * Drops the elements of lists that do not fit, so that the others are not lost with them. Of what a client wants done,
 * only contexts may lack one: a command without one of its arguments is another command.
 */
function readable(at: Places, part: Part, schema: Schema<unknown>): Deviation[] {
  const summary = "an element of a list that cannot be read; it is dropped";
  return repaired({ id: "unreadable-element", summary, seen: "no recorded peer", at, part }, dropUnreadable(schema));
}

/** Drops an optional field that does not fit, so that the rest is not lost with it. */
function withoutUnreadable(at: Places, key: string, schema: Schema<unknown>, part: Part = "params"): Deviation[] {
  const validator = validatorOf(schema);
  const fact = { id: "unreadable-field", summary: "an optional field that cannot be read; it is dropped" };
  return repaired({ ...fact, seen: "no recorded peer", at, part }, (value) => {
    if (!isObject(value) || value[key] === undefined || validator.fits(value[key])) return value;
    const { [key]: _, ...others } = value;
    return others;
  });
}

/** Only in `spec`: the dialect of 2026 allows it. */
export const argumentRequired: readonly Deviation[] = repaired(
  {
    id: "A14",
    summary: "a command's argument without required, read as false",
    seen: serversNow,
    at: commandArguments,
    part: "result",
  },
  fill({ required: () => false }),
);

/** Only in `v2026`: the specification has it so. */
export const outputContent: readonly Deviation[] = repaired(
  {
    id: "A1",
    summary: "the output of a tool as content instead of text",
    seen: "servers written against the specification",
    at: contentsOf("toolCalled"),
  },
  readOutputText,
);
