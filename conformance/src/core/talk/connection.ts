import { liveBudget, Trace, type TraceEntry } from "../../trace/trace.js";
import { openFaults } from "../../wire/fault-names.js";
import type { Link, Target } from "../../wire/link.js";
import { Conversation } from "./conversation.js";
import { Inspector } from "./inspect.js";
import { judgeOf } from "./judge.js";
import type { Findings } from "../verdict/check.js";
import { Fatal } from "./fatal.js";
import type { Monitor } from "./monitor.js";
import type { SuiteProfile } from "../run/context.js";
import type { ConformanceProtocol } from "../protocol.js";

/** Receives the monitors' findings for the case that runs on the connection. */
export interface Listener {
  judged(monitor: Monitor, req: string, condition: boolean, findings: Findings): void;
  broken(message: string): void;
}

/** An open connection with its trace, its monitors and its conversation. */
export interface Connection {
  readonly link: Link;
  readonly trace: Trace;
  readonly conversation: Conversation;
  readonly fatal: Fatal;
  /** How the suite frames what it writes. */
  readonly framing: "line" | "header";
  /** Set if no other case may use the connection. */
  tainted: boolean;
  /** The signal that ended the target during a case. */
  endedBy?: string | undefined;
  /** Sends the monitors' findings to a case, beginning with those since the previous case. */
  attach(listener: Listener): void;
  /** Ends the connection and the monitors. */
  close(): Promise<void>;
}

/** How connections of a run are opened. */
export interface ConnectionOptions {
  readonly protocol: ConformanceProtocol;
  readonly profile: SuiteProfile;
  readonly role: string;
  readonly target: Target;
  readonly framing: "line" | "header";
  readonly faults: readonly string[];
  readonly seed: number;
  readonly graceMs: number;
  /** Aborted when the run is over. */
  readonly over?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The connection is to the same program as this one, where the link can do that. */
  readonly beside?: Link | undefined;
  /** Whether bytes that come before the first message are known to come at every start. */
  readonly isNoise?: ((entry: TraceEntry) => boolean) | undefined;
  /** Called with the milliseconds that each answer took. */
  readonly onAnswer?: ((ms: number) => void) | undefined;
}

/** Opens a connection. Rejects with `TargetError`. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { protocol, profile, role, target, framing, faults, seed, graceMs, env = {}, beside, onAnswer } = options;
  const accept = profile.accept ?? protocol.accept;
  const trace = new Trace(liveBudget);
  const fatal = new Fatal();
  const early: ((listener: Listener) => void)[] = [];
  let listener: Listener | undefined;
  let open = true;
  const tell = (action: (to: Listener) => void): void =>
    void (listener === undefined ? early.push(action) : action(listener));
  const inspector = new Inspector(
    { classify: protocol.envelope.classify, monitors: protocol.monitors, role, transport: target.transport, accept },
    {
      judged: (monitor, req, condition, findings) => tell((to) => to.judged(monitor, req, condition, findings)),
      broken: (monitor, error) =>
        tell((to) => to.broken(`monitor ${monitor.id}: ${error instanceof Error ? error.stack : String(error)}`)),
      fatal: (entry, problem) => fatal.raise(entry, problem),
    },
  );
  trace.subscribe(pastNoise(options.isNoise, (entry) => inspector.take(entry)));
  const room = protocol.roles[role]?.prepare?.();
  const link = await (beside?.beside ?? target.open)({
    trace,
    framing,
    follow: protocol.roles[role]?.steered,
    faults: openFaults(faults, seed, protocol.envelope),
    graceMs,
    over: options.over,
    env,
    variables: room?.variables,
  }).catch((error: unknown) => {
    room?.close();
    throw error;
  });
  const judge = judgeOf({ table: protocol.table, accept });
  const conversation = new Conversation(link, protocol.envelope, judge, onAnswer, room?.content);
  const connection: Connection = {
    link,
    trace,
    conversation,
    fatal,
    framing,
    tainted: false,
    attach(to) {
      listener = to;
      for (const action of early.splice(0)) action(to);
    },
    async close() {
      await closed(link.close(), options.over);
      if (!open) return;
      open = false;
      inspector.end();
      room?.close();
    },
  };
  void trace.flooded.then(() => link.close());
  // A rough case may have made the target leave.
  void link.ended.then(() => (connection.tainted = true));
  return connection;
}

/** Milliseconds after the end of the run in which a connection may still close. */
const CLOSE_MS = 1_200;

/** Waits for the end of a connection; not for long when the run is over. */
async function closed(closing: Promise<void>, over: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => {};
  const late = new Promise<void>((resolve) => (end = () => void (timer = setTimeout(resolve, CLOSE_MS))));
  over?.addEventListener("abort", end, { once: true });
  if (over?.aborted === true) end();
  try {
    await Promise.race([closing, late]);
  } finally {
    over?.removeEventListener("abort", end);
    clearTimeout(timer);
  }
}

/**
 * Skips the output that the target writes at every start: the first connection judged it, and it does not end the cases
 * of the others.
 */
function pastNoise(
  isNoise: ConnectionOptions["isNoise"],
  take: (entry: TraceEntry) => void,
): (entry: TraceEntry) => void {
  let begun = false;
  return (entry) => {
    begun ||= entry.from === "target" && entry.kind === "message";
    if (begun || isNoise?.(entry) !== true) take(entry);
  };
}
