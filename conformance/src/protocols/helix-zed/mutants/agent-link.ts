import type { Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, hasMore, type Json, type Oddity, rightAgent } from "../reference/agent-behavior.js";
import { broken, dataOf, patch } from "./agent-patch.js";

const diesOf = (what: Oddity): Partial<AgentBehavior> => patch({ survives: (one) => one !== what });
const isNamed = (said: Json, ...names: readonly string[]): boolean => names.includes(String(said["event_type"]));

/** Shorter each time, by more than a busy machine is late. */
const SOONER_MS = [500, 400, 100];

const now = (said: Json): Json => ({ ...said, data: { ...dataOf(said), timestamp: Math.floor(Date.now() / 1_000) } });

/** Agents that are wrong about their connection, or do not live long. */
export const linkMutants: readonly Mutant[] = broken({
  "other-path": ["LINK-001", { url: (url) => url.replace("/sync", "/socket") }],
  "no-session-in-url": ["LINK-001", { url: (url) => url.replace("session_id", "agent") }],
  "other-session-in-url": ["LINK-001", { url: (url) => url.replace("session_id=", "session_id=x") }],
  "no-token": ["LINK-002", { headers: () => ({}) }],
  "bare-token": ["LINK-002", { headers: (token) => ({ authorization: token }) }],
  "no-pong": ["LINK-003", { pong: () => undefined }],
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "dies-of-ping": ["LINK-003", diesOf("ping")],
  "dies-of-second-ping": ["LINK-003", diesOf("second-ping")],
  "no-redial": ["LINK-004", { redialMs: () => undefined }],
  "redials-ever-sooner": ["LINK-004", { redialMs: (failures) => SOONER_MS[failures] }],
  // A repeated event is also too much for its turn.
  "ends-again": [
    "LINK-005",
    { hello: (_id, said) => said.filter((one) => isNamed(one, "message_completed")) },
    { collateral: ["TURN-006"] },
  ],
  "says-again": [
    "LINK-005",
    // At the time of the reconnect: whether a second has begun since the turn is chance.
    { hello: (_id, said) => said.filter((one) => isNamed(one, "message_added")).map(now) },
    { collateral: ["TURN-007"] },
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
  "dies-of-more-fields": ["ROBUST-004", diesOf("more-fields")],
  "refuses-more-fields": ["ROBUST-004", { isChat: (data) => rightAgent.isChat(data) && !hasMore(data) }],
});
