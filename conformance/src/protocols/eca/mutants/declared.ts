import { readFileSync } from "node:fs";
import { join } from "node:path";
import { methodOf, methodsOf } from "@editwire/core";
import { fits } from "../../../core/talk/judge.js";
import type { Mutant } from "../../../core/mutant.js";
import { packageRoot } from "../../../core/registry/package-root.js";
import { statementsOf } from "../../../core/registry/statements.js";
import { type Statement } from "../../../core/registry/statement.js";
import { declaredBelow, type Step } from "../../../generate/declarations.js";
import { examplesOf } from "../../../generate/fixtures.js";
import { type DeclaredFacts, declaredMutants } from "../../../packs/declared.js";
import { type ByHand, declaredQuotes } from "../../../packs/declared-quotes.js";
import { schemaRows } from "../../../packs/schema-rows.js";
import { accept } from "../accept.js";
import { schemaRequirement } from "../monitors/all.js";
import { encode } from "../samples.js";
import { ecaFixtures } from "../server-facts.js";
import { table } from "../table.js";

const statements = statementsOf(readFileSync(join(packageRoot(), "specs/eca.md"), "utf8"));
// The specification declares the rejection, and forgets it in the list of contents.
const below = declaredBelow(statements, { ChatContent: ["ToolCallRejected"] });

const sectionOf = (method: string): string => methodOf(table, method)?.spec?.slice(1) ?? "";

const statementsOfSection = (method: string): readonly Statement[] =>
  statements.filter(({ anchor }) => anchor.startsWith(`${sectionOf(method)}:`));

/** The name of the interface that a section of the specification has for the params or the result of its method. */
function rootOf(method: string, part: "params" | "result"): string {
  const ofSection = statementsOfSection(method);
  if (part === "params") return ofSection.map(({ text }) => /params: `(\w+)`/.exec(text)?.[1]).find(Boolean) ?? "";
  return ofSection.map(({ anchor }) => /:(\w+Response)\b/.exec(anchor)?.[1]).find(Boolean) ?? "";
}

type Shown = DeclaredFacts["shown"];

const facts = (role: "server" | "client", shown: Shown): DeclaredFacts => ({
  prefix: `eca.${role}`,
  role,
  table,
  requirement: schemaRequirement,
  methods: methodsOf(table).map(([method]) => method),
  // Declarations of other sections are broken in the messages of those sections.
  declared: (method, part) => below(rootOf(method, part)).filter(({ at }) => at.startsWith(`${sectionOf(method)}:`)),
  examples: (method, part) => examplesOf(ecaFixtures(), method, part).map((one) => encode(method, part, one)),
  isValid: (method, part, value) => fits(table, method, part, accept(method, part, value)) === true,
  shown,
});

const tagOf = (path: readonly Step[]): string | undefined =>
  path.map((step) => (typeof step === "object" && "type" in step ? step.type : undefined)).find(Boolean);

const serverCases: Readonly<Record<string, string>> = {
  initialize: "life.initialize",
  "chat/queryContext": "query.*",
  "chat/queryCommands": "query.*",
  "tool/serverUpdated": "life.native-tools",
  "$/showMessage": "life.native-tools",
  reasonStarted: "turn.reason",
  reasonText: "turn.reason",
  reasonFinished: "turn.reason",
  url: "turn.reason",
  toolCallPrepare: "tool.runs",
  toolCallRun: "tool.runs",
  toolCalled: "tool.runs",
  toolCallRejected: "tool.rejected",
};

/** Other requirements that a broken method, content or field of a tool call violates. */
const serverCollateral: Readonly<Record<string, readonly string[]>> = {
  initialize: ["ECA-FORM-behavior"],
  "chat/contentReceived": ["CHAT-001", "FRAME-007", "TOOL-006", "TURN-002", "TURN-003", "TURN-005"].map(
    (id) => `ECA-${id}`,
  ),
  "chat/queryCommands": ["ECA-FORM-A13"],
  "tool/serverUpdated": ["ECA-LIFE-007"],
  "$/showMessage": ["ECA-LIFE-013"],
  reasonStarted: ["ECA-TURN-004"],
  reasonText: ["ECA-TURN-004"],
  reasonFinished: ["ECA-TURN-004"],
  "toolCall.type": ["ECA-TOOL-001", "ECA-TOOL-050"],
  "toolCall.id": ["ECA-TOOL-001", "ECA-TOOL-050"],
  "toolCall.name": ["ECA-TOOL-025"],
  "toolCall.origin": ["ECA-TOOL-025", "ECA-FORM-A6"],
  "toolCall.argumentsText": ["ECA-TOOL-024"],
  "toolCall.manualApproval": ["ECA-TOOL-026", "ECA-FORM-approval"],
  "toolCall.arguments": ["ECA-TOOL-004"],
  "toolCall.error": ["ECA-TOOL-004"],
  "toolCall.outputs": ["ECA-TOOL-004"],
};

const serverShown: Shown = (method, path) => {
  const tag = tagOf(path);
  const name = serverCases[tag ?? method] ?? "turn.echo";
  const noticed = tag?.startsWith("toolCall") === true ? `toolCall.${String(path[2])}` : (tag ?? method);
  return { cases: [`eca.server.${name}`], collateral: serverCollateral[noticed] };
};

/** The case in which a client sends a method, and what else notices a broken one. */
const clientCases: Readonly<Record<string, readonly [name: string, ...collateral: readonly string[]]>> = {
  initialize: ["turn.message", "ECA-LIFE-021", "ECA-FORM-behavior"],
  initialized: ["turn.message", "ECA-LIFE-020"],
  shutdown: ["life.shutdown", "ECA-LIFE-022"],
  exit: ["life.shutdown", "ECA-LIFE-022"],
  "chat/prompt": ["turn.finished-again", "ECA-FORM-A9", "ECA-FORM-behavior"],
  "chat/toolCallApprove": ["tool.approve", "ECA-TOOL-020", "ECA-TOOL-021"],
  "chat/toolCallReject": ["tool.reject", "ECA-TOOL-020", "ECA-TOOL-021"],
  "chat/queryContext": ["query.contexts", "ECA-QUERY-020"],
  "chat/queryCommands": ["query.commands", "ECA-QUERY-022"],
  "chat/promptStop": ["stop", "ECA-STOP-020"],
  "chat/delete": ["delete", "ECA-DELETE-020"],
  "mcp/stopServer": ["mcp.restart", "ECA-MCP-020"],
  "mcp/startServer": ["mcp.restart", "ECA-MCP-020"],
};

const clientShown: Shown = (method) => {
  const [name = "turn.message", ...collateral] = clientCases[method] ?? [];
  return { cases: [`eca.client.${name}`], collateral };
};

const ofServers = facts("server", serverShown);
const ofClients = facts("client", clientShown);

/** Servers that break one declaration of the specification each. */
export const declaredServers: readonly Mutant[] = declaredMutants(ofServers);

/** Clients that break one declaration of the specification each. */
export const declaredClients: readonly Mutant[] = declaredMutants(ofClients);

/** Statements that no mutant of the pack breaks. */
const byHand: Readonly<Record<string, ByHand>> = {
  "initialized:InitializedParams": { part: "params", repeats: "initialized:l5" },
  "shutdown:l6": { part: "result", mutants: ["eca.server/shutdown-answers-with-text"] },
  "chat-delete:ChatDeleteResponse": { part: "result", mutants: ["eca.server/delete-answers-with-text"] },
  "tool-updated:ToolServerUpdatedParams": { part: "params", repeats: "tool-updated:l2" },
};

/** The requirements of every method's params and result: its section declares them. */
export const declaredRequirements = schemaRows(
  table,
  schemaRequirement,
  { level: "must", profiles: [] },
  (method, part) => {
    const isByServers = (methodOf(table, method)?.from === "server") === (part === "params");
    return declaredQuotes(isByServers ? ofServers : ofClients, statementsOfSection(method), method, part, byHand);
  },
);
