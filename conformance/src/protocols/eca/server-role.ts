import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "@editwire/core";
import { isAlive } from "../../core/alive.js";
import type { Call } from "../../core/call.js";
import { casesOf } from "../../core/case.js";
import type { CaseContext } from "../../core/context.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import { makeWorkspace, workspace } from "../../core/workspace.js";
import type { Incoming } from "../../core/talk.js";

type Json = Record<string, unknown>;

/** A turn that a case began. */
export interface TestTurn extends Call {
  /** The chat, once a content or the answer has named it. */
  chatId(): Promise<string>;
  /** Waits for content of the turn. */
  content(pattern: Json): Promise<Incoming>;
  /** Waits until a turn with the behavior `slow` has begun to say `working`: the first letter may come alone. */
  works(): Promise<Incoming>;
  /** Waits for the end of the turn, and gives every content since its beginning that no wait has consumed. */
  finished(): Promise<readonly Json[]>;
  /** Waits for the end of the turn, and gives what the chat said to the user, however it was split. */
  said(): Promise<string>;
}

/** What cases for servers work with. */
export interface ServerContext extends CaseContext {
  /** What `initialize` was answered with; makes the handshake first. */
  initialized(): Promise<Json>;
  /** Begins a turn in a chat of the case's own; `null` leaves the id to the server. */
  prompt(chatId: string | null, message: string, params?: Json): TestTurn;
  /** A new chat's id. */
  chat(): string;
  /** Makes sure that the server still answers; an expectation like any other. */
  alive(): Promise<void>;
}

/** A folder as clients report it. */
export function folderAt(path: string): Json {
  return { uri: pathToFileURL(path).href, name: basename(path) };
}

/** What the suite sends with `initialize`. */
export const initializeParams = {
  processId: null,
  clientInfo: { name: "editwire-conformance", version: "0.1.0" },
  initializationOptions: {},
  capabilities: { codeAssistant: { chat: true } },
  workspaceFolders: [folderAt(workspace)],
};

interface ServerHandshake extends Handshake {
  readonly result: Json;
}

/** Declares cases for servers. */
export const defineCases = casesOf<ServerContext>("eca.server");

/** How the suite plays the client. */
export const serverRole: RoleSuite = {
  role: "server",
  peer: "client",
  handshake: async (talk): Promise<ServerHandshake> => {
    makeWorkspace();
    const result = await talk.send.request("initialize", initializeParams).result();
    talk.send.notify("initialized", {});
    return { result, capabilities: result };
  },
  context: serverContext,
};

let chats = 0;

function serverContext(base: CaseContext): ServerContext {
  /** The case has a behavior that asks for approval, and answers it. */
  let asks = false;
  return {
    ...base,
    say(behavior, args) {
      asks ||= behavior === "ask-approval";
      return base.say(behavior, args);
    },
    initialized: async () => ((await base.handshake()) as ServerHandshake).result,
    chat: () => `11111111-1111-4111-8111-${String(++chats).padStart(12, "0")}`,
    prompt: (chatId, message, params = {}) => promptOf(base, chatId, message, params, () => asks),
    alive: () => isAlive(base, () => base.send.request("chat/queryCommands", { query: "" })),
  };
}

function promptOf(
  base: CaseContext,
  given: string | null,
  message: string,
  params: Json,
  asks: () => boolean,
): TestTurn {
  const call = base.send.request("chat/prompt", {
    ...(given !== null && { chatId: given }),
    requestId: `${base.now()}`,
    message,
    ...params,
  });
  const chatId = async (): Promise<string> => given ?? String((await call.result())["chatId"]);
  const answer = async (text: RegExp): Promise<Json> => ({
    chatId: await chatId(),
    role: /^(?!user$)/,
    content: { type: "text", text },
  });
  const finished = async (): Promise<readonly Json[]> => {
    const id = await chatId();
    const stop = asks() ? () => {} : approving(base, id);
    try {
      await base.expect.notify("chat/contentReceived", {
        chatId: id,
        content: { type: "progress", state: "finished" },
      });
    } finally {
      stop();
    }
    return contentsOf(base, id);
  };
  return {
    ...call,
    chatId,
    content: async (pattern) =>
      base.expect.notify("chat/contentReceived", { chatId: await chatId(), content: pattern }),
    works: async () => base.expect.notify("chat/contentReceived", await answer(/w/)),
    finished,
    async said() {
      await finished();
      return base
        .rest("chat/contentReceived", await answer(/^/))
        .map(({ params: { content } }) => String((content as Json)["text"]))
        .join("");
    },
  };
}

/**
 * Approves every tool call of a chat that waits for the user: a server with a model may ask before any tool, and a case
 * that is not about that lets it go on. Returns what stops it.
 */
function approving({ conversation, send }: CaseContext, chatId: string): () => void {
  const approved = new Set<unknown>();
  const approve = (): void => {
    for (const { is } of conversation.received) {
      if (is.kind !== "notification" || !isObject(is.params) || is.params["chatId"] !== chatId) continue;
      const { content } = is.params;
      if (!isObject(content) || content["type"] !== "toolCallRun" || content["manualApproval"] !== true) continue;
      if (approved.has(content["id"])) continue;
      approved.add(content["id"]);
      send.notify("chat/toolCallApprove", { chatId, toolCallId: String(content["id"]) });
    }
  };
  approve();
  return conversation.link.trace.subscribe((entry) => {
    if (entry.kind === "message" && entry.from === "target") approve();
  });
}

/** The contents of a chat that no wait has consumed. */
function contentsOf(base: CaseContext, chatId: string): Json[] {
  return base
    .rest("chat/contentReceived", { chatId })
    .flatMap(({ params: { content } }) => (isObject(content) ? [content] : []));
}
