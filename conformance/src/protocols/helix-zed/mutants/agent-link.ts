import type { Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, hasMore, type Json, type Oddity, rightAgent } from "../reference/agent-behavior.js";
import { broken, patch } from "./agent-patch.js";

const diesOf = (what: Oddity): Partial<AgentBehavior> => patch({ survives: (one) => one !== what });
const isNamed = (said: Json, ...names: readonly string[]): boolean => names.includes(String(said["event_type"]));

/** Shorter each time, by more than a busy machine is late. */
const SOONER_MS = [500, 400, 100];

/** Agents that are wrong about their connection, or do not live long. */
export const linkMutants: readonly Mutant[] = broken({
  "other-session-in-url": ["LINK-001", { url: (url) => url.replace("session_id=", "session_id=x") }],
  "bare-token": ["LINK-002", { headers: (token) => ({ authorization: token }) }],
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "dies-of-second-ping": ["LINK-003", diesOf("second-ping")],
  "redials-ever-sooner": ["LINK-004", { redialMs: (failures) => SOONER_MS[failures] }],
  // A repeated event is also too much for its turn.
  "ends-again": [
    "LINK-005",
    { hello: (_id, said) => said.filter((one) => isNamed(one, "message_completed")) },
    { collateral: ["TURN-006"] },
  ],
  "creates-again": [
    "LINK-005",
    { hello: (_id, said) => said.filter((one) => isNamed(one, "context_created")) },
    { collateral: ["THREAD-006"] },
  ],
  "forgets-threads": ["LINK-006", { keepsThreads: false }, { collateral: ["THREAD-006"], cases: ["link.thread-kept"] }],
  "forgets-what-was-said": ["LINK-006", { keepsPast: false }, { cases: ["link.past-kept"] }],
  "dies-of-no-json": ["ROBUST-001", diesOf("no-json")],
  "dies-of-no-object": ["ROBUST-001", diesOf("no-object")],
  "dies-of-unknown-type": ["ROBUST-002", diesOf("unknown-type")],
  "dies-of-bad-data": ["ROBUST-003", diesOf("bad-data")],
  "refuses-more-fields": ["ROBUST-004", { isChat: (data) => rightAgent.isChat(data) && !hasMore(data) }],
});
