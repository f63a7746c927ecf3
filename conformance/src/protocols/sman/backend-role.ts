import { isObject } from "@editwire/core";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { ExpectationError } from "../../core/errors.js";
import { polled } from "../../core/talk/polled.js";
import type { RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import { within } from "../../core/talk/time.js";
import { handled } from "../../core/talk/waits.js";
import { allRead, socketOf } from "../../packs/socket.js";
import type { WsExtras } from "../../wire/ws-link.js";
import type { ToolName } from "./samples.js";

type Json = Record<string, unknown>;

/** A call that the backend was made to send. */
export interface BackendCall {
  /** The TOOL_CALL. */
  readonly ask: Incoming;
  /** Settles with what the tool answered; an `ExpectationError` if the backend reports that there is no answer. */
  readonly done: Promise<Outcome>;
}

/** A backend's report on an answered call. */
export interface Outcome {
  readonly success?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** How the backend is made to call. */
export interface CallOptions {
  /** Milliseconds that the plugin has. Default: the backend's own. */
  readonly timeoutMs?: number | undefined;
  /** The connection of the plugin. Default: that of the case. */
  readonly on?: Talk | undefined;
}

/**
 * The tools of cases for backends: the suite is the plugin, and has dialed the backend. The suite steers the backend
 * through its `Control`; the actions marked with `?` are optional. `session` is the `sessionId` under which the suite
 * dialed.
 * - `call {session, tool, params, timeoutMs?}` has the backend call a tool, and adds `projectKey` and
 *   `webSocketSessionId` by itself. It gives `{success, result, error}` as the plugin answered, and fails if nothing
 *   was sent or no answer came;
 * - `log? {}` gives `{lines}`: the warnings that the backend has written.
 */
export interface BackendContext extends CaseContext {
  /** The operations that only a WebSocket has. */
  readonly socket: WsExtras;
  /** Has the backend call a tool, and waits for the TOOL_CALL. */
  call(tool: ToolName, params: Json, options?: CallOptions): Promise<BackendCall>;
  /** Has the backend call a tool, whether or not it sends anything. */
  order(tool: string, params: Json, options?: CallOptions): Promise<Outcome>;
  /** Answers a call with a text. */
  succeed(ask: Incoming, result?: string): void;
  /** The lines of the backend's log; the case does not apply to one that cannot report them. */
  log(): Promise<readonly string[]>;
  /** Asks for the log until a line contains a text; gives all lines in the end. */
  logs(text: string): Promise<readonly string[]>;
  /** Resolves when the backend has read everything that was sent before. */
  allRead(talk?: Talk): Promise<void>;
  /** Shows that the backend works on: it calls a tool and gets the answer. */
  works(on?: Talk): Promise<void>;
}

/** Declares cases for backends. */
export const defineCases = casesOf<BackendContext>("sman.backend");

/** How the suite plays the plugin. */
export const backendRole: RoleSuite = {
  role: "backend",
  peer: "plugin",
  steered: true,
  socket: "listens",
  handshake: () => Promise.resolve({}),
  context: backendContext,
};

const LOG_MS = 2_000;
const UNDER_WAY_MS = 1_000;
let works = 0;

/**
 * A backend that cannot call reports why before the wait for its message times out. A failure and the message travel
 * separately, so the message of a call that failed may be under way.
 */
function underWay<T>(expected: Promise<T>, { time }: CaseContext): (failure: unknown) => Promise<T> {
  return async (failure) => {
    const late = await within(
      expected.catch(() => undefined),
      time.deadline(UNDER_WAY_MS),
    );
    if (late === undefined) throw failure;
    return late;
  };
}

function backendContext(base: CaseContext): BackendContext {
  const order: BackendContext["order"] = (tool, params, { timeoutMs, on = base } = {}) => {
    const session = socketOf(on).id;
    const args = { session, tool, params, ...(timeoutMs !== undefined && { timeoutMs }) };
    return handled(base.act("call", args).then((outcome) => (isObject(outcome) ? outcome : {})));
  };
  const call: BackendContext["call"] = async (tool, params, options = {}) => {
    const { on = base } = options;
    const done = order(tool, params, options);
    const expected = on.expect.request("TOOL_CALL", { toolName: tool, params });
    const ask = await Promise.race([expected, done.then(() => expected, underWay(expected, base))]);
    return { ask, done };
  };
  const log: BackendContext["log"] = async () => {
    const told = await base.act("log", {}, { optional: true });
    return isObject(told) && Array.isArray(told["lines"]) ? told["lines"].map(String) : [];
  };
  return {
    ...base,
    socket: socketOf(base),
    order,
    call,
    log,
    succeed: (ask, result = "done") => base.reply(ask, { success: true, result }),
    logs: (text) => polled(base, LOG_MS, log, (lines) => lines.some((line) => line.includes(text))),
    allRead: (talk = base) => allRead(talk),
    async works(on = base) {
      // A message that was on its way when a backend died may still settle a call, so it must work twice.
      for (let count = 0; count < 2; count++) {
        const relativePath = `still-there-${++works}.txt`;
        const { ask, done } = await call("read_file", { relativePath }, { on });
        on.reply(ask, { success: true, result: relativePath });
        const { result } = await done;
        if (result === relativePath) continue;
        throw new ExpectationError("mismatch", "the backend gave another result", {
          expected: relativePath,
          actual: result,
        });
      }
    },
  };
}
