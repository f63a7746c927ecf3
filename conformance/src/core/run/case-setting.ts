import type { BehaviorProvider } from "./behaviors.js";
import type { Case } from "./case.js";
import type { Lookup } from "../verdict/check.js";
import type { Connection } from "../talk/connection.js";
import type { Known } from "./known.js";
import type { Over } from "./over.js";
import type { SuiteProfile } from "./context.js";
import type { RoleSuite } from "../protocol.js";
import type { Link } from "../../wire/link.js";
import type { Time } from "../talk/time.js";

/** The state that all cases of a run share. */
export interface CaseSetting {
  readonly suite: RoleSuite;
  readonly lookup: Lookup;
  readonly time: Time;
  /** For what starts a target. */
  readonly startTime: Time;
  readonly profile: SuiteProfile;
  readonly behaviors: BehaviorProvider;
  readonly seed: number;
  readonly known: Known;
  readonly over: Over;
  /** Milliseconds that the first start and handshake took. */
  readonly startMs?: number | undefined;
  /** Why no handshake can be made; cases that begin with one are blocked at once. */
  readonly refused?: string | undefined;
  /** The framing of the suite's messages where a case names none. */
  readonly framing: "line" | "header";
  /** The lane of connections that the case may share; `undefined` for a case that needs its own. */
  laneOf(one: Case): string | undefined;
  /** The framing of a case that ends a connection which no other case needs; `undefined` for all other cases. */
  endsIn(one: Case): "line" | "header" | undefined;
  /**
   * Opens a connection with the properties that the case needs; to the same program as `beside`, where that is
   * possible. Rejects with `TargetError`.
   */
  connect(one?: Case, beside?: Link): Promise<Connection>;
}
