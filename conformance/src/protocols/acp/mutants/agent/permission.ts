import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { isAnswer, rewrite } from "../../../../packs/rewrites.js";
import { broken } from "./patch.js";

const [allow, reject] = rightAgent.permissionOptions() as [Json, Json];
const allowed: Json = { outcome: "selected", optionId: "allow_once" };
const HASTE_MS = 5;
const soon = (): Promise<Json> => new Promise((resolve) => setTimeout(() => resolve(allowed), HASTE_MS));

/** Faults of agents with questions to the user. */
export const permissionMutants = broken({
  "offers-no-way-out": ["PERM-001", { permissionOptions: () => [allow] }],
  "offers-no-allowing": ["PERM-001", { permissionOptions: () => [reject] }, { collateral: ["PERM-003"] }],
  // The user cannot allow anything, or allows what the agent takes for a rejection.
  "offers-nothing": ["PERM-001", { permissionOptions: () => [] }, { collateral: ["PERM-003"] }],
  "another-name-for-allow": ["PERM-011", { permissionOptions: () => [{ ...allow, name: "Yes" }, reject] }],
  "another-name-for-reject": ["PERM-011", { permissionOptions: () => [allow, { ...reject, name: "No" }] }],
  "does-not-wait-for-the-user": ["PERM-002", { patience: (answer) => Promise.race([answer, soon()]) }],
  "never-runs-what-was-allowed": ["PERM-003", { allows: () => false }],
  "runs-what-was-rejected": ["PERM-004", { allows: (outcome) => outcome?.["outcome"] === "selected" }],
  "runs-when-asking-failed": [
    "PERM-004",
    { allows: (outcome) => outcome === undefined || rightAgent.allows(outcome) },
    { cases: ["permission.error"] },
  ],
  "runs-what-was-cancelled": [
    "PERM-004",
    { allows: (outcome) => outcome?.["outcome"] === "cancelled" || rightAgent.allows(outcome) },
  ],
  "one-id-for-all": [
    "RPC-005",
    { requestId: () => 7 },
    { collateral: ["PERM-003", "PERM-004"], cases: ["permission.side-by-side"] },
  ],
  "asks-with-fractions": ["RPC-031", { requestId: (count) => count + 0.5 }, { cases: ["permission.allowed"] }],
  "reports-answers-as-unknown": [
    "RPC-003",
    {
      answered: (id, open) => rightAgent.answered(id, open),
      ...rewrite(isAnswer, (message) => ({ ...message, id: (message["id"] as number) + 1000 })),
    },
  ],
});
