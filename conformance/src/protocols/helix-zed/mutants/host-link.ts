import type { Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { broken, ending, reaction } from "./host-patch.js";

const added = (name: string): readonly string[] => [`v2026.${name}`];

const similar = (agent: string, all: readonly string[]): readonly string[] =>
  all.filter((one) => one.startsWith(agent));

/** How agents come and go. */
const links: readonly Mutant[] = broken({
  "lets-everybody-in": ["LINK-020", { refuses: () => undefined }],
  "takes-empty-tokens": ["LINK-020", { refuses: (authorization) => (authorization === undefined ? 401 : undefined) }],
  forbids: ["LINK-020", { refuses: (authorization, token) => (authorization === `Bearer ${token}` ? undefined : 403) }],
  "pongs-without-data": ["LINK-007", { pong: () => Buffer.alloc(0) }],
  "never-pings": ["LINK-021", { pings: false }, { cases: ["link.pings"] }],
  "keeps-the-silent": ["LINK-021", { dropsSilent: false }, { cases: ["link.silent"] }],
  "oldest-connection-stays": ["LINK-022", { speaksOn: (open) => open[0], closesOlder: false }],
  "tells-agents-of-a-similar-name": ["LINK-025", { hearers: similar }],
  "mistakes-a-similar-name": ["LINK-025", { hearers: (agent, all) => similar(agent, all).slice(-1) }],
  "says-nothing-again": ["LINK-023", { again: () => [] }],
  "says-it-twice": ["LINK-023", { again: (requestId) => [requestId, requestId] }, { collateral: ["SEND-002"] }],
  "says-it-under-another-id": ["LINK-023", { again: (requestId) => [`${requestId}-again`] }],
  "says-everything-again": [
    "LINK-023",
    {
      due: (session, all) => [
        ...session.interactions.filter((one) => !waits(one) && one.sentOn !== undefined),
        ...rightHost.due(session, all),
      ],
    },
    { collateral: ["SEND-004"] },
  ],
  "forgets-over-a-reconnect": ["LINK-024", { keptThread: () => null }],
});

/** Mutants for additions until 2026. */
const additions: readonly Mutant[] = broken({
  "does-not-wait-for-the-agent": ["READY-020", { readyMs: () => 0 }],
  "waits-for-ever": ["READY-020", { readyMs: (ms) => (ms === 0 ? 0 : Infinity) }, { cases: added("never-ready") }],
  "deaf-to-the-ready": ["READY-020", { heedsReady: false }, { cases: added("ready") }],
  "does-not-cancel": [
    "CANCEL-020",
    { outgoing: (message) => (message["type"] === "cancel_current_turn" ? [] : [message]) },
    { cases: added("cancel") },
  ],
  "knows-no-cancelling": [
    "CANCEL-020",
    ending(({ state }, { name }) => (name === "turn_cancelled" ? state : undefined)),
    { cases: added("cancelled") },
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
  "errors-complete": [
    "ERROR-020",
    ending((_interaction, { name }) => (name === "chat_response_error" ? "complete" : undefined)),
  ],
  "waits-after-load-errors": [
    "ERROR-020",
    ending(({ state }, { name }) => (name === "thread_load_error" ? state : undefined)),
    { cases: added("thread-load-error") },
  ],
  "errors-without-words": ["ERROR-020", { errorOf: () => "failed" }],
  "dies-of-titles": [
    "NEWS-020",
    reaction("die", ({ name }) => name === "thread_title_changed"),
    { cases: added("news") },
  ],
  "titles-complete": [
    "NEWS-020",
    { eventName: (name) => (name === "thread_title_changed" ? "message_completed" : rightHost.eventName(name)) },
    { cases: added("news") },
  ],
});

/** Hosts that are wrong about connections, and about what came until 2026. */
export const linkMutants: readonly Mutant[] = [...links, ...additions];
