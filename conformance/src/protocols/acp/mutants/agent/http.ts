import { mutant, type Mutant } from "../../../../core/mutant.js";
import type { HttpBehavior } from "../../reference/http.js";

const http = (switches: Partial<HttpBehavior>): Partial<HttpBehavior> => switches;
const status = (wrong: string, code: number) => ({ taken: (kind: string): number => (kind === wrong ? code : 202) });

/** Agents whose HTTP side is broken. */
export const httpMutants: readonly Mutant[] = [
  mutant("acp.agent/http-refuses-requests", {
    violates: ["ACP-HTTP-001"],
    cases: ["acp.agent.http.post"],
    http: http({ taken: (_kind, message) => (JSON.stringify(message).includes("posted") ? 500 : 202) }),
  }),
  mutant("acp.agent/http-anonymous-posts", { violates: ["ACP-HTTP-012"], http: http({ clientIdRequired: false }) }),
  mutant("acp.agent/http-answer-in-body", {
    violates: ["ACP-HTTP-002"],
    http: http({ body: (message) => JSON.stringify(message) }),
  }),
  mutant("acp.agent/http-event-without-data", {
    violates: ["ACP-HTTP-003"],
    cases: ["acp.agent.http.post"],
    http: http({
      event: (json) => (json.includes("_conformance/alive") ? `message: ${json}\n\n` : `data: ${json}\n\n`),
    }),
  }),
  mutant("acp.agent/http-forgets-without-stream", {
    violates: ["ACP-HTTP-004"],
    cases: ["acp.agent.http.late-stream"],
    http: http({ queues: false }),
  }),
  mutant("acp.agent/http-takes-broken-json", {
    violates: ["ACP-HTTP-005"],
    cases: ["acp.agent.http.statuses"],
    http: http({ notJson: 202 }),
  }),
  mutant("acp.agent/http-other-verb-not-found", {
    violates: ["ACP-HTTP-005"],
    cases: ["acp.agent.http.statuses"],
    http: http({ otherVerb: 404 }),
  }),
  mutant("acp.agent/http-refuses-notifications", {
    violates: ["ACP-HTTP-005"],
    cases: ["acp.agent.http.statuses"],
    http: http(status("notification", 500)),
  }),
  mutant("acp.agent/http-refuses-answers", {
    violates: ["ACP-HTTP-005"],
    cases: ["acp.agent.http.answer"],
    http: http(status("response", 500)),
  }),
  mutant("acp.agent/http-plain-text", { violates: ["ACP-HTTP-006"], http: http({ contentType: "text/plain" }) }),
  mutant("acp.agent/http-no-keep-alive", { violates: ["ACP-HTTP-006"], http: http({ pingMs: 3_600_000 }) }),
  mutant("acp.agent/http-mixes-clients", {
    violates: ["ACP-HTTP-007"],
    // The stray answer, an error, reaches the turn that runs at the time.
    collateral: ["ACP-RPC-003", "ACP-CANCEL-001"],
    cases: ["acp.agent.http.two-clients"],
    http: http({ route: (clientId, all, json) => (json.includes("only-for-the-other") ? all : [clientId]) }),
  }),
  mutant("acp.agent/http-keeps-older-stream", { violates: ["ACP-HTTP-008"], http: http({ secondStream: "refused" }) }),
];
