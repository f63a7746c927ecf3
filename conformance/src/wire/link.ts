import type { Trace } from "../trace/trace.js";
import type { Fault } from "./faults.js";

/** Why a link is over. */
export interface Ended {
  /** One line for a report, such as `the target exited with code 1`. */
  readonly reason: string;
  readonly code?: number | null | undefined;
  readonly signal?: string | null | undefined;
}

/** The end of a link whose target has flooded it. */
export const floodEnd: Ended = { reason: "the target flooded the connection" };

/** An open connection to a target. It writes what it sees into its trace; nobody reads from it directly. */
export interface Link {
  readonly trace: Trace;
  /** How it travels: `stdio`, `unix`, `ws`, `http`, `memory`. */
  readonly transport: string;
  /** Sends one message, framed. */
  send(message: unknown): void;
  /** Sends bytes as they are; over HTTP they are the body of a POST. */
  sendBytes(bytes: Uint8Array | string): void;
  /** Says that no more messages come from here, where the transport can say so. */
  halfClose(): void;
  /**
   * Ends the connection and, where the suite started it, the target with everything that it started. Always resolves.
   */
  close(): Promise<void>;
  /** Resolves, never rejects, once nothing more can come from the target. */
  readonly ended: Promise<Ended>;
  /** Steers a target that is a client; absent for targets that only answer. */
  readonly control?: Control | undefined;
  /** Opens another connection to the same program; absent where `open` of the target does that. */
  beside?(options: OpenOptions): Promise<Link>;
  /** Operations that only this transport has, such as single HTTP requests; read by cases for that transport. */
  readonly extras?: unknown;
}

/**
 * Makes a client-role target do something, such as `prompt` with `{text}`. The protocol's client role says which
 * actions there are. Rejects with `UnsupportedAction` when the target does not support the action, and with another
 * error when it failed.
 */
export interface Control {
  do(action: string, args?: Record<string, unknown>): Promise<unknown>;
}

/** The target cannot be made to do that at all. */
export class UnsupportedAction extends Error {
  override readonly name = "UnsupportedAction";
}

/** How one connection is opened. */
export interface OpenOptions {
  readonly trace: Trace;
  /** Framing of what the suite sends on a byte stream. */
  readonly framing: "line" | "header";
  /** The target speaks first: it is asked to write in `framing`, and answered in the framing of its first message. */
  readonly follow?: boolean | undefined;
  /** Faults on the bytes that the suite sends and receives. */
  readonly faults: readonly Fault[];
  /** Milliseconds that a target gets to end by itself before it is killed. */
  readonly graceMs: number;
  /** Aborted when the run is over: nothing may last for much longer then. */
  readonly over?: AbortSignal | undefined;
  /** Environment of this launch beside the target's own, such as the case id. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Values for `{name}` in the target's command line, besides those of the seat. Each is also in the environment, as
   * `CONFORMANCE_NAME`.
   */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/**
 * A way to reach the implementation under test. Each `open` is a connection of its own, to a process of its own where
 * the suite starts it.
 */
export interface Target {
  readonly transport: string;
  /** One line for reports, such as the command. */
  readonly description: string;
  /** Opens a connection. Rejects with `TargetError` when there is none to be had. */
  open(options: OpenOptions): Promise<Link>;
}

/** The target could not be started or reached. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}
