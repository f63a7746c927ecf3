import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { ending, patch } from "./host-patch.js";

const added = (name: string): readonly string[] => [`helix-zed.host.v2026.${name}`];

/** How agents come and go. */
const links: readonly Mutant[] = [
  mutant("helix-zed.host/lets-everybody-in", {
    violates: ["HELIX-LINK-020"],
    patch: patch({ refuses: () => undefined }),
  }),
  mutant("helix-zed.host/takes-empty-tokens", {
    violates: ["HELIX-LINK-020"],
    patch: patch({ refuses: (authorization) => (authorization === undefined ? 401 : undefined) }),
  }),
  mutant("helix-zed.host/forbids", {
    violates: ["HELIX-LINK-020"],
    patch: patch({ refuses: (authorization, token) => (authorization === `Bearer ${token}` ? undefined : 403) }),
  }),
  mutant("helix-zed.host/never-pings", {
    violates: ["HELIX-LINK-021"],
    cases: ["helix-zed.host.link.pings"],
    patch: patch({ pings: false }),
  }),
  mutant("helix-zed.host/keeps-the-silent", {
    violates: ["HELIX-LINK-021"],
    cases: ["helix-zed.host.link.silent"],
    patch: patch({ dropsSilent: false }),
  }),
  mutant("helix-zed.host/oldest-connection-stays", {
    violates: ["HELIX-LINK-022"],
    patch: patch({ speaksOn: (open) => open[0], closesOlder: false }),
  }),
  mutant("helix-zed.host/says-nothing-again", { violates: ["HELIX-LINK-023"], patch: patch({ again: () => [] }) }),
  mutant("helix-zed.host/says-it-twice", {
    violates: ["HELIX-LINK-023"],
    collateral: ["HELIX-SEND-002"],
    patch: patch({ again: (requestId) => [requestId, requestId] }),
  }),
  mutant("helix-zed.host/says-it-under-another-id", {
    violates: ["HELIX-LINK-023"],
    patch: patch({ again: (requestId) => [`${requestId}-again`] }),
  }),
  mutant("helix-zed.host/says-everything-again", {
    violates: ["HELIX-LINK-023"],
    collateral: ["HELIX-SEND-004"],
    patch: patch({
      due: (session, all) => [
        ...session.interactions.filter((one) => !waits(one) && one.sentOn !== undefined),
        ...rightHost.due(session, all),
      ],
    }),
  }),
  mutant("helix-zed.host/forgets-over-a-reconnect", {
    violates: ["HELIX-LINK-024"],
    patch: patch({ keptThread: () => null }),
  }),
];

/** What came until 2026. */
const additions: readonly Mutant[] = [
  mutant("helix-zed.host/does-not-wait-for-the-agent", {
    violates: ["HELIX-READY-020"],
    patch: patch({ readyMs: () => 0 }),
  }),
  mutant("helix-zed.host/waits-for-ever", {
    violates: ["HELIX-READY-020"],
    cases: added("never-ready"),
    patch: patch({ readyMs: (ms) => (ms === 0 ? 0 : Infinity) }),
  }),
  mutant("helix-zed.host/deaf-to-the-ready", {
    violates: ["HELIX-READY-020"],
    cases: added("ready"),
    patch: patch({ heedsReady: false }),
  }),
  mutant("helix-zed.host/does-not-cancel", {
    violates: ["HELIX-CANCEL-020"],
    cases: added("cancel"),
    patch: patch({ outgoing: (message) => (message["type"] === "cancel_current_turn" ? [] : [message]) }),
  }),
  mutant("helix-zed.host/knows-no-cancelling", {
    violates: ["HELIX-CANCEL-020"],
    cases: added("cancelled"),
    patch: ending(({ state }, { name }) => (name === "turn_cancelled" ? state : undefined)),
  }),
  mutant("helix-zed.host/completes-what-was-cancelled", {
    violates: ["HELIX-CANCEL-020"],
    cases: added("cancelled"),
    patch: ending((_interaction, { name }) => (name === "message_completed" ? "complete" : undefined)),
  }),
  mutant("helix-zed.host/cancels-nothing-as-well", {
    violates: ["HELIX-CANCEL-020"],
    cases: added("not-cancelled"),
    patch: ending((_interaction, { name }) => (name === "turn_cancelled" ? "interrupted" : undefined)),
  }),
  mutant("helix-zed.host/errors-complete", {
    violates: ["HELIX-ERROR-020"],
    patch: ending((_interaction, { name }) => (name === "chat_response_error" ? "complete" : undefined)),
  }),
  mutant("helix-zed.host/waits-after-load-errors", {
    violates: ["HELIX-ERROR-020"],
    cases: added("thread-load-error"),
    patch: ending(({ state }, { name }) => (name === "thread_load_error" ? state : undefined)),
  }),
  mutant("helix-zed.host/errors-without-words", {
    violates: ["HELIX-ERROR-020"],
    patch: patch({ errorOf: () => "failed" }),
  }),
];

/** Hosts that are wrong about connections, and about what came until 2026. */
export const linkMutants: readonly Mutant[] = [...links, ...additions];
