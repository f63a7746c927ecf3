import { chain, type Change, isObject, mapField, type Places, type Profile, type Rewrites } from "@editwire/core";
import { specDeviations, deviations2026 } from "./deviations.js";
import { fill } from "./deviations-filled.js";
import {
  chatConfig,
  commandArguments,
  commands,
  contentsOf,
  historyMetas,
  initializationOptions,
  toolCallTypes,
  whole,
} from "./places.js";
import {
  bothNames,
  camel,
  filled,
  oneName,
  readOutputText,
  readRequestId,
  withoutNulls,
  words,
  writeOutputContent,
} from "./wire-forms.js";

type Part = "params" | "result";

/** One change at every place of one kind. */
function at(places: Places, change: Change, part: Part = "params"): Rewrites {
  return Object.fromEntries(
    Object.entries(places).map(([method, place]) => [method, { [part]: (value: unknown) => place(value, change) }]),
  );
}

/** Several tables as one; what concerns one value happens in their order. */
function joined(...tables: readonly Rewrites[]): Rewrites {
  const all: Record<string, { [K in Part]?: Change }> = {};
  for (const table of tables) {
    for (const [method, parts] of Object.entries(table)) {
      const entry = (all[method] ??= {});
      for (const [part, change] of Object.entries(parts) as [Part, Change][])
        entry[part] = chain(entry[part] ?? ((value) => value), change);
    }
  }
  return all;
}

/** Nothing on the wire says which dialect it is, so both profiles read both. */
const decode = joined(
  at(whole("chat/prompt"), chain(readRequestId, bothNames("behavior", "agent"))),
  at(initializationOptions, bothNames("chatBehavior", "chatAgent")),
  at(chatConfig, chain(bothNames("agents", "behaviors"), bothNames("selectAgent", "selectBehavior"))),
  at(contentsOf("usage"), bothNames("messageCost", "lastMessageCost")),
  at(contentsOf("toolCallRejected"), words("reason", camel)),
  at(commands, words("type", camel), "result"),
  at(historyMetas, withoutNulls("beforeCursor", "afterCursor", "compactionCursor"), "result"),
);

const isNative = (content: Record<string, unknown>): boolean => content["origin"] === "native";

/**
 * Fields that either dialect requires. Names of both dialects are written where readers of the other one ignore them.
 */
const encode = joined(
  at(whole("shutdown"), () => null, "result"),
  at(chatConfig, chain(bothNames("agents", "behaviors"), bothNames("selectAgent", "selectBehavior"))),
  at(contentsOf("usage"), bothNames("messageCost", "lastMessageCost")),
);

function onlyMcp(change: Change): Change {
  return (server) => (isObject(server) && server["type"] === "mcp" ? change(server) : server);
}

const first = (list: string, otherwise: string) => (result: Record<string, unknown>) =>
  Array.isArray(result[list]) && result[list].length > 0 ? (result[list][0] as unknown) : otherwise;

/** The five that the protocol has, and the nearest of them for the others. */
const serverStatuses: Readonly<Record<string, string>> = {
  stopping: "stopped",
  "requires-auth": "failed",
  unknown: "failed",
};

const beginnings = at(
  whole("initialize"),
  chain(
    filled({ models: () => [] }),
    filled({ chatBehaviors: () => [] }),
    filled({
      chatDefaultModel: first("models", ""),
      chatDefaultBehavior: first("chatBehaviors", ""),
      chatWelcomeMessage: "",
    }),
  ),
  "result",
);

/** How a binding behaves differently in the dialects of ECA. */
export interface EcaTraits {
  /** The client makes the id of a new chat; otherwise the server does, in its answer to the first prompt. */
  readonly clientNamesChats: boolean;
  /** The client reports what the user selects: `chat/selectedModelChanged` and `chat/selectedAgentChanged`. */
  readonly reportsSelection: boolean;
  /**
   * The server reports how chats and tools run: `chat/opened`, `chat/statusChanged`, `chat/deleted`, `toolCallRunning`.
   */
  readonly reportsChats: boolean;
  /**
   * The meaning of `sessionTokens` in a usage: all tokens of the chat, or those of its last request, which fill the
   * context.
   */
  readonly sessionTokens: "chat" | "request";
  /** The `argumentsText` of a further `toolCallPrepare` of a call: the whole text so far, or the next piece. */
  readonly argumentsText: "whole" | "piece";
}

/** A dialect of ECA. */
export type EcaProfile = Profile<EcaTraits>;

const spec: EcaProfile = {
  name: "spec",
  traits: {
    clientNamesChats: false,
    reportsSelection: false,
    reportsChats: false,
    sessionTokens: "chat",
    argumentsText: "whole",
  },
  decode: joined(decode, at(contentsOf("toolCalled"), readOutputText)),
  encode: joined(
    encode,
    at(whole("initialize"), filled({ processId: null })),
    at(initializationOptions, oneName("chatBehavior", "chatAgent")),
    beginnings,
    at(
      whole("chat/prompt"),
      chain(oneName("behavior", "agent"), (params) =>
        mapField(params, "requestId", (id) => (typeof id === "number" ? String(id) : id)),
      ),
    ),
    at(
      whole("chat/prompt"),
      words("status", () => "success"),
      "result",
    ),
    at(contentsOf("progress"), filled({ text: "" })),
    at(contentsOf("usage"), filled({ messageInputTokens: 0, messageOutputTokens: 0 })),
    at(contentsOf("toolCallPrepare"), filled({ manualApproval: false })),
    at(
      contentsOf(...toolCallTypes),
      chain(
        words("origin", (origin) => (origin === "mcp" ? origin : "native")),
        filled({ server: (content: Record<string, unknown>) => (isNative(content) ? "eca" : undefined) }),
      ),
    ),
    at(contentsOf("toolCalled"), writeOutputContent),
    at(
      contentsOf("toolCallRejected"),
      words("reason", () => "user"),
    ),
    at(
      commands,
      words("type", (type) => (camel(type) === "mcpPrompt" ? "mcp-prompt" : "native")),
      "result",
    ),
    at(
      whole("tool/serverUpdated"),
      onlyMcp(
        chain(
          words("status", (status) => serverStatuses[status] ?? status),
          filled({ command: "", args: () => [] }),
        ),
      ),
    ),
  ),
  deviations: specDeviations,
};

const v2026: EcaProfile = {
  name: "v2026",
  traits: {
    clientNamesChats: true,
    reportsSelection: true,
    reportsChats: true,
    sessionTokens: "request",
    argumentsText: "piece",
  },
  decode: joined(decode, at(commandArguments, fill({ required: () => false }), "result")),
  encode: joined(
    encode,
    at(initializationOptions, oneName("chatAgent", "chatBehavior")),
    at(whole("chat/prompt"), oneName("agent", "behavior")),
    at(
      whole("chat/prompt"),
      words("status", (status) => (status === "success" ? "prompting" : status)),
      "result",
    ),
    at(commands, words("type", camel), "result"),
    at(
      contentsOf(...toolCallTypes),
      filled({ server: (content: Record<string, unknown>) => (isNative(content) ? "eca" : "unknown") }),
    ),
    at(contentsOf("toolCalled", "reasonFinished"), filled({ totalTimeMs: 0 })),
    at(
      whole("tool/serverUpdated"),
      onlyMcp(
        filled({ disabled: (server: Record<string, unknown>) => server["status"] === "disabled", hasAuth: false }),
      ),
    ),
  ),
  deviations: deviations2026,
};

/**
 * The dialects of ECA. `spec` is the specification of August 2025; its servers write the output of a tool under both of
 * its names, and the `server` of their own tools, because later editors show a call without it under a wrong name.
 * `v2026` is the dialect of the servers and editors of 2026: 62 methods, `agent` for `behavior`, `config/updated` in
 * place of the answer to `initialize`.
 */
export const ecaProfiles = { spec, v2026 } as const;
