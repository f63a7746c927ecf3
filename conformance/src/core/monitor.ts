import type { MalformedEntry, MessageEntry, TraceEntry } from "../trace/trace.js";
import type { Findings } from "./check.js";
import type { Classified } from "./message.js";
import type { SuiteProfile } from "./profile.js";

/** A message as monitors see it. */
export interface SeenMessage {
  readonly entry: MessageEntry;
  /** Whose message it is. */
  readonly from: "suite" | "target";
  readonly is: Classified;
  /** For a response: the request that it answers; absent when it answers none that is open. */
  readonly answers?: SeenRequest | undefined;
}

/** A request that was sent and how it stands. */
export interface SeenRequest {
  readonly entry: MessageEntry;
  readonly from: "suite" | "target";
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  /** Responses to it so far, this one not counted. */
  readonly answered: number;
}

/** What a monitor says and asks. */
export interface MonitorApi {
  /** The role of the target. */
  readonly role: string;
  readonly transport: string;
  /** Reads the forms of the dialect as the schemas have them. */
  readonly accept?: SuiteProfile["accept"];
  /** Judges a requirement; a violation belongs to the case that runs. Returns the condition. */
  require(req: string, condition: boolean, entry: TraceEntry, findings?: Findings): boolean;
  /** Ends the waiting of the case that runs: what came is no message that anyone could go on from. */
  fatal(entry: TraceEntry, problem: string): void;
}

/** What a monitor looks at on one connection; it keeps its state in the closure that makes it. */
export interface MonitorHandlers {
  message?(seen: SeenMessage): void;
  malformed?(entry: MalformedEntry): void;
  entry?(entry: TraceEntry): void;
  /** The trace is complete. */
  end?(): void;
}

/** An oracle that is always on: it judges every connection of every case, and any recorded trace. */
export interface Monitor {
  readonly id: string;
  readonly title: string;
  /** Every requirement that it may judge. */
  readonly req: readonly string[];
  /** The role of the target that it judges; absent: any. */
  readonly role?: string | undefined;
  start(api: MonitorApi): MonitorHandlers;
}

/** Declares a monitor. */
export function defineMonitor(header: Omit<Monitor, "start">, start: Monitor["start"]): Monitor {
  return { ...header, start };
}
