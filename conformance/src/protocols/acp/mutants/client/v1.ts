import { mutant, type Mutant } from "../../../../core/mutant.js";
import type { ClientBehavior } from "../../reference/client-behavior.js";
import { of, rewrite } from "../rewrite.js";

type Json = Record<string, unknown>;

/** A mutant of the reference in the official dialect. */
const inV1 = (
  id: string,
  violates: readonly string[],
  patch: Partial<ClientBehavior>,
  more: Pick<Mutant, "collateral" | "cases"> = {},
): Mutant => mutant(`acp.client/${id}`, { violates, ...more, profile: "v1", patch });

/** Clients that break what only the official dialect says. */
export const v1Mutants: readonly Mutant[] = [
  inV1(
    "v1-anonymous",
    ["ACP-INFO-002"],
    { initializeParams: () => ({ protocolVersion: 1, clientCapabilities: {} }) },
    {
      cases: ["acp.client.initialize.first"],
    },
  ),
  inV1(
    "v1-field-of-its-own",
    ["ACP-META-001"],
    rewrite(of("session/prompt"), (message) => ({ ...message, params: { ...(message["params"] as Json), vendor: 1 } })),
    { cases: ["acp.client.turn.prompt"] },
  ),
  inV1("v1-lists-unasked", ["ACP-GATE-001"], { mayCall: () => true }),
  inV1("v1-loads-unasked", ["ACP-SESSION-012"], { mayLoad: () => true }),
  inV1("v1-speaks-with-any-version", ["ACP-INIT-009"], { initializeProblem: () => undefined }),
  inV1("v1-takes-no-mode-for-an-answer", ["ACP-MODE-006"], { modeProblem: () => undefined }),
  inV1("v1-sends-what-it-likes", ["ACP-TURN-015"], { mayPrompt: () => true }),
  inV1("v1-lets-permissions-hang", ["ACP-CANCEL-005"], { permissionAtCancel: () => undefined }),
  inV1("v1-knows-every-method", ["ACP-RPC-011"], { unknownRequest: () => undefined }),
];
