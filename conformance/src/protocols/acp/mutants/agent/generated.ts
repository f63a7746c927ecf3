import { table } from "../../table.js";
import { methodOf, type Schema, validatorOf } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { breakages } from "../../../../generate/broken.js";
import { type AgentBehavior, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { answerCaseId, unstatedRequests } from "../../../../packs/answers.js";
import { agentFacts, answerRequirement } from "../../agent-facts.js";
import { example, methodsFrom, opensSession } from "../../samples.js";
import { v1Agent } from "../../reference/v1.js";
import { isAnswer, isError, isRequest, of, rewrite, without } from "../../../../packs/rewrites.js";
import { patch } from "./patch.js";

type Change = (value: unknown) => unknown;

/** The messages of agents: how one part of each is broken, and a case in which it is sent. */
interface Part {
  readonly method: string;
  readonly part: "params" | "result";
  readonly name: string;
  readonly sample: unknown;
  readonly seenIn: string;
  broken(change: Change): Partial<AgentBehavior>;
  /** Other requirements that a message with wrong fields violates. */
  readonly collateral?: readonly string[] | undefined;
}

const modes = rightAgent.modes("full");
const session = { id: "s", cwd: "/", modeId: "full", turn: undefined, isClosed: false, history: [], past: [] };
const text = { type: "text", text: "t" };

/** The dialect for judging a method that the specification lacks. */
const dialectOf = (method: string): Pick<Mutant, "profile" | "dialect"> =>
  methodOf(table, method)?.spec === undefined ? { profile: "v1", dialect: v1Agent } : {};

/** Results with more than their required fields. */
const fullResults: Readonly<Record<string, unknown>> = {
  initialize: rightAgent.initializeResult({}),
  "session/new": rightAgent.newSessionResult(session, modes),
  "session/load": rightAgent.loadSessionResult(session, modes),
  "session/prompt": rightAgent.promptResult("end_turn"),
};

const unstated = unstatedRequests(agentFacts, "client");

/** The case in which a method is answered. */
const answeredIn = (method: string): string =>
  unstated.includes(method)
    ? answerCaseId(agentFacts, method)
    : `acp.agent.${seenIn[method] ?? method.replaceAll("/", ".")}`;

/** The cases that are not named after the method. */
const seenIn: Readonly<Record<string, string>> = {
  initialize: "initialize.version",
  "session/prompt": "turn.text",
  "session/set_mode": "mode.set",
};

/** The reference answers what it does nothing for with the required fields; an example has the others to break. */
const fullOf = (method: string, result: unknown): unknown =>
  unstated.includes(method) ? example(method, "result") : result;

/** Other requirements that a broken result violates. */
const collateralOf: Readonly<Record<string, readonly string[]>> = { "session/prompt": ["ACP-UPDATE-005"] };

const results: readonly Part[] = methodsFrom("client", "request").map((method) => ({
  method,
  part: "result",
  name: method,
  sample: fullResults[method] ?? example(method, "result"),
  seenIn: answeredIn(method),
  broken: (change) =>
    patch({ result: (answered, result) => (answered === method ? change(fullOf(method, result)) : result) }),
  collateral: opensSession(method) ? ["ACP-MODE-001"] : collateralOf[method],
}));

const inUpdates = [
  "ACP-PERM-003",
  "ACP-PERM-010",
  "ACP-UPDATE-001",
  "ACP-UPDATE-003",
  "ACP-UPDATE-004",
  "ACP-UPDATE-005",
  "ACP-UPDATE-006",
  "ACP-UPDATE-007",
  "ACP-UPDATE-008",
];

/** Every kind of update, with a case in which it comes. */
const updates: readonly (readonly [string, Json])[] = [
  ["turn.text", { sessionUpdate: "user_message_chunk", content: text }],
  ["turn.text", { sessionUpdate: "agent_message_chunk", content: text }],
  [
    "update.tool-ok",
    {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      title: "T",
      kind: "read",
      status: "in_progress",
      locations: [{ path: "/tmp/a" }],
      rawInput: {},
    },
  ],
  [
    "update.tool-ok",
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      content: [{ type: "content", content: text }],
      kind: "read",
      locations: [{ path: "/tmp/a" }],
    },
  ],
  ["update.plan", { sessionUpdate: "plan", entries: [{ content: "c", priority: "high", status: "pending" }] }],
  ["mode.set", { sessionUpdate: "current_mode_update", currentModeId: "full" }],
];

/** An update with what another one has and it lacks, so that all of it can be broken. */
const filled = (params: Json, more: Json): Json => ({ ...params, update: { ...more, ...(params["update"] as Json) } });

const permission = {
  sessionId: "s",
  toolCall: { toolCallId: "c", title: "T", kind: "read", status: "pending", rawInput: {} },
  options: rightAgent.permissionOptions(),
};

const parts: readonly Part[] = [
  ...results,
  ...updates.map(([seenIn, update]): Part => {
    const sent = (message: Json): boolean =>
      of("session/update")(message) &&
      (message["params"] as { update: Json }).update["sessionUpdate"] === update["sessionUpdate"];
    const broken = (change: Change) =>
      patch(rewrite(sent, (message) => ({ ...message, params: change(filled(message["params"] as Json, update)) })));
    return {
      method: "session/update",
      part: "params",
      name: String(update["sessionUpdate"]),
      sample: { sessionId: "s", update },
      seenIn: `acp.agent.${seenIn}`,
      broken,
      collateral: inUpdates,
    };
  }),
  {
    method: "session/request_permission",
    part: "params",
    name: "permission",
    sample: permission,
    seenIn: "acp.agent.permission.allowed",
    broken: (change) =>
      patch(
        rewrite(of("session/request_permission"), (message) => ({ ...message, params: change(message["params"]) })),
      ),
    collateral: ["ACP-PERM-001"],
  },
];

const schemaOf = (method: string, part: Part["part"]): Schema<unknown> => {
  const def = methodOf(table, method);
  if (def === undefined || (part === "result" && def.kind !== "request"))
    throw new TypeError(`there is no ${part} of ${method}`);
  return part === "result" && def.kind === "request" ? def.result : def.params;
};

const slug = (name: string): string => name.replace(/[_/]/g, "-");

const partMutants = parts.flatMap(({ method, part, name, sample, seenIn, broken, collateral = [] }) =>
  breakages((value) => validatorOf(schemaOf(method, part)).fits(value), sample)
    .filter((breakage) => part === "result" || breakage.structured)
    .map((breakage) =>
      mutant(`acp.agent/wire-${slug(name)}-${breakage.name}`, {
        violates: [`ACP-SCHEMA-${method}:${part}`],
        collateral,
        cases: [seenIn],
        ...dialectOf(method),
        patch: broken(breakage.apply),
      }),
    ),
);

const isResult = (message: Json): boolean => "result" in message;
const isUpdate = of("session/update");

/** Kinds of messages, with a case in which each is sent. */
const kinds: readonly (readonly [string, (message: Json) => boolean, string])[] = [
  ["result", isResult, "session.new"],
  ["error", isError, "unknown-method.vendor"],
  ["request", isRequest, "permission.allowed"],
  ["notification", isUpdate, "turn.text"],
];

const inError = (change: (error: Json) => unknown) => (message: Json) => ({
  ...message,
  error: change(message["error"] as Json),
});

const all = ["result", "error", "request", "notification"];
const answers = ["result", "error"];
const asked = ["request", "notification"];
type Envelope = readonly [name: string, of: readonly string[], change: (message: Json) => unknown];

/** Faults in the frame of any message of a kind, by the requirement that they violate. */
const envelopes: Readonly<Record<string, readonly Envelope[]>> = {
  "ACP-RPC-001": [
    ["without-jsonrpc", all, (message) => without(message, "jsonrpc")],
    ["json-rpc-1", all, (message) => ({ ...message, jsonrpc: "1.0" })],
    ["as-batch", all, (message) => [message]],
    ["as-text", all, (message) => JSON.stringify(message)],
    ["without-id", answers, (message) => without(message, "id")],
    ["id-as-object", [...answers, "request"], (message) => ({ ...message, id: { id: message["id"] } })],
    ["id-null", ["result", ...asked], (message) => ({ ...message, id: null })],
    ["empty", ["result"], (message) => without(message, "result")],
    ["method-as-number", asked, (message) => ({ ...message, method: 1 })],
    ["params-as-text", asked, (message) => ({ ...message, params: JSON.stringify(message["params"]) })],
    ["with-result", asked, (message) => ({ ...message, result: null })],
  ],
  "ACP-RPC-002": [["as-string", ["error"], inError(({ message }) => message)]],
  "ACP-RPC-003": [
    ["another-id", answers, (message) => ({ ...message, id: `${String(message["id"])}-another` })],
    ["id-as-string", answers, (message) => ({ ...message, id: String(message["id"]) })],
  ],
};

const envelopeMutants = Object.entries(envelopes).flatMap(([req, list]) =>
  list.flatMap(([name, of, change]) =>
    kinds
      .filter(([kind]) => of.includes(kind))
      .map(([kind, picks, seenIn]) =>
        mutant(`acp.agent/wire-${kind}-${name}`, {
          violates: [req],
          cases: [`acp.agent.${seenIn}`],
          patch: patch(rewrite(picks, change)),
        }),
      ),
  ),
);

const dropped = Symbol("dropped");
const unanswered: readonly (readonly [method: string, req: string])[] = [
  ["authenticate", "ACP-AUTH-001"],
  ["session/new", "ACP-SESSION-001"],
  ["session/load", "ACP-SESSION-005"],
  ["session/set_mode", "ACP-MODE-002"],
  ...unstated.map((method) => [method, answerRequirement(method)] as const),
];

const droppedMutants = unanswered.map(([method, req]) =>
  mutant(`acp.agent/wire-${slug(method)}-unanswered`, {
    violates: [req],
    // It has servers on stdio, and is no more answered than others.
    ...(method === "session/new" && { collateral: ["ACP-MCP-002"] }),
    cases: [answeredIn(method)],
    ...dialectOf(method),
    patch: patch({
      result: (answered, result) => (answered === method ? dropped : result),
      ...rewrite(
        (message) => isAnswer(message) && message["result"] === dropped,
        () => undefined,
      ),
    }),
  }),
);

/** Agents that are broken in one field or message, generated from the schemas and from JSON-RPC. */
export const generatedMutants: readonly Mutant[] = [...partMutants, ...envelopeMutants, ...droppedMutants];
