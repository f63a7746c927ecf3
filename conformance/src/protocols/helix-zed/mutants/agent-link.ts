import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, hasMore, type Json, type Oddity, rightAgent } from "../reference/agent-behavior.js";
import { patch } from "./agent-patch.js";

const broken = (
  name: string,
  violates: string,
  switches: Partial<AgentBehavior>,
  collateral: readonly string[] = [],
): Mutant =>
  mutant(`helix-zed.agent/${name}`, {
    violates: [`HELIX-${violates}`],
    collateral: collateral.map((id) => `HELIX-${id}`),
    patch: switches,
  });
const diesOf = (what: Oddity): Partial<AgentBehavior> => patch({ survives: (one) => one !== what });
const isNamed = (said: Json, ...names: readonly string[]): boolean => names.includes(String(said["event_type"]));

/** Shorter each time, by more than a busy machine is late. */
const SOONER_MS = [500, 400, 100];

/** Agents that are wrong about their connection, or do not live long. */
export const linkMutants: readonly Mutant[] = [
  broken("other-path", "LINK-001", patch({ url: (url) => url.replace("/sync", "/socket") })),
  broken("no-session-in-url", "LINK-001", patch({ url: (url) => url.replace("session_id", "agent") })),
  broken("other-session-in-url", "LINK-001", patch({ url: (url) => url.replace("session_id=", "session_id=x") })),
  broken("no-token", "LINK-002", patch({ headers: () => ({}) })),
  broken("bare-token", "LINK-002", patch({ headers: (token) => ({ authorization: token }) })),
  broken("no-pong", "LINK-003", patch({ answersPings: false })),
  broken("dies-of-ping", "LINK-003", diesOf("ping")),
  broken("dies-of-second-ping", "LINK-003", diesOf("second-ping")),
  broken("no-redial", "LINK-004", patch({ redialMs: () => undefined })),
  broken("redials-ever-sooner", "LINK-004", patch({ redialMs: (failures) => SOONER_MS[failures] })),
  // What is said again is also too much for its turn.
  broken(
    "ends-again",
    "LINK-005",
    patch({ hello: (_id, said) => said.filter((one) => isNamed(one, "message_completed")) }),
    ["TURN-006"],
  ),
  broken(
    "says-again",
    "LINK-005",
    patch({ hello: (_id, said) => said.filter((one) => isNamed(one, "message_added")) }),
    ["TURN-007"],
  ),
  broken(
    "creates-again",
    "LINK-005",
    patch({ hello: (_id, said) => said.filter((one) => isNamed(one, "context_created")) }),
    ["THREAD-006"],
  ),
  mutant("helix-zed.agent/forgets-threads", {
    violates: ["HELIX-LINK-006"],
    collateral: ["HELIX-THREAD-006"],
    cases: ["helix-zed.agent.link.thread-kept"],
    patch: patch({ keepsThreads: false }),
  }),
  broken("dies-of-no-json", "ROBUST-001", diesOf("no-json")),
  broken("dies-of-no-object", "ROBUST-001", diesOf("no-object")),
  broken("dies-of-unknown-type", "ROBUST-002", diesOf("unknown-type")),
  broken("dies-of-bad-data", "ROBUST-003", diesOf("bad-data")),
  broken("dies-of-more-fields", "ROBUST-004", diesOf("more-fields")),
  broken("refuses-more-fields", "ROBUST-004", patch({ isChat: (data) => rightAgent.isChat(data) && !hasMore(data) })),
];
