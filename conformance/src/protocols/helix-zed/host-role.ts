import { isObject } from "@editwire/core";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { polled } from "../../core/talk/polled.js";
import type { RoleSuite } from "../../core/protocol.js";
import type { Incoming } from "../../core/talk/talk.js";
import { where } from "../../trace/pattern.js";
import type { WsExtras } from "../../wire/ws-link.js";
import { asAgent, type AsAgent, type HostTurn, sessionOf } from "./as-agent.js";
import { allRead, socketOf } from "../../packs/socket.js";
import { watch } from "./watch.js";

/** An interaction in the host's report. Fields that the host does not report are absent. */
export interface ReportedInteraction {
  readonly request_id?: string | undefined;
  readonly message?: string | undefined;
  /** `waiting`, `complete`, `error` or `interrupted`. */
  readonly state?: string | undefined;
  /** The text of the answer so far; several messages are joined by an empty line. */
  readonly response?: string | undefined;
  /** Why it is an `error`. */
  readonly error?: string | undefined;
}

/** A host's report on one session. */
export interface SessionReport {
  /** The thread that it is mapped to; null for none. */
  readonly thread?: string | null | undefined;
  /** In the order in which the user sent them. */
  readonly interactions?: readonly ReportedInteraction[] | undefined;
}

/**
 * The tools of cases for hosts: the suite is the agent, and has dialed the host. The suite steers a host's users
 * through its `Control`; the actions marked with `?` are optional. `agent` is the id under which the suite dialed.
 * - `send {session, agent, message}` has a user send a message, and resolves when the interaction is over;
 * - `report {session}` gives what the user sees: `{thread, interactions: [{request_id, message, state, response,
 *   error?}]}`; what is left out is not judged;
 * - `cancel? {session}` has the user cancel what runs (2026);
 * - `pings? {agent, pingMs, pongMs}` has connections that the agent makes from now on be pinged so often, and dropped
 *   when no answer comes;
 * - `readiness? {agent, ms}` has connections that the agent makes from now on wait so long for its agent_ready (2026).
 */
export interface HostContext extends CaseContext, Omit<AsAgent, "turn"> {
  /** The operations that only a WebSocket has. */
  readonly socket: WsExtras;
  /** Has a user send a message, and waits for it. */
  chat(session: string, message?: string): Promise<HostTurn>;
  /** Has a user send a message that may have to wait. */
  queue(session: string, message: string): Promise<unknown>;
  /** Waits for the message of a turn that was queued, or is sent once more. */
  next(session: string): Promise<HostTurn>;
  /** The host's report on a session. Ends the case as not applicable when the host cannot report. */
  report(session: string): Promise<SessionReport>;
  /** Asks for reports until one is as expected, and gives the last one. */
  eventually(session: string, isRight: (report: SessionReport) => boolean): Promise<SessionReport>;
  /** Resolves when the host has read everything that was sent before. */
  allRead(): Promise<void>;
  /**
   * Drops the connection and dials again, or, with `keep`, dials beside the one that there is. In the 2026 dialect the
   * agent then reports that it is ready, unless it is `silent`.
   */
  reconnect(old?: "drop" | "keep", silent?: "silent"): Promise<void>;
  /** Shows that the host works on: a whole turn in a new session. */
  works(): Promise<void>;
}

/** Declares cases for hosts. */
export const defineCases = casesOf<HostContext>("helix-zed.host");

/** How the suite plays the agent. */
export const hostRole: RoleSuite = {
  role: "host",
  peer: "agent",
  steered: true,
  socket: "listens",
  watch,
  handshake: () => Promise.resolve({}),
  context: hostContext,
};

const REPORT_MS = 2_000;

function hostContext(base: CaseContext): HostContext {
  const socket = socketOf(base);
  const { session, event, turn: turnOf } = asAgent(base);

  // Hosts of 2026 may send nothing before the agent is ready.
  let isReady = base.profile.name !== "v2026";
  const ready = (): void => {
    if (!isReady) event("agent_ready", { session_id: socket.id, agent_name: "conformance", thread_id: null });
    isReady = true;
  };
  const queue: HostContext["queue"] = (of, message) => {
    ready();
    return base.act("send", { session: of, agent: socket.id, message });
  };

  const messageOf = (of: string): Promise<Incoming> =>
    base.expect.notify(
      "chat_message",
      where(`of the session ${of}`, (data: unknown) => sessionOf(data) === of),
    );
  const next: HostContext["next"] = async (of) => turnOf(of, await messageOf(of), Promise.resolve());

  const chat: HostContext["chat"] = async (of, message = "Hello") => {
    const done = queue(of, message);
    const expected = messageOf(of);
    // A failed send reports its reason before the wait for it times out.
    const ask = await Promise.race([expected, done.then(() => expected)]);
    return turnOf(of, ask, done);
  };

  const report: HostContext["report"] = async (of) => {
    const told = await base.act("report", { session: of }, { optional: true });
    return isObject(told) ? (told as SessionReport) : {};
  };

  return {
    ...base,
    socket,
    session,
    chat,
    queue,
    next,
    event,
    report,
    eventually: (of, isRight) => polled(base, REPORT_MS, () => report(of), isRight),
    allRead: () => allRead(base),
    async reconnect(old, silent) {
      if (socket.reconnect === undefined) base.blocked("this connection cannot be made again");
      await socket.reconnect(old);
      isReady = base.profile.name !== "v2026" || silent !== undefined;
      ready();
    },
    async works() {
      const turn = await chat(session(), "Do you still work?");
      turn.answer("Yes.");
      await turn.done;
    },
  };
}
