import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "@editwire/core";
import { isAlive } from "../../core/talk/alive.js";
import type { Call } from "../../core/talk/call.js";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { CaseEnd, ExpectationError, inTime } from "../../core/errors.js";
import type { Known } from "../../core/run/known.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import { makeWorkspace, workspace } from "../../core/run/workspace.js";
import type { Incoming } from "../../core/talk/talk.js";

type Json = Record<string, unknown>;

const received = "chat/contentReceived";
const end = { type: "progress", state: "finished" };

/** A turn that a case began. */
export interface TestTurn extends Call {
  /** The chat, once a content or the answer has named it. */
  chatId(): Promise<string>;
  /** Waits for content of the turn. */
  content(pattern: Json): Promise<Incoming>;
  /** Waits until a turn with the behavior `slow` has begun to say `working`: the first letter may come alone. */
  works(): Promise<Incoming>;
  /**
   * Waits for the end of the turn, by default as long as for anything else, and gives every content since its beginning
   * that no wait has consumed.
   */
  finished(deadline?: number): Promise<readonly Json[]>;
  /** The turn's text so far, however it was split, without the part that a wait has consumed. */
  words(): Promise<string>;
  /** Waits for the end of the turn, and gives its words. */
  said(): Promise<string>;
}

/** The tools of cases for servers. */
export interface ServerContext extends CaseContext {
  /** Returns the result of `initialize`; makes the handshake first. */
  initialized(): Promise<Json>;
  /** Begins a turn in a chat of the case's own; `null` leaves the id to the server. */
  prompt(chatId: string | null, message: string, params?: Json): TestTurn;
  /** A new chat's id: the suite's own if the server takes such ids, else that of a chat which has had one turn. */
  chat(): Promise<string>;
  /** Whether the server takes ids that the client made; no sentence demands it. A run tries it once. */
  takesIds(): Promise<boolean>;
  /** Makes sure that the server still answers; an expectation like any other. */
  alive(): Promise<void>;
}

/** A folder as clients report it. */
export function folderAt(path: string): Json {
  return { uri: pathToFileURL(path).href, name: basename(path) };
}

/** The suite's params of `initialize`. */
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

/** A chat's id that no server knows. */
export const inventId = (): string => `11111111-1111-4111-8111-${String(++chats).padStart(12, "0")}`;

/** For each run: whether the server accepts ids of the client. */
const takesIds = new WeakMap<Known, Promise<boolean>>();

function serverContext(base: CaseContext): ServerContext {
  /** The case has a behavior that asks for approval, and answers it. */
  let asks = false;
  const isTaken = async (): Promise<boolean> => {
    await base.handshake();
    const isKnown = takesIds.get(base.known) ?? tryAnId(base);
    takesIds.set(base.known, isKnown);
    return isKnown;
  };
  return {
    ...base,
    say(behavior, args) {
      asks ||= behavior === "ask-approval";
      return base.say(behavior, args);
    },
    initialized: async () => ((await base.handshake()) as ServerHandshake).result,
    chat: async () => ((await isTaken()) ? inventId() : beginChat(base)),
    takesIds: isTaken,
    prompt: (chatId, message, params = {}) => promptOf(base, chatId, message, params, () => asks),
    alive: () => isAlive(base, () => base.send.request("chat/queryCommands", { query: "" })),
  };
}

/** Finds out whether the server runs a turn under an id of the suite's. Other faults are for cases to find. */
async function tryAnId(base: CaseContext): Promise<boolean> {
  const chatId = inventId();
  try {
    const turn = promptOf(base, chatId, base.say("text"), {}, () => false);
    const { error, result } = await turn.response();
    if (error !== undefined || (isObject(result) && result["chatId"] !== chatId)) return false;
    await turn.finished();
  } catch (error) {
    if (!(error instanceof ExpectationError || error instanceof CaseEnd)) throw error;
  }
  return true;
}

/** Begins a chat under an id of the server's. */
async function beginChat(base: CaseContext): Promise<string> {
  const turn = promptOf(base, null, base.say("text"), {}, () => false);
  await turn.finished();
  return turn.chatId();
}

/** Says whether a turn is reported as finished in time. */
export async function ends(turn: TestTurn, deadline?: number): Promise<boolean> {
  return (await inTime(turn.finished(deadline))) !== undefined;
}

function promptOf(
  base: CaseContext,
  given: string | null,
  message: string,
  params: Json,
  asks: () => boolean,
): TestTurn {
  const after = base.now();
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
  const finished = async (deadline?: number): Promise<readonly Json[]> => {
    const id = await chatId();
    const stop = asks() ? () => {} : answering(base, id);
    try {
      await base.expect.notify(received, { chatId: id, content: end }, { deadline, after });
    } finally {
      stop();
    }
    return base
      .rest(received, { chatId: id })
      .filter(({ at }) => at > after)
      .flatMap(({ params: { content } }) => (isObject(content) ? [content] : []));
  };
  const words = async (): Promise<string> => {
    const texts = base.rest(received, await answer(/^/)).filter(({ at }) => at > after);
    return texts.map(({ params: { content } }) => String((content as Json)["text"])).join("");
  };
  return {
    ...call,
    chatId,
    content: async (pattern) => base.expect.notify(received, { chatId: await chatId(), content: pattern }, { after }),
    works: async () => base.expect.notify(received, await answer(/w/), { after }),
    finished,
    words,
    said: async () => {
      await finished();
      return words();
    },
  };
}

/**
 * Approves every tool call of a chat that waits for the user: a server with a model may ask before any tool, and a case
 * that is not about that lets it go on. A server that gets plain prompts may ask for anything, so its calls are
 * rejected. Returns what stops it.
 */
function answering({ conversation, plain, send }: CaseContext, chatId: string): () => void {
  const answered = new Set<unknown>();
  const answer = (): void => {
    for (const { is } of conversation.received) {
      if (is.kind !== "notification" || !isObject(is.params) || is.params["chatId"] !== chatId) continue;
      const { content } = is.params;
      if (!isObject(content) || content["type"] !== "toolCallRun" || content["manualApproval"] !== true) continue;
      if (answered.has(content["id"])) continue;
      answered.add(content["id"]);
      send.notify(plain ? "chat/toolCallReject" : "chat/toolCallApprove", {
        chatId,
        toolCallId: String(content["id"]),
      });
    }
  };
  answer();
  return conversation.link.trace.subscribe((entry) => {
    if (entry.kind === "message" && entry.from === "target") answer();
  });
}
