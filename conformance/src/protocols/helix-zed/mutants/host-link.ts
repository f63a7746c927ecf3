import type { Mutant } from "../../../core/mutant.js";
import { rightHost } from "../reference/host-behavior.js";
import { broken, ending } from "./host-patch.js";

const added = (name: string): readonly string[] => [`v2026.${name}`];

const similar = (agent: string, all: readonly string[]): readonly string[] =>
  all.filter((one) => one.startsWith(agent));

/** How agents come and go. */
const links: readonly Mutant[] = broken({
  forbids: ["LINK-020", { refuses: (authorization, token) => (authorization === `Bearer ${token}` ? undefined : 403) }],
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "never-pings": ["LINK-021", { pings: false }, { cases: ["link.pings"] }],
  "keeps-the-silent": ["LINK-021", { dropsSilent: false }, { cases: ["link.silent"] }],
  "oldest-connection-stays": ["LINK-022", { speaksOn: (open) => open[0], closesOlder: false }],
  "mistakes-a-similar-name": ["LINK-025", { hearers: (agent, all) => similar(agent, all).slice(-1) }],
  "says-nothing-again": ["LINK-023", { again: () => [] }],
  "says-it-under-another-id": ["LINK-023", { again: (requestId) => [`${requestId}-again`] }],
  "forgets-over-a-reconnect": ["LINK-024", { keptThread: () => null }],
});

/** Mutants for additions until 2026. */
const additions: readonly Mutant[] = broken({
  "waits-for-ever": ["READY-020", { readyMs: (ms) => (ms === 0 ? 0 : Infinity) }, { cases: added("never-ready") }],
  "deaf-to-the-ready": ["READY-020", { heedsReady: false }, { cases: added("ready") }],
  "does-not-cancel": [
    "CANCEL-020",
    { outgoing: (message) => (message["type"] === "cancel_current_turn" ? [] : [message]) },
    { cases: added("cancel") },
  ],
  "completes-what-was-cancelled": [
    "CANCEL-020",
    ending((_interaction, { name }) => (name === "message_completed" ? "complete" : undefined)),
    { cases: added("cancelled") },
  ],
  "cancels-nothing-as-well": [
    "CANCEL-020",
    ending((_interaction, { name }) => (name === "turn_cancelled" ? "interrupted" : undefined)),
    { cases: added("not-cancelled") },
  ],
  "errors-without-words": ["ERROR-020", { errorOf: () => "failed" }],
  "titles-complete": [
    "NEWS-020",
    { eventName: (name) => (name === "thread_title_changed" ? "message_completed" : rightHost.eventName(name)) },
  ],
});

/** Hosts that are wrong about connections, and about what came until 2026. */
export const linkMutants: readonly Mutant[] = [...links, ...additions];
