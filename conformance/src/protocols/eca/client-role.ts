import { isObject } from "@editwire/core";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Conversation } from "../../core/talk/conversation.js";
import { ExpectationError, violating } from "../../core/errors.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import type { ByteExtras } from "../../wire/byte-link.js";
import { traitsOf } from "./profiles.js";
import { methodsFrom, sampleResult } from "./samples.js";
import { watch } from "./watch.js";

type Json = Record<string, unknown>;
/** How the user answers tool calls that wait for approval. */
export type Policy = "approve" | "reject" | "hold";

/** A prompt that the client sent and that the case has to answer. */
export interface ClientTurn {
  readonly chatId: string;
  /** The request. */
  readonly ask: Incoming;
  /**
   * Settles when the client has finished the turn. Rejects with an `ExpectationError` when the client reports a
   * failure.
   */
  readonly done: Promise<unknown>;
  /** Sends one content, in any form. */
  content(content: unknown, role?: string): void;
  /** Answers the prompt. */
  answer(): void;
  /** Answers the prompt if it is unanswered, and ends the turn. */
  end(): void;
}

/**
 * The tools of cases for clients: the suite is the server. The suite steers a client through its `Control`; the actions
 * marked with `?` are optional. `chat` is the suite's own name for a chat; the client chooses which side makes its id.
 * - `prompt {chat, message}` sends a prompt and resolves when the turn is over; it fails when the prompt is refused;
 * - `approval {policy}` says what the user does about tool calls from now on: `approve`, `reject` or `hold`;
 * - `stop? {chat}` stops the turn;
 * - `delete? {chat}` deletes the chat;
 * - `find-contexts? {chat, query}` looks for what can be added to a prompt, and gives what the user is offered:
 *   `{contexts?}`;
 * - `find-commands? {chat, query}` looks for commands: `{commands?: [{name}]}`;
 * - `stop-server? {name}` and `start-server? {name}` stop and start an MCP server;
 * - `quit? {}` ends the connection properly;
 * - `report? {chat}` gives what the user sees: `{text?, toolCalls?: [{id, state?, error?, arguments?, text?}],
 *   messages?: [{type, message}], servers?: [{name, status?}]}`; `error` says whether the call failed; `state` is
 *   `prepared`, `running`, `called` or `rejected`; what is left out is not judged.
 */
export interface ClientContext extends CaseContext {
  /** The client's params of `initialize`; waits for them first. */
  initialized(): Promise<Json>;
  /**
   * Waits for `initialize`, answers it and waits for `initialized`; only on a fresh connection. `behind` runs right
   * after the answer.
   */
  initialize(behind?: () => void): Promise<Incoming>;
  /** Makes the client send a prompt, and waits for it. */
  prompt(chat: string, message?: string): Promise<ClientTurn>;
  /** A name for a new chat. */
  chat(): string;
  /**
   * Shows that the client still works by a whole turn. A client that cannot be steered must answer a request, or have
   * ended properly.
   */
  works(): Promise<void>;
  /** Shows that the client still answers, whatever runs. */
  alive(): Promise<void>;
  /** Says what the user does about tool calls. */
  approval(policy: Policy): Promise<void>;
  /** The chat as the user sees it. Ends the case as not applicable when the client does not support `report`. */
  report(chat: string): Promise<Json>;
  /** Makes the bytes of the suite's messages from now on; only on a connection of the case's own. */
  encode(encode: (message: unknown) => Uint8Array): void;
}

/** The suite's result of `initialize`. */
const initializeResult = {
  models: ["suite/one", "suite/two"],
  chatDefaultModel: "suite/one",
  chatBehaviors: ["agent", "plan"],
  chatDefaultBehavior: "agent",
  chatWelcomeMessage: "Welcome to the conformance suite\n",
};

interface ClientHandshake extends Handshake {
  readonly params: Json;
}

/** Declares cases for clients. */
export const defineCases = casesOf<ClientContext>("eca.client");

/** How the suite plays the server: where a case does not answer, the suite answers everything except prompts. */
export const clientRole: RoleSuite = {
  role: "client",
  peer: "server",
  steered: true,
  watch,
  handshake: (talk) => shake(talk),
  context: clientContext,
};

/** Requests that every case answers in its own way. */
const leftToCases: readonly string[] = ["initialize", "chat/prompt"];

/** Makes the suite answer everything except `initialize` and prompts. */
function answerAlone(conversation: Conversation): void {
  for (const method of methodsFrom("client", "request").filter((one) => !leftToCases.includes(one)))
    conversation.responders.set(method, () => ({ result: sampleResult(method) }));
  conversation.otherwise = (method) =>
    leftToCases.includes(method) ? undefined : { error: { code: -32601, message: `Method not found: ${method}` } };
}

async function shake(talk: Talk, behind: () => void = () => {}): Promise<ClientHandshake & { ask: Incoming }> {
  answerAlone(talk.conversation);
  const ask = await talk.expect.request("initialize");
  talk.reply(ask, initializeResult);
  behind();
  await violating("ECA-LIFE-020", talk.expect.notify("initialized"));
  const { clientInfo, capabilities } = ask.params;
  return { ask, params: ask.params, capabilities, implementation: isObject(clientInfo) ? clientInfo : undefined };
}

const greeted = new WeakSet<Conversation>();

/** Sends the greeting of the profile, once for each connection. */
function greet(t: CaseContext): void {
  if (greeted.has(t.conversation)) return;
  greeted.add(t.conversation);
  for (const [method, params] of traitsOf(t).greeting) t.send.notify(method, params);
}

/** The answer to a prompt, with the status of the profile. */
function promptResult(t: CaseContext, chatId: string): Json {
  return { chatId, model: "suite/one", status: traitsOf(t).promptStatus };
}

/** The id of the chat of a prompt: the client's, or one that the suite makes. */
export function chatIdOf({ params: { chatId } }: Incoming, conversation: Conversation): string {
  return typeof chatId === "string"
    ? chatId
    : `11111111-1111-4111-8222-${String(conversation.freshId()).padStart(12, "0")}`;
}

let chats = 0;

function clientContext(base: CaseContext): ClientContext {
  const { conversation } = base;
  const ids = new Map<string, string>();
  const initialized = async (): Promise<Json> => {
    const { params } = (await base.handshake()) as ClientHandshake;
    greet(base);
    return params;
  };
  const prompt: ClientContext["prompt"] = async (name, message = "Hello") => {
    await initialized();
    return openTurn(base, name, message, ids);
  };
  const chat = (): string => `suite-${++chats}`;
  return {
    ...base,
    initialized,
    async initialize(behind) {
      const { ask, ...handshake } = await shake(base, behind);
      conversation.handshake = handshake;
      return ask;
    },
    prompt,
    chat,
    alive: () => lives(base),
    async works() {
      if (!isSteered(base)) return lives(base);
      const turn = await prompt(chat(), "Do you still work?");
      turn.end();
      await turn.done;
    },
    approval: async (policy) => {
      await initialized();
      await base.act("approval", { policy });
    },
    async report(name) {
      const seen = await base.act("report", { chat: name }, { optional: true });
      return isObject(seen) ? seen : {};
    },
    encode: (encode) => void ((base.extras as ByteExtras).encode = encode),
  };
}

function isSteered({ conversation }: CaseContext): boolean {
  return conversation.link.control !== undefined;
}

/** Makes the client send a prompt in a chat, and waits for it. `ids` has the ids of the chats that exist, by name. */
async function openTurn(
  base: CaseContext,
  name: string,
  message: string,
  ids: Map<string, string>,
): Promise<ClientTurn> {
  const done: Promise<unknown> = isSteered(base) ? base.act("prompt", { chat: name, message }) : Promise.resolve();
  const known = ids.get(name);
  const ask = await Promise.race([
    base.expect.request("chat/prompt", known === undefined ? {} : { chatId: known }),
    done.then(() => base.expect.request("chat/prompt")),
  ]);
  const chatId = chatIdOf(ask, base.conversation);
  ids.set(name, chatId);
  let answered = false;
  const content = (one: unknown, role = "assistant"): void =>
    void base.send.invalid({
      jsonrpc: "2.0",
      method: "chat/contentReceived",
      params: { chatId, role, content: one },
    });
  const answer = (): void => {
    if (!answered) base.reply(ask, promptResult(base, chatId));
    answered = true;
  };
  const end = (): void => {
    answer();
    content({ type: "progress", state: "finished", text: "" }, "system");
  };
  return { chatId, ask, done, content, answer, end };
}

/** A client that cannot be steered may have finished and left. */
async function lives({ send, conversation }: CaseContext): Promise<void> {
  try {
    await send.request("editor/getDiagnostics", {}).response();
  } catch (error) {
    const left =
      error instanceof ExpectationError && error.miss === "closed" && (await conversation.link.ended).code === 0;
    if (!left) throw error;
  }
}
