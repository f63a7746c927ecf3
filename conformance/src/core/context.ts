import type { ActOptions } from "./act.js";
import type { Findings } from "./check.js";
import type { SuiteProfile } from "./profile.js";
import type { Talk } from "./talk.js";
import type { Time } from "./time.js";

/** What a case works with, whatever the protocol: a conversation, and judgments. */
export interface CaseContext extends Talk {
  /** The role of the target. */
  readonly role: string;
  readonly transport: string;
  /** The dialect that the target is judged by. */
  readonly profile: SuiteProfile;
  readonly time: Time;
  /** What this transport alone can do; see the transport's driver. */
  readonly extras: unknown;
  /** What the handshake of this connection found. Makes the handshake first if there was none. */
  handshake(): Promise<unknown>;
  /**
   * Judges a requirement. A violation is a `fail`, `warn` or `info` by the requirement's level. Judging it again keeps
   * the worst. Returns the condition.
   */
  check(req: string, condition: boolean, findings?: Findings): boolean;
  /**
   * Judges a requirement by a wait: it passes when the promise resolves; when it rejects with what `expect` throws, the
   * check fails with it and the case ends.
   */
  require<T>(req: string, awaited: Promise<T> | (() => Promise<T>)): Promise<T>;
  /** Judges several requirements as passed. */
  pass(...reqs: readonly string[]): void;
  /** Ends the case: what it has not judged does not apply to this target. */
  notApplicable(reason: string): never;
  /** Ends the case: what it has not judged cannot be judged. */
  blocked(reason: string): never;
  /** Ends the case when nothing was judged yet and the target lacks something; `reason` says what it lacks. */
  needs(condition: boolean, reason: string): void;
  /** The text that makes the target show a behavior. */
  say(behavior: string, args?: Record<string, unknown>): string;
  /**
   * Makes a client-role target do something, within the case's deadline. An action that fails is an `ExpectationError`,
   * so that `require` can judge by it. Ends the case as blocked when the target cannot be steered or lacks the action.
   */
  act(action: string, args?: Record<string, unknown>, options?: ActOptions): Promise<unknown>;
  /** Opens another connection, closed when the case ends. */
  connect(): Promise<Talk>;
  /** Ends the sending direction, where the transport can; only for cases with `isolation: "connection"`. */
  halfClose(): void;
  /** Ends this case's connection; only for cases with `isolation: "connection"`. */
  hangUp(): Promise<void>;
  /** A number from 0 up to 1, the same for the same seed and case. */
  random(): number;
  /** Writes a line into the trace. */
  note(text: string): void;
}
