import type { ActOptions } from "../talk/act.js";
import type { Findings } from "../verdict/check.js";
import type { Known } from "./known.js";
import type { Talk } from "../talk/talk.js";
import type { Time } from "../talk/time.js";

/** The tools of every case, in any protocol: a conversation, and functions that judge. */
export interface CaseContext extends Talk {
  /** The role of the target. */
  readonly role: string;
  readonly transport: string;
  /** The dialect that the target is judged by. */
  readonly profile: SuiteProfile;
  readonly time: Time;
  /** The target gets plain prompts, and decides itself what it does in a turn. */
  readonly plain: boolean;
  /** Facts about the target that this run has found out. */
  readonly known: Known;
  /** Functions that only this transport has; see the transport's driver. */
  readonly extras: unknown;
  /** The result of this connection's handshake. Makes the handshake first if there was none. */
  handshake(): Promise<unknown>;
  /**
   * Judges a requirement. A violation is a `fail`, `warn` or `info` by the requirement's level. If it is judged again,
   * the worst verdict is kept. Returns the condition.
   */
  check(req: string, condition: boolean, findings?: Findings): boolean;
  /**
   * Judges a requirement by a wait. The check passes if the promise resolves. If it rejects with an `ExpectationError`,
   * the check fails with that error and the case ends.
   */
  require<T>(req: string, awaited: Promise<T> | (() => Promise<T>)): Promise<T>;
  /** Judges several requirements as passed. */
  pass(...reqs: readonly string[]): void;
  /** Ends the case; its unjudged requirements do not apply to this target. */
  notApplicable(reason: string): never;
  /** Ends the case; its unjudged requirements are blocked. */
  blocked(reason: string): never;
  /** Ends the case as not applicable unless the condition holds; `reason` says what the target lacks. */
  needs(condition: boolean, reason: string): void;
  /** The text that makes the target show a behavior. */
  say(behavior: string, args?: Record<string, unknown>): string;
  /**
   * Makes a target in the client's role execute an action, within the case's deadline. A failed action rejects with an
   * `ExpectationError`, so that `require` can judge it. Ends the case as blocked if the target cannot be steered or
   * lacks the action.
   */
  act(action: string, args?: Record<string, unknown>, options?: ActOptions): Promise<unknown>;
  /** Opens another connection, closed when the case ends. */
  connect(): Promise<Talk>;
  /** A connection with a handshake that nothing happens to, and that other cases may use later. */
  bystander(): Promise<Talk>;
  /** Ends the sending direction if the transport supports it; for a case that is `last` or has its `connection`. */
  halfClose(): void;
  /** Ends this case's connection; for a case that is `last` or has its `connection`. */
  hangUp(): Promise<void>;
  /** A number from 0 up to 1, the same for the same seed and case. */
  random(): number;
  /** Writes a line into the trace. */
  note(text: string): void;
}

/** A dialect that a target can be judged by. */
export interface SuiteProfile<Traits = unknown> {
  /** Its name in `--profile` and in the `profiles` of requirements. */
  readonly name: string;
  /** The name for people; default: its name. */
  readonly title?: string | undefined;
  /** How the suite itself speaks the dialect; its type belongs to the protocol. */
  readonly traits?: Traits | undefined;
  /** The framings that the dialect has on byte streams. Default: both. */
  readonly framings?: readonly ("line" | "header")[] | undefined;
  /** Reads the dialect's own forms as the schemas have them. Default: the protocol's `accept`. */
  readonly accept?: ((method: string, part: "params" | "result", value: unknown) => unknown) | undefined;
}
