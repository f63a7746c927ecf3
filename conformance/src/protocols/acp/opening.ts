import { isObject } from "@editwire/core";
import { ExpectationError } from "../../core/errors.js";
import type { Call } from "../../core/talk/call.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Known } from "../../core/run/known.js";
import type { ExcuseSetting } from "../../core/protocol.js";
import type { TraceEntry } from "../../trace/trace.js";
import { traitsOf } from "./traits.js";

/** The official version 1: "Authentication is required before this operation can be performed." */
const AUTH_REQUIRED = -32_000;
/** An agent that has opened none of the sessions that it was asked for, three of them, is not asked again. */
const TRIES = 3;
/** An agent may start servers and read a project for its first session. */
const FIRST_MS = 20_000;
const NO_MODEL = "does it reach its model, or can it use the scripted one (--behaviors model)?";
const LOGIN = "log in with the program itself, or let it use the scripted model (--behaviors model, --target)";
const NOTHING_ELSE = "no other session was opened, so what needs one cannot be judged";
/** Names of what a run has found out. */
const NO_SESSION = "no session";
const NO_LOGIN = "no login";

/** How often the agent of a run opened a session, and how often it did not. */
const asked = new WeakMap<Known, { opened: number; failed: number }>();

/** Opens a session with valid params. The case is blocked if the agent has shown before that it opens none. */
export async function openSession(
  { known, profile, send, blocked }: CaseContext,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const hopeless = known.cause(NO_SESSION);
  if (hopeless !== undefined) return blocked(hopeless);
  const count = asked.get(known) ?? { opened: 0, failed: 0 };
  asked.set(known, count);
  const isFirst = count.opened + count.failed === 0;
  const call = send.request("session/new", params);
  try {
    const { error } = await call.response(isFirst ? { deadline: FIRST_MS } : {});
    if (error === undefined) count.opened += 1;
    else count.failed += 1;
    const isLogin = error?.code === AUTH_REQUIRED && traitsOf({ profile }).hasLogin;
    if (error !== undefined && count.opened === 0 && (isLogin || count.failed >= TRIES))
      known.blame(NO_SESSION, refusal(call.method, { ...error }, isLogin ? LOGIN : NOTHING_ELSE));
  } catch (error) {
    if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
    count.failed += 1;
    // One that waited so long in vain is enough.
    if (count.opened === 0 && (isFirst || count.failed >= TRIES))
      known.blame(NO_SESSION, `${call.method} was not answered: ${NOTHING_ELSE}`);
    throw error;
  }
  return call.result();
}

/** The agents of runs that have ended a turn by themselves. */
const answered = new WeakSet<Known>();

/**
 * A call with a plain prompt. Until the agent has ended a turn, an error says nothing of its turns: it may lack its
 * model. The case is blocked then.
 */
export function withoutModel({ known, blocked }: CaseContext, call: Call): Call {
  return {
    ...call,
    async result(pattern, options) {
      const { error } = await call.response(options);
      if (error === undefined) answered.add(known);
      else if (!answered.has(known)) return blocked(refusal(`a plain ${call.method}`, { ...error }, NO_MODEL));
      return call.result(pattern, options);
    },
  };
}

/** Why an agent cannot be judged that wants its user to log in before it does what a case asks it for. */
export function loginIn(seen: readonly TraceEntry[], { known, profile }: ExcuseSetting): string | undefined {
  if (!traitsOf({ profile }).hasLogin) return undefined;
  const methods = new Map<unknown, string>();
  for (const entry of seen) {
    if (entry.kind !== "message" || !isObject(entry.message)) continue;
    const { id, method, error } = entry.message;
    if (typeof method === "string" && entry.from === "suite") methods.set(id, method);
    if (entry.from !== "target" || !isObject(error) || error["code"] !== AUTH_REQUIRED) continue;
    known.blame(NO_LOGIN, refusal(methods.get(id) ?? "a request", error, LOGIN));
    return known.cause(NO_LOGIN);
  }
  return undefined;
}

function refusal(method: string, { code, message }: Readonly<Record<string, unknown>>, why: string): string {
  return `${method} was refused with ${String(code)} ${JSON.stringify(message)}: ${why}`;
}
