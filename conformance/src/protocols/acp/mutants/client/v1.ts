import type { Mutant } from "../../../../core/mutant.js";
import { of, rewrite } from "../../../../packs/rewrites.js";
import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { inV1 } from "./patch.js";

type Json = Record<string, unknown>;

/** Shows nothing between a load and the next prompt. */
function blindToHistory(): Partial<ClientBehavior> {
  let isBlind = false;
  return {
    mayLoad(capabilities) {
      isBlind = true;
      return rightClient.mayLoad(capabilities);
    },
    promptParams(...prompt) {
      isBlind = false;
      return rightClient.promptParams(...prompt);
    },
    textOf: (content) => (isBlind ? "" : rightClient.textOf(content)),
  };
}

/** Clients that break what only the official dialect says. */
export const v1Mutants: readonly Mutant[] = inV1({
  "v1-anonymous": [
    "INFO-002",
    { initializeParams: () => ({ protocolVersion: 1, clientCapabilities: {} }) },
    { cases: ["initialize.first"] },
  ],
  "v1-field-of-its-own": [
    "META-001",
    rewrite(of("session/prompt"), (message) => ({ ...message, params: { ...(message["params"] as Json), vendor: 1 } })),
    { cases: ["turn.prompt"] },
  ],
  "v1-lists-unasked": ["GATE-001", { mayCall: () => true }],
  "v1-names-a-program": [
    "MCP-005",
    { sessionParams: (cwd) => ({ cwd, mcpServers: [{ name: "files", command: "npx", args: [], env: [] }] }) },
  ],
  "v1-loads-unasked": ["SESSION-012", { mayLoad: () => true }],
  "v1-shows-no-history": ["SESSION-015", blindToHistory],
  "v1-speaks-with-any-version": ["INIT-009", { initializeProblem: () => undefined }],
  "v1-takes-no-mode-for-an-answer": ["MODE-006", { modeProblem: () => undefined }],
  "v1-sends-what-it-likes": ["TURN-015", { mayPrompt: () => true }],
  "v1-lets-permissions-hang": ["CANCEL-005", { permissionAtCancel: () => undefined }],
  "v1-adds-to-its-plan": ["PLAN-002", { planOf: (before, entries) => [...before, ...entries] }],
  "v1-clears-output": ["UPDATE-023", { toolOutputOf: (_before, output = "") => output }],
  "v1-knows-every-method": ["RPC-011", { unknownRequest: () => undefined }],
});
