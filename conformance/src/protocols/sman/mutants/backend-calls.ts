import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { fieldsOf } from "../plugin-role.js";
import { rightBackend } from "../reference/backend-behavior.js";
import { takesParams, toolNames, tools } from "../samples.js";
import { broken, each, diesOf, paramsOf, patch, sent, settled } from "./backend-patch.js";

const one = ["calls.grep_file"];

/** Params whose texts have lost the spaces at their ends. */
const trimmed = (params: unknown): unknown =>
  JSON.parse(JSON.stringify(params), (_name, value: unknown) => (typeof value === "string" ? value.trim() : value));

const frames: readonly Mutant[] = broken({
  "binary-frames": [
    "FRAME-001",
    { encode: (message) => Buffer.from(JSON.stringify(message)) },
    { collateral: ["CALL-006", ...settled], cases: one },
  ],
  "types-by-another-name": [
    "FRAME-002",
    sent((message) => ({ ...message, type: "CALL" })),
    { collateral: ["CALL-006", ...settled], cases: one },
  ],
  "returns-results": [
    "FRAME-005",
    {
      outgoing(message) {
        const data = { toolCallId: message["toolCallId"], success: true, result: "sent" };
        return [message, { type: "TOOL_RESULT", data }];
      },
    },
    { cases: one },
  ],
  "dies-of-text": ["ROBUST-001", diesOf("frame")],
  "dies-of-binary-frames": ["ROBUST-001", diesOf("binary"), { cases: ["robust.frame-binary"] }],
  "dies-of-unknown-types": ["ROBUST-002", diesOf("type")],
  "dies-without-data": ["ROBUST-003", diesOf("data")],
  "dies-of-strays": ["ROBUST-003", diesOf("id")],
  "refuses-more-fields": [
    "ROBUST-004",
    { result: (message) => ("x-vendor" in message ? undefined : rightBackend.result(message)) },
  ],
});

const calls: readonly Mutant[] = [
  ...broken({
    ...each(["toolName", "params"], (name) => ({
      [`${name}-in-data`]: [
        "CALL-001",
        sent((message) => ({ ...without(message, name), data: { [name]: message[name] } })),
        { collateral: ["SCHEMA-TOOL_CALL:params", "CALL-006", ...settled], cases: one },
      ],
    })),
    "stamped-data": ["CALL-002", sent((message) => ({ ...message, data: { serverTime: 1 } })), { cases: one }],
    "trims-params": [
      "CALL-006",
      sent(({ params, ...message }) => ({ ...message, params: trimmed(params) })),
      { cases: ["calls.verbatim"] },
    ],
    "tools-in-camel-case": [
      "CALL-010",
      sent((message) => ({
        ...message,
        toolName: String(message["toolName"]).replace(/_(.)/, (_all, letter: string) => letter.toUpperCase()),
      })),
      { collateral: ["CALL-006", "SCHEMA-TOOL_CALL:params", ...settled], cases: one },
    ],
    "numbers-as-ids": [
      "CALL-003",
      sent((message) => ({ ...message, toolCallId: 7 })),
      { collateral: ["CALL-006", ...settled], cases: one },
    ],
    "one-id-per-millisecond": [
      "CALL-004",
      { callId: (tool, { id }) => `${tool}-${id.slice(0, 8)}-${Math.floor(Date.now() / 1_000)}` },
      { collateral: ["MATCH-001"] },
    ],
    "another-session-in-params": [
      "CALL-005",
      sent((message) => ({ ...message, params: { ...paramsOf(message), webSocketSessionId: "another" } })),
      { collateral: ["CALL-007"], cases: one },
    ],
    "forgets-params": [
      "CALL-006",
      sent((message) => ({ ...message, params: without(paramsOf(message), "limit") })),
      { collateral: ["SCHEMA-TOOL_CALL:params", "CALL-007"], cases: one },
    ],
    ...each(
      [["read_file", "context_lines", 0] as const, ["grep_file", "limit", 10] as const],
      ([tool, name, value]) => ({
        [`adds-${name.replace("_", "-")}-to-${tool}`]: [
          "CALL-006",
          sent((message) =>
            message["toolName"] === tool ? { ...message, params: { [name]: value, ...paramsOf(message) } } : message,
          ),
          { cases: ["calls.defaults"] },
        ],
      }),
    ),
    "calls-another-tool": [
      "CALL-006",
      sent((message) => ({ ...message, toolName: "find_usages" })),
      { collateral: settled, cases: ["calls.call_chain"] },
    ],
    "keeps-calls-to-itself": ["CALL-006", { outgoing: () => [] }, { collateral: settled, cases: one }],
    ...each(toolNames, (tool) => ({
      [`another-project-for-${tool}`]: [
        "CALL-007",
        sent((message) => ({ ...message, params: { ...paramsOf(message), projectKey: "another" } })),
        { cases: [`calls.${tool}`] },
      ],
      [`another-session-for-${tool}`]: [
        "CALL-007",
        sent((message) => ({ ...message, params: { ...paramsOf(message), webSocketSessionId: "another" } })),
        { collateral: ["CALL-005"], cases: [`calls.${tool}`] },
      ],
    })),
    "one-session-for-all": [
      "CALL-008",
      patch({
        call: (id, tool, params, site) => rightBackend.call(id, tool, params, { ...site, id: "the-one-session" }),
      }),
    ],
    "sends-incomplete-calls": ["CALL-009", { missing: () => undefined }, { collateral: ["SCHEMA-TOOL_CALL:params"] }],
  }),
  ...toolNames.flatMap((tool) =>
    tools[tool].required.flatMap((name) =>
      broken({
        [`sends-${tool}-without-${name}`]: [
          "CALL-009",
          {
            missing(of, params) {
              const missing = rightBackend.missing(of, params);
              return of === tool && missing === name ? undefined : missing;
            },
          },
          { collateral: ["SCHEMA-TOOL_CALL:params"], cases: [`calls.${tool}-without-${name}`] },
        ],
      }),
    ),
  ),
];

/** Calls that lack a field or a param that they must have, or have one of another type. */
const forms: readonly Mutant[] = toolNames.flatMap((tool) => {
  const sample = fieldsOf(tool, { ...tools[tool].params });
  return breakages((call) => takesParams("TOOL_CALL", call), sample)
    .filter(({ structured }) => structured)
    .flatMap(({ name, apply }) =>
      broken({
        [`wire-${tool}-${name}`]: [
          "SCHEMA-TOOL_CALL:params",
          sent(({ type, toolCallId, ...call }) => ({ type, toolCallId, ...(apply(call) as object) })),
          { collateral: ["CALL-005", "CALL-006", "CALL-007", ...settled], cases: [`calls.${tool}`] },
        ],
      }),
    );
});

/** Backends that call in a wrong way. */
export const callMutants: readonly Mutant[] = [...frames, ...calls, ...forms];
