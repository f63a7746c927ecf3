import { mutant, type Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { fieldsOf } from "../plugin-role.js";
import { rightBackend } from "../reference/backend-behavior.js";
import { takesParams, toolNames, tools } from "../samples.js";
import { diesOf, paramsOf, patch, sent, settled } from "./backend-patch.js";
import { without } from "./plugin-patch.js";

const one = ["sman.backend.calls.grep_file"];
const two = ["sman.backend.match.one-of-two"];

const frames: readonly Mutant[] = [
  mutant("sman.backend/lists-of-messages", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: patch({ encode: (message) => JSON.stringify([message]) }),
  }),
  mutant("sman.backend/binary-frames", {
    violates: ["SMAN-FRAME-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: patch({ encode: (message) => Buffer.from(JSON.stringify(message)) }),
  }),
  mutant("sman.backend/no-type", {
    violates: ["SMAN-FRAME-002"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent((message) => without(message, "type")),
  }),
  mutant("sman.backend/dies-of-text", { violates: ["SMAN-ROBUST-001"], patch: diesOf("frame") }),
  mutant("sman.backend/dies-of-binary-frames", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.backend.robust.frame-binary"],
    patch: diesOf("binary"),
  }),
  mutant("sman.backend/dies-of-lists", {
    violates: ["SMAN-ROBUST-001"],
    cases: ["sman.backend.robust.frame-list"],
    patch: diesOf("frame", (text) => text.startsWith("[{")),
  }),
  mutant("sman.backend/dies-of-unknown-types", { violates: ["SMAN-ROBUST-002"], patch: diesOf("type") }),
  mutant("sman.backend/dies-without-data", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.backend.wrong.*"],
    patch: diesOf("data"),
  }),
  mutant("sman.backend/dies-of-strays", {
    violates: ["SMAN-ROBUST-003"],
    cases: ["sman.backend.wrong.*"],
    patch: diesOf("id"),
  }),
  mutant("sman.backend/refuses-more-fields", {
    violates: ["SMAN-ROBUST-004"],
    patch: patch({
      result: (message) => ("x-vendor" in message ? undefined : rightBackend.result(message)),
    }),
  }),
];

const calls: readonly Mutant[] = [
  mutant("sman.backend/fields-in-data", {
    violates: ["SMAN-CALL-001"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent(({ type, ...data }) => ({ type, data })),
  }),
  ...["toolName", "params"].map((name) =>
    mutant(`sman.backend/${name}-in-data`, {
      violates: ["SMAN-CALL-001"],
      collateral: ["SMAN-SCHEMA-TOOL_CALL:params", "SMAN-CALL-006", ...settled],
      cases: one,
      patch: sent((message) => ({ ...without(message, name), data: { [name]: message[name] } })),
    }),
  ),
  mutant("sman.backend/stamped-data", {
    violates: ["SMAN-CALL-002"],
    cases: one,
    patch: sent((message) => ({ ...message, data: { serverTime: 1 } })),
  }),
  mutant("sman.backend/numbers-as-ids", {
    violates: ["SMAN-CALL-003"],
    collateral: ["SMAN-CALL-006", ...settled],
    cases: one,
    patch: sent((message) => ({ ...message, toolCallId: 7 })),
  }),
  mutant("sman.backend/one-id-per-millisecond", {
    violates: ["SMAN-CALL-004"],
    collateral: ["SMAN-MATCH-001"],
    cases: ["sman.backend.calls.unique"],
    patch: patch({ callId: (tool, { id }) => `${tool}-${id.slice(0, 8)}-${Math.floor(Date.now() / 1_000)}` }),
  }),
  mutant("sman.backend/counts-on-each-connection", {
    violates: ["SMAN-CALL-004"],
    cases: ["sman.backend.calls.unique"],
    patch() {
      const counts = new Map<string, number>();
      return patch({
        callId(tool, { id }) {
          const count = (counts.get(id) ?? 0) + 1;
          counts.set(id, count);
          return `${tool}-${count}`;
        },
      });
    },
  }),
  mutant("sman.backend/another-session-in-params", {
    violates: ["SMAN-CALL-005"],
    collateral: ["SMAN-CALL-007"],
    cases: one,
    patch: sent((message) => ({ ...message, params: { ...paramsOf(message), webSocketSessionId: "another" } })),
  }),
  mutant("sman.backend/a-session-for-each-call", {
    violates: ["SMAN-CALL-005"],
    cases: two,
    patch() {
      let count = 0;
      return sent((message) => {
        const webSocketSessionId = `session-${++count}`;
        return { ...message, webSocketSessionId, params: { ...paramsOf(message), webSocketSessionId } };
      });
    },
  }),
  mutant("sman.backend/forgets-params", {
    violates: ["SMAN-CALL-006"],
    collateral: ["SMAN-SCHEMA-TOOL_CALL:params", "SMAN-CALL-007"],
    cases: one,
    patch: sent((message) => ({ ...message, params: without(paramsOf(message), "limit") })),
  }),
  mutant("sman.backend/calls-another-tool", {
    violates: ["SMAN-CALL-006"],
    collateral: settled,
    cases: ["sman.backend.calls.call_chain"],
    patch: sent((message) => ({ ...message, toolName: "find_usages" })),
  }),
  mutant("sman.backend/keeps-calls-to-itself", {
    violates: ["SMAN-CALL-006"],
    collateral: settled,
    cases: one,
    patch: patch({ outgoing: () => [] }),
  }),
  ...toolNames.flatMap((tool) => [
    mutant(`sman.backend/another-project-for-${tool}`, {
      violates: ["SMAN-CALL-007"],
      cases: [`sman.backend.calls.${tool}`],
      patch: sent((message) => ({ ...message, params: { ...paramsOf(message), projectKey: "another" } })),
    }),
    mutant(`sman.backend/another-session-for-${tool}`, {
      violates: ["SMAN-CALL-007"],
      collateral: ["SMAN-CALL-005"],
      cases: [`sman.backend.calls.${tool}`],
      patch: sent((message) => ({ ...message, params: { ...paramsOf(message), webSocketSessionId: "another" } })),
    }),
  ]),
  mutant("sman.backend/one-session-for-all", {
    violates: ["SMAN-CALL-008"],
    cases: ["sman.backend.calls.sessions"],
    patch: patch({
      call: (id, tool, params, site) => rightBackend.call(id, tool, params, { ...site, id: "the-one-session" }),
    }),
  }),
  mutant("sman.backend/sends-incomplete-calls", {
    violates: ["SMAN-CALL-009"],
    collateral: ["SMAN-SCHEMA-TOOL_CALL:params"],
    patch: patch({ missing: () => undefined }),
  }),
  ...toolNames.flatMap((tool) =>
    tools[tool].required.map((name) =>
      mutant(`sman.backend/sends-${tool}-without-${name}`, {
        violates: ["SMAN-CALL-009"],
        collateral: ["SMAN-SCHEMA-TOOL_CALL:params"],
        cases: [`sman.backend.calls.${tool}-without-${name}`],
        patch: patch({
          missing(of, params) {
            const missing = rightBackend.missing(of, params);
            return of === tool && missing === name ? undefined : missing;
          },
        }),
      }),
    ),
  ),
];

/** Calls that lack a field or a param that they must have, or have one of another type. */
const forms: readonly Mutant[] = toolNames.flatMap((tool) => {
  const sample = fieldsOf(tool, { ...tools[tool].params });
  return breakages((call) => takesParams("TOOL_CALL", call), sample)
    .filter(({ structured }) => structured)
    .map(({ name, apply }) =>
      mutant(`sman.backend/wire-${tool}-${name}`, {
        violates: ["SMAN-SCHEMA-TOOL_CALL:params"],
        collateral: ["SMAN-CALL-005", "SMAN-CALL-006", "SMAN-CALL-007", ...settled],
        cases: [`sman.backend.calls.${tool}`],
        patch: sent(({ type, toolCallId, ...call }) => ({ type, toolCallId, ...(apply(call) as object) })),
      }),
    );
});

/** Backends that call in a wrong way. */
export const callMutants: readonly Mutant[] = [...frames, ...calls, ...forms];
