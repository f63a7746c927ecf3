import { isObject } from "@editwire/core";
import type { Call } from "../../core/call.js";
import type { CaseContext } from "../../core/context.js";
import { CaseEnd, ExpectationError } from "../../core/errors.js";
import type { Conversation } from "../../core/conversation.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk.js";
import type { ByteExtras } from "../../wire/byte-link.js";
import { agentResult, answerAlone, modes, permissionOptions } from "./as-agent.js";
import { watch } from "./watch.js";

/** How a user answers permission requests. */
export type Policy = "allow" | "reject" | "cancel" | "hold";
type Json = Record<string, unknown>;

/** How a case answers `session/new`. */
export interface SessionOptions {
  /** What the answer holds; default: an id and modes. */
  readonly result?: ((sessionId: string) => Json) | undefined;
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
  /** Settles when the client has done with the turn: `{stopReason}`, or an `ExpectationError` when it says that the turn failed. */
  readonly done: Promise<unknown>;
  /** Sends one update of the turn. */
  update(update: Json): void;
  /** Answers the prompt. */
  end(stopReason?: string): void;
}

/**
 * What cases for clients work with: the suite is the agent. The suite steers a client through its `Control`; what is marked with `?`
 * it need not be able to.
 * - `new-session {cwd}` opens a session;
 * - `prompt {sessionId, prompt}` sends a prompt, a text or content blocks, and gives `{stopReason}` when the turn is over;
 * - `permission {policy}` says how the user answers permission requests from now on: `allow`, `reject`, `cancel`, or `hold` (not yet);
 * - `cancel? {sessionId}` ends the turn;
 * - `load-session? {sessionId, cwd}` takes a session up;
 * - `set-mode? {sessionId, modeId}` switches the mode;
 * - `authenticate? {methodId}` signs in;
 * - the name of any other request, such as `session/new`, sends it with the arguments as params;
 * - `report? {sessionId}` gives what the user sees: `{text?, modeId?, toolCalls?: [{toolCallId, status?, text?}]}`; what is left out is not judged.
 */
export interface ClientContext extends CaseContext {
  /** Whether the client can be told what to do; one that cannot is waited for. */
  readonly steered: boolean;
  /** Ends the case as blocked when nobody can tell the client what to do. */
  steer(what: string): void;
  /** What the client sent with `initialize`; waits for it first. */
  initialized(): Promise<Json>;
  /** Waits for `initialize`, and answers it in the case's own way; only on a fresh connection. `before` runs ahead of the answer. */
  initialize(result?: Json, before?: () => Promise<void>): Promise<Incoming>;
  /** Has the client open a session. */
  session(options?: SessionOptions): Promise<ClientSession>;
  /** Has the client send a prompt, and waits for it. */
  prompt(session: ClientSession, prompt?: string | readonly Json[]): Promise<ClientTurn>;
  /** Shows that the client works on: a whole turn, or, when it cannot be steered, any answer or that it has left in good order. */
  works(session: ClientSession): Promise<void>;
  /** Has the client do something that it need not be able to, and waits for the request that it sends then. */
  tell(
    action: string,
    args: Json,
    method: string,
  ): Promise<{ readonly ask: Incoming; readonly done: Promise<unknown> }>;
  /** Has the client do something that it should not do; an expectation that the request does not come. */
  refrains(action: string, args: Json, method: string): Promise<void>;
  /** Says how the user answers permission requests. */
  permission(policy: Policy): Promise<void>;
  /** Asks for permission. */
  ask(session: ClientSession, params?: Json): Call;
  /** What the user sees of a session. Ends the case as not applicable when the client cannot say. */
  report(session: ClientSession): Promise<Json>;
  /** Sends a `session/update`, of whatever form. */
  update(sessionId: string, update: unknown): void;
  /** Makes the bytes of the suite's messages from now on; only on a connection of the case's own. */
  encode(encode: (message: unknown) => Uint8Array): void;
}

/** How the suite plays the agent: it answers everything but prompts by itself, where a case does not. */
export const clientRole: RoleSuite = {
  role: "client",
  peer: "agent",
  steered: true,
  watch,
  handshake: (talk) => shake(talk, agentResult).then(({ ask }) => handshakeOf(ask)),
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
  const { conversation } = base;
  const steered = conversation.link.control !== undefined;
  const initialized = async (): Promise<Json> => ((await base.handshake()) as ClientHandshake).params;

  const prompt: ClientContext["prompt"] = async ({ id: sessionId }, content = "Hello") => {
    const done: Promise<unknown> = steered ? base.act("prompt", { sessionId, prompt: content }) : Promise.resolve();
    const ask = await unlessFailed(base.expect.request("session/prompt", { sessionId }), done);
    return {
      sessionId,
      ask,
      done,
      update: (update) => base.send.notify("session/update", { sessionId, update }),
      end: (stopReason = "end_turn") => base.reply(ask, { stopReason }),
    };
  };

  return {
    ...base,
    steered,
    steer: (what) =>
      steered ? undefined : base.blocked(`the target cannot be steered, so it cannot be told to ${what}`),
    initialized,
    async initialize(result = agentResult, before) {
      const { ask } = await shake(base, result, before);
      conversation.handshake = handshakeOf(ask);
      return ask;
    },
    async session({ before, result = (sessionId: string) => ({ sessionId, modes }) }: SessionOptions = {}) {
      await initialized();
      const id = freshSession(conversation);
      base.answer("session/new", () => {
        before?.(id);
        return { result: result(id) };
      });
      const opened = steered ? base.act("new-session", { cwd }) : Promise.resolve();
      const ask = await unlessFailed(base.expect.request("session/new"), opened);
      await opened;
      return { id, ask };
    },
    prompt,
    async works(session) {
      if (!steered) return lives(base);
      const turn = await prompt(session, "Do you still work?");
      turn.end();
      await turn.done;
    },
    async tell(action, args, method) {
      const done = base.act(action, args, { optional: true });
      return { ask: await unlessFailed(base.expect.request(method), done), done };
    },
    async refrains(action, args, method) {
      const over = base.act(action, args, { optional: true }).catch((error: unknown) => {
        if (error instanceof CaseEnd) throw error;
      });
      over.catch(() => {});
      await base.quiet(QUIET_MS, { method });
      await over;
    },
    permission: async (policy) => void (await base.act("permission", { policy })),
    ask: ({ id: sessionId }, params = {}) =>
      base.send.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId: "call-1", title: "A tool", status: "pending" },
        options: permissionOptions,
        ...params,
      }),
    async report({ id: sessionId }) {
      const seen = await base.act("report", { sessionId }, { optional: true });
      return isObject(seen) ? seen : {};
    },
    update: (sessionId, update) =>
      void base.send.invalid({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }),
    encode: (encode) => void ((base.extras as ByteExtras).encode = encode),
  };
}

/** A client that nobody steers may be done, and leave. */
async function lives({ send, conversation }: CaseContext): Promise<void> {
  try {
    await send.request("_conformance/alive", {}).response();
  } catch (error) {
    const left =
      error instanceof ExpectationError && error.miss === "closed" && (await conversation.link.ended).code === 0;
    if (!left) throw error;
  }
}

/** What is awaited, unless the action that should bring it about has failed. */
function unlessFailed<T>(awaited: Promise<T>, action: Promise<unknown>): Promise<T> {
  return Promise.race([awaited, action.then(() => awaited)]);
}

function freshSession(conversation: Conversation): string {
  return `suite-session-${conversation.freshId()}`;
}
