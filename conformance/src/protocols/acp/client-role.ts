import { isObject } from "@editwire/core";
import type { Call } from "../../core/talk/call.js";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { CaseEnd, ExpectationError } from "../../core/errors.js";
import type { Conversation } from "../../core/talk/conversation.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import type { ByteExtras } from "../../wire/byte-link.js";
import { agentResultIn, answerAlone, modes, permissionOptions } from "./as-agent.js";
import { clientDialect, recordedDialect } from "./dialect.js";
import { watch } from "./watch.js";

/** How a user answers permission requests. */
export type Policy = "allow" | "reject" | "cancel" | "hold";
type Json = Record<string, unknown>;

/** How a case answers `session/new`. */
export interface SessionOptions {
  /** The result of `session/new`; default: an id and modes. */
  readonly result?: ((sessionId: string) => Json) | undefined;
  /** The folder of the session. Default: one that is not looked into. */
  readonly cwd?: string | undefined;
  /** Called right before the answer is sent. */
  readonly before?: ((sessionId: string) => void) | undefined;
}

/** A session that the client opened. */
export interface ClientSession {
  readonly id: string;
  /** The `session/new` that opened it. */
  readonly ask: Incoming;
}

/** A prompt that the client sent and that the case has to answer. */
export interface ClientTurn {
  readonly sessionId: string;
  /** The request. */
  readonly ask: Incoming;
  /**
   * Settles with `{stopReason}` when the client has finished the turn. Rejects with an `ExpectationError` when the
   * client reports a failure.
   */
  readonly done: Promise<unknown>;
  /** Sends one update of the turn. */
  update(update: Json): void;
  /** Answers the prompt. */
  end(stopReason?: string): void;
}

/**
 * The tools of cases for clients: the suite is the agent. The suite steers a client through its `Control`; the actions
 * marked with `?` are optional.
 * - `new-session {cwd}` opens a session;
 * - `prompt {sessionId, prompt}` sends a prompt, a text or content blocks, and gives `{stopReason}` when the turn is
 *   over;
 * - `permission {policy}` sets how the user answers permission requests from now on: `allow`, `reject`, `cancel`, or
 *   `hold` (no answer yet);
 * - `cancel? {sessionId}` ends the turn;
 * - `load-session? {sessionId, cwd}` loads a session;
 * - `set-mode? {sessionId, modeId}` switches the mode;
 * - `authenticate? {methodId}` signs in;
 * - the name of any other request, such as `session/new`, sends it with the arguments as params;
 * - `elicitation? {action, content}` sets what the user does with the next forms: `accept` with a content, `decline` or
 *   `cancel`;
 * - `leave?` closes the client;
 * - `report? {sessionId}` gives what the user sees: `{text?, modeId?, toolCalls?: [{toolCallId, status?, text?}],
 *   plan?: [{content, priority, status}]}`. A field that is absent is not judged.
 */
export interface ClientContext extends CaseContext {
  /** Whether the suite can make the client act. If not, cases wait for what the client does. */
  readonly steered: boolean;
  /** Ends the case as blocked when the client cannot be steered. */
  steer(what: string): void;
  /** The client's params of `initialize`; waits for them first. */
  initialized(): Promise<Json>;
  /** Waits for `initialize`, runs `before` and answers with `result`; only on a fresh connection. */
  initialize(result?: Json, before?: () => Promise<void>): Promise<Incoming>;
  /** Makes the client open a session. */
  session(options?: SessionOptions): Promise<ClientSession>;
  /** Makes the client send a prompt, and waits for it. */
  prompt(session: Pick<ClientSession, "id">, prompt?: string | readonly Json[]): Promise<ClientTurn>;
  /**
   * Shows that the client still works by a whole turn. A client that cannot be steered must answer a request, or have
   * ended properly.
   */
  works(session: ClientSession): Promise<void>;
  /** Shows that the client still answers, whatever runs. */
  alive(): Promise<void>;
  /** Makes the client do an optional action, and waits for the request that it sends then. */
  tell(
    action: string,
    args: Json,
    method: string,
  ): Promise<{ readonly ask: Incoming; readonly done: Promise<unknown> }>;
  /** Asks the client for an action that it should refuse, and expects that the request does not come. */
  refrains(action: string, args: Json, method: string): Promise<void>;
  /** Sets how the user answers permission requests. */
  permission(policy: Policy): Promise<void>;
  /** Asks for permission. */
  ask(session: ClientSession, params?: Json): Call;
  /** The session as the user sees it. Ends the case as not applicable when the client does not support `report`. */
  report(session: ClientSession): Promise<Json>;
  /** Sends a `session/update`, in any form. */
  update(sessionId: string, update: unknown): void;
  /** Makes the bytes of the suite's messages from now on; only on a connection of the case's own. */
  encode(encode: (message: unknown) => Uint8Array): void;
}

/** Declares cases for clients. */
export const defineCases = casesOf<ClientContext>("acp.client");

/** How the suite plays the agent: where a case does not answer, the suite answers everything except prompts. */
export const clientRole: RoleSuite = {
  role: "client",
  peer: "agent",
  steered: true,
  dialectOf: clientDialect,
  recordedDialect,
  watch,
  handshake: (talk, profile) => shake(talk, agentResultIn({ profile })).then(({ ask }) => handshakeOf(ask)),
  context: clientContext,
};

interface ClientHandshake extends Handshake {
  readonly params: Json;
}

async function shake(talk: Talk, result: Json, before?: () => Promise<void>): Promise<{ ask: Incoming }> {
  answerAlone(talk.conversation);
  const ask = await talk.expect.request("initialize");
  await before?.();
  talk.reply(ask, result);
  return { ask };
}

function handshakeOf({ params }: Incoming): ClientHandshake {
  const { clientInfo, clientCapabilities } = params;
  return { params, capabilities: clientCapabilities, implementation: isObject(clientInfo) ? clientInfo : undefined };
}

/** How long a client has to do what it should not do. */
const QUIET_MS = 150;
/** The working directory of sessions. */
const cwd = process.platform === "win32" ? "C:\\" : "/tmp";

function clientContext(base: CaseContext): ClientContext {
  const { conversation, act } = base;
  const steered = conversation.link.control !== undefined;
  const initialized = async (): Promise<Json> => ((await base.handshake()) as ClientHandshake).params;
  const prompt: ClientContext["prompt"] = ({ id }, content = "Hello") => openTurn(base, id, content);
  return {
    ...base,
    ...sendingOf(base),
    steered,
    steer: (what) => (steered ? undefined : base.blocked(`the target cannot be steered, so it cannot ${what}`)),
    initialized,
    async initialize(result = agentResultIn(base), before) {
      const { ask } = await shake(base, result, before);
      conversation.handshake = handshakeOf(ask);
      return ask;
    },
    async session(options) {
      await initialized();
      return openSession(base, options);
    },
    prompt,
    alive: () => lives(base),
    async works(session) {
      if (!steered) return lives(base);
      const turn = await prompt(session, "Do you still work?");
      turn.end();
      await turn.done;
    },
    async tell(action, args, method) {
      const done = act(action, args, { optional: true });
      return { ask: await unlessFailed(base.expect.request(method), done), done };
    },
    async refrains(action, args, method) {
      const over = act(action, args, { optional: true }).catch((error: unknown) => {
        if (error instanceof CaseEnd) throw error;
      });
      over.catch(() => {});
      await base.quiet(QUIET_MS, { method });
      await over;
    },
    permission: async (policy) => void (await act("permission", { policy })),
    async report({ id: sessionId }) {
      const seen = await act("report", { sessionId }, { optional: true });
      return isObject(seen) ? seen : {};
    },
  };
}

/** Makes the client do something, where it can be steered. */
function steerTo({ conversation, act }: CaseContext, action: string, args: Json): Promise<unknown> {
  return conversation.link.control === undefined ? Promise.resolve() : act(action, args);
}

/** Makes the client open a session, waits for its request and answers it. */
async function openSession(
  base: CaseContext,
  { before, cwd: folder = cwd, result = (sessionId: string) => ({ sessionId, modes }) }: SessionOptions = {},
): Promise<ClientSession> {
  const id = freshSession(base.conversation);
  base.answer("session/new", () => {
    before?.(id);
    return { result: result(id) };
  });
  const opened = steerTo(base, "new-session", { cwd: folder });
  const ask = await unlessFailed(base.expect.request("session/new"), opened);
  await opened;
  return { id, ask };
}

/** Makes the client send a prompt, and waits for its request. */
async function openTurn(base: CaseContext, sessionId: string, prompt: string | readonly Json[]): Promise<ClientTurn> {
  const done = steerTo(base, "prompt", { sessionId, prompt });
  const ask = await unlessFailed(base.expect.request("session/prompt", { sessionId }), done);
  return {
    sessionId,
    ask,
    done,
    update: (update) => base.send.notify("session/update", { sessionId, update }),
    end: (stopReason = "end_turn") => base.reply(ask, { stopReason }),
  };
}

/** Sends requests and updates to a client as its agent. */
function sendingOf({ send, extras }: CaseContext): Pick<ClientContext, "ask" | "update" | "encode"> {
  return {
    ask: ({ id: sessionId }, params = {}) =>
      send.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId: "call-1", title: "A tool", status: "pending" },
        options: permissionOptions,
        ...params,
      }),
    update: (sessionId, update) =>
      void send.invalid({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }),
    encode: (encode) => void ((extras as ByteExtras).encode = encode),
  };
}

/** A client that cannot be steered may have finished and left. */
async function lives({ send, conversation }: CaseContext): Promise<void> {
  try {
    await send.request("_conformance/alive", {}).response();
  } catch (error) {
    const left =
      error instanceof ExpectationError && error.miss === "closed" && (await conversation.link.ended).code === 0;
    if (!left) throw error;
  }
}

/** Waits for what an action should cause. Rejects when the action fails. */
function unlessFailed<T>(awaited: Promise<T>, action: Promise<unknown>): Promise<T> {
  return Promise.race([awaited, action.then(() => awaited)]);
}

export function freshSession(conversation: Conversation): string {
  // Ids are opaque: nothing may be changed in them.
  return `Suite/Session_${conversation.freshId()}`;
}
