import type { Mutant } from "../../../../core/mutant.js";
import type { HttpBehavior } from "../../reference/http.js";
import { broken } from "./patch.js";

const http = (switches: Partial<HttpBehavior>): Partial<HttpBehavior> => switches;
const status = (wrong: string, code: number) => ({ taken: (kind: string): number => (kind === wrong ? code : 202) });

/** Agents whose HTTP side is broken. */
export const httpMutants: readonly Mutant[] = broken({
  "http-refuses-requests": [
    "HTTP-001",
    {},
    {
      cases: ["http.post"],
      http: http({ taken: (_kind, message) => (JSON.stringify(message).includes("posted") ? 500 : 202) }),
    },
  ],
  "http-anonymous-posts": ["HTTP-012", {}, { http: http({ clientIdRequired: false }) }],
  "http-answer-in-body": ["HTTP-002", {}, { http: http({ body: (message) => JSON.stringify(message) }) }],
  "http-event-without-data": [
    "HTTP-003",
    {},
    {
      cases: ["http.post"],
      http: http({
        event: (json) => (json.includes("_conformance/alive") ? `message: ${json}\n\n` : `data: ${json}\n\n`),
      }),
    },
  ],
  "http-forgets-without-stream": ["HTTP-004", {}, { cases: ["http.late-stream"], http: http({ queues: false }) }],
  "http-refuses-notifications": ["HTTP-005", {}, { cases: ["http.statuses"], http: http(status("notification", 500)) }],
  "http-refuses-answers": ["HTTP-005", {}, { cases: ["http.answer"], http: http(status("response", 500)) }],
  "http-no-keep-alive": ["HTTP-006", {}, { http: http({ pingMs: 3_600_000 }) }],
  // The stray answer, an error, reaches the turn that runs at the time.
  "http-mixes-clients": [
    "HTTP-007",
    {},
    {
      collateral: ["RPC-003", "CANCEL-001"],
      cases: ["http.two-clients"],
      http: http({ route: (clientId, all, json) => (json.includes("only-for-the-other") ? all : [clientId]) }),
    },
  ],
  "http-keeps-older-stream": ["HTTP-008", {}, { http: http({ secondStream: "refused" }) }],
});
