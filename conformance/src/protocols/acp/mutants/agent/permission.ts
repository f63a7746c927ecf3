import { mutant } from "../../../../core/mutant.js";
import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { answers, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

const [allow, reject] = rightAgent.permissionOptions() as [Json, Json];
const allowed: Json = { outcome: "selected", optionId: "allow_once" };
const HASTE_MS = 5;
const soon = (): Promise<Json> => new Promise((resolve) => setTimeout(() => resolve(allowed), HASTE_MS));

/** What agents get wrong with asking the user. */
export const permissionMutants = [
  mutant("acp.agent/offers-more-options", {
    violates: ["ACP-PERM-001"],
    patch: patch({
      permissionOptions: () => [allow, { optionId: "allow_always", name: "Always", kind: "allow_always" }, reject],
    }),
  }),
  mutant("acp.agent/offers-no-way-out", {
    violates: ["ACP-PERM-001"],
    patch: patch({ permissionOptions: () => [allow] }),
  }),
  mutant("acp.agent/offers-no-allowing", {
    violates: ["ACP-PERM-001"],
    collateral: ["ACP-PERM-003"],
    patch: patch({ permissionOptions: () => [reject] }),
  }),
  mutant("acp.agent/offers-nothing", {
    violates: ["ACP-PERM-001"],
    // The user cannot allow anything, or allows what the agent takes for a rejection.
    collateral: ["ACP-PERM-003"],
    patch: patch({ permissionOptions: () => [] }),
  }),
  mutant("acp.agent/options-with-ids-of-its-own", {
    violates: ["ACP-PERM-001"],
    collateral: ["ACP-PERM-003"],
    patch: patch({
      permissionOptions: () => [
        { ...allow, optionId: "yes" },
        { ...reject, optionId: "no" },
      ],
    }),
  }),
  mutant("acp.agent/kinds-are-mixed-up", {
    violates: ["ACP-PERM-001"],
    collateral: ["ACP-PERM-003"],
    patch: patch({
      permissionOptions: () => [
        { ...allow, kind: reject["kind"] },
        { ...reject, kind: allow["kind"] },
      ],
    }),
  }),
  mutant("acp.agent/does-not-wait-for-the-user", {
    violates: ["ACP-PERM-002"],
    patch: patch({ patience: (answer) => Promise.race([answer, soon()]) }),
  }),
  mutant("acp.agent/asks-for-show", {
    violates: ["ACP-PERM-002", "ACP-PERM-004"],
    // The turn is over before it can be canceled.
    collateral: ["ACP-CANCEL-002", "ACP-TURN-006"],
    cases: ["acp.agent.permission.*", "acp.agent.turn.second-prompt"],
    patch: patch({ patience: async () => allowed }),
  }),
  mutant("acp.agent/never-runs-what-was-allowed", {
    violates: ["ACP-PERM-003"],
    patch: patch({ allows: () => false }),
  }),
  mutant("acp.agent/runs-what-was-rejected", {
    violates: ["ACP-PERM-004"],
    patch: patch({ allows: (outcome) => outcome?.["outcome"] === "selected" }),
  }),
  mutant("acp.agent/runs-what-was-not-rejected", {
    violates: ["ACP-PERM-004"],
    cases: ["acp.agent.permission.no-such-option"],
    patch: patch({
      allows: (outcome) => outcome?.["outcome"] === "selected" && outcome["optionId"] !== "reject_once",
    }),
  }),
  mutant("acp.agent/runs-when-asking-failed", {
    violates: ["ACP-PERM-004"],
    cases: ["acp.agent.permission.error"],
    patch: patch({ allows: (outcome) => outcome === undefined || rightAgent.allows(outcome) }),
  }),
  mutant("acp.agent/runs-what-was-cancelled", {
    violates: ["ACP-PERM-004"],
    patch: patch({ allows: (outcome) => outcome?.["outcome"] === "cancelled" || rightAgent.allows(outcome) }),
  }),
  mutant("acp.agent/first-asked-first-answered", {
    violates: ["ACP-PERM-003", "ACP-PERM-004"],
    patch: patch({ answered: () => 0 }),
  }),
  mutant("acp.agent/one-id-for-all", {
    violates: ["ACP-RPC-005"],
    collateral: ["ACP-PERM-003", "ACP-PERM-004"],
    cases: ["acp.agent.permission.side-by-side"],
    patch: patch({ requestId: () => 7 }),
  }),
  mutant("acp.agent/reports-answers-as-unknown", {
    violates: ["ACP-RPC-003"],
    patch: patch({
      answered: (id, open) => rightAgent.answered(id, open),
      ...rewrite(answers, (message) => ({ ...message, id: (message["id"] as number) + 1000 })),
    }),
  }),
];
