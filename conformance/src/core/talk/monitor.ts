import type { MalformedEntry, MessageEntry, TraceEntry } from "../../trace/trace.js";
import type { Findings } from "../verdict/check.js";
import type { Classified } from "./message.js";
import type { SuiteProfile } from "../run/context.js";

/** A message as monitors see it. */
export interface SeenMessage {
  readonly entry: MessageEntry;
  /** The sender of the message. */
  readonly from: "suite" | "target";
  readonly is: Classified;
  /** For a response: the request that it answers; absent when it answers none that is open. */
  readonly answers?: SeenRequest | undefined;
}

/** A request that was sent, and its status. */
export interface SeenRequest {
  readonly entry: MessageEntry;
  readonly from: "suite" | "target";
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  /** The number of earlier responses to it. */
  readonly answered: number;
}

/** The functions that a monitor may call. */
export interface MonitorApi {
  /** The role of the target. */
  readonly role: string;
  readonly transport: string;
  /** Converts the forms of the dialect to those of the schemas. */
  readonly accept?: SuiteProfile["accept"];
  /** Judges a requirement; a violation belongs to the case that runs. Returns the condition. */
  require(req: string, condition: boolean, entry: TraceEntry, findings?: Findings): boolean;
  /** Ends the waits of the running case, because no peer could continue after what arrived. */
  fatal(entry: TraceEntry, problem: string): void;
}

/** The callbacks of a monitor on one connection. Its closure holds its state. */
export interface MonitorHandlers {
  message?(seen: SeenMessage): void;
  malformed?(entry: MalformedEntry): void;
  entry?(entry: TraceEntry): void;
  /** Called when the trace is complete. */
  end?(): void;
}

/** A judge that is always active: it watches every connection of every case, and any recorded trace. */
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
