import { describe, expect, test } from "vitest";
import { checkTrace, runConformance } from "../src/index.js";
import { openReference } from "../src/mutants/references.js";
import { runMutants } from "../src/mutants/run-mutants.js";
import { mutant } from "../src/core/mutant.js";
import { defineCases } from "../src/protocols/helix-zed/agent-role.js";
import { behaviors } from "../src/protocols/helix-zed/behaviors.js";
import { helixZed } from "../src/protocols/helix-zed/protocol.js";
import { v2026Agent, rightAgent } from "../src/protocols/helix-zed/reference/agent-behavior.js";

const registry = helixZed.registry();
const cases = helixZed.cases.filter(({ role }) => role === "agent");

describe("the mutants of the reference agent", () => {
  const mutants = helixZed.mutants.filter(({ role }) => role === "agent");

  test("violate every requirement that binds an agent", () => {
    const violated = new Set(mutants.flatMap(({ violates }) => violates));
    const judged = registry.requirements.filter(
      ({ role, oracle }) => oracle !== "none" && oracle !== "vector" && role !== "host",
    );
    expect(judged.filter(({ id }) => !violated.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test("use every switch", () => {
    const used = new Set(
      mutants.flatMap(({ patch }) => Object.keys(typeof patch === "function" ? patch() : (patch ?? {}))),
    );
    expect(Object.keys(rightAgent).filter((name) => !used.has(name))).toEqual([]);
  });

  test("are killed for their own reason alone", async () => {
    const filter = [
      "helix-zed.agent/ends-twice",
      "helix-zed.agent/no-session-in-message_added",
      "helix-zed.agent/dies-of-second-ping",
    ];
    const { ok, mutants: results } = await runMutants({
      protocol: { ...helixZed, cases: cases.filter(({ smoke, id }) => smoke === true || id.endsWith(".ping")) },
      role: "agent",
      filter,
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(["killed", "killed", "killed"]);
    expect(ok).toBe(true);
  });
});

test("a message without a session belongs to the dial's session, one with a wrong session to none", async () => {
  const sessions = cases.filter(({ id }) => /wrong\.first-message\.helix-session-id-/.test(id));
  expect(sessions.map(({ id }) => id)).toEqual([
    "helix-zed.agent.wrong.first-message.helix-session-id-missing",
    "helix-zed.agent.wrong.first-message.helix-session-id-number",
  ]);
  const names = ["benign-session-of-the-dial", "nameless-of-other-session", "number-is-no-session"];
  const filter = names.map((name) => `helix-zed.agent/${name}`);
  const { mutants } = await runMutants({ protocol: { ...helixZed, cases: sessions }, role: "agent", filter });
  expect(Object.fromEntries(mutants.map(({ id, verdict }) => [id, verdict]))).toEqual({
    "helix-zed.agent/benign-session-of-the-dial": "benign",
    "helix-zed.agent/nameless-of-other-session": "killed",
    "helix-zed.agent/number-is-no-session": "killed",
  });
});

/** Judges the reference agent, with some switches replaced. */
async function judged(patch?: object) {
  const base =
    patch === undefined ? undefined : mutant("helix-zed.agent/changed", { violates: [], patch: { ...patch } });
  const { target, close } = await openReference(helixZed, "agent", base, undefined);
  try {
    return await runConformance({
      protocol: helixZed,
      role: "agent",
      target,
      behaviors: "commands",
      seed: 1,
      quietScale: 0.1,
      jobs: 8,
    });
  } finally {
    await close();
  }
}

describe("the reference agent", () => {
  test("is right in the dialect of the specification, where nothing of 2026 applies", async () => {
    const { outcome, cases: results } = await judged();
    const different = results.filter(({ verdict }) => verdict !== "pass").map(({ id, verdict }) => `${verdict} ${id}`);
    expect(outcome).toBe("conformant");
    expect(different.filter((one) => !one.startsWith("not-applicable helix-zed.agent.v2026."))).toEqual([
      "not-applicable calibration",
    ]);
  });

  test("is right in the 2026 dialect", async () => {
    const { outcome, cases: results } = await judged(v2026Agent);
    expect(outcome).toBe("conformant");
    expect(results.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id)).toEqual(["calibration"]);
  });

  test("has every behavior of the contract", async () => {
    const used = new Set(cases.flatMap(({ needs = [] }) => needs));
    expect(behaviors.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });
});

const thread = "8405cd2a-24ae-4b3f-9c11-0242ac120002";
const ids = { session_id: "ses_1", acp_thread_id: thread };
const now = 1_759_410_084;
const chat = (request_id: string, acp_thread_id: string | null) => ({
  from: "host",
  message: { type: "chat_message", data: { helix_session_id: "ses_1", acp_thread_id, message: "Hello", request_id } },
});
const said = (event_type: string, data: object, session_id = "ses_1") => ({
  from: "agent",
  message: { session_id, event_type, data: { acp_thread_id: thread, ...data } },
});
const created = said("context_created", { helix_session_id: "ses_1" });
const added = (content: string, more = {}) =>
  said("message_added", { message_id: "m1", role: "assistant", content, timestamp: now, ...more });
const completed = (request_id = "req_1", more = {}) =>
  said("message_completed", { message_id: "m1", request_id, ...more });
const first = [chat("req_1", null), created, added("Hel"), added("Hello"), completed()];

/** The monitors' findings in a recorded session. */
function objections(lines: readonly object[]): string[] {
  const { checks } = checkTrace(helixZed, "agent", lines.map((line) => JSON.stringify(line)).join("\n"));
  return [
    ...new Set(checks.flatMap(({ req, verdict }) => (verdict === "pass" ? [] : [req.replace("HELIX-", "")]))),
  ].sort();
}

describe("the monitors, over recorded sessions", () => {
  test.each<[string, readonly object[]]>([
    [
      "both flows of the specification",
      [...first, chat("req_2", thread), added("Sure", { message_id: "m2" }), completed("req_2", { message_id: "m2" })],
    ],
    ["an answer without a word", [chat("req_1", null), created, completed()]],
    ["a thread that the host knew before", [chat("req_1", thread), added("Hello"), completed()]],
    [
      "a request that is answered again because it came again",
      [...first, chat("req_1", thread), added("Hello"), completed()],
    ],
    ["the same message_id in two turns", [...first, chat("req_2", thread), added("Other"), completed("req_2")]],
    [
      "a tool call that is reported in other words",
      [
        chat("req_1", null),
        created,
        added("Reads", { entry_type: "tool_call" }),
        added("Has read", { entry_type: "tool_call" }),
        completed(),
      ],
    ],
    [
      "thread_created beside context_created",
      [chat("req_1", null), created, said("thread_created", { request_id: "req_1" }), added("Hello"), completed()],
    ],
    [
      "a thread of a user beside the agent",
      [said("user_created_thread", { title: "Mine" }), added("Hello")].slice(0, 1),
    ],
  ])("%s are right", (_name, lines) => {
    expect(objections(lines)).toEqual([]);
  });

  test.each<[string, readonly object[], readonly string[]]>([
    ["a list as frame", [{ from: "agent", message: [created.message] }], ["FRAME-001"]],
    [
      "the envelope of the host",
      [
        chat("req_1", null),
        { from: "agent", message: { type: "context_created", data: { ...ids, helix_session_id: "ses_1" } } },
      ],
      ["FRAME-002"],
    ],
    [
      "a timestamp at the root",
      [chat("req_1", null), { from: "agent", message: { ...created.message, timestamp: now } }],
      ["FRAME-003"],
    ],
    [
      "an event without its session",
      [
        ...first.slice(0, 2),
        { from: "agent", message: { event_type: "message_completed", data: { ...completed().message.data } } },
      ],
      ["FORM-no-session"],
    ],
    [
      "thread_created alone",
      [chat("req_1", null), said("thread_created", { request_id: "req_1" }), completed()],
      ["FORM-thread-created"],
    ],
    ["words before their thread", [chat("req_1", null), added("Hello"), created, completed()], ["THREAD-002"]],
    [
      "a thread for a session that did not ask",
      [chat("req_1", null), said("context_created", { helix_session_id: "ses_2" }, "ses_2")],
      ["THREAD-004"],
    ],
    ["a thread that is reported twice", [chat("req_1", null), created, created], ["THREAD-006"]],
    ["a thread that the host named", [chat("req_1", thread), created], ["THREAD-006"]],
    [
      "words of another session",
      [...first.slice(0, 2), said("message_added", { ...added("Hi").message.data }, "ses_2")],
      ["THREAD-008"],
    ],
    ["a text that does not grow", [...first.slice(0, 3), added("lo")], ["TURN-002"]],
    ["two ends", [...first, completed()], ["TURN-006"]],
    ["words after the end", [...first, added("Hello again")], ["TURN-007"]],
    ["an end of no request", [...first, completed("REQ_1")], ["TURN-008"]],
    ["an end of another message", [...first.slice(0, 4), completed("req_1", { message_id: "0" })], ["TURN-009"]],
  ])("%s", (_name, lines, expected) => {
    expect(objections(lines)).toEqual(expected);
  });
});

test("a seat refuses the given number of dials, and the trace says when", async () => {
  const { target, close } = await openReference(helixZed, "agent", undefined, undefined);
  const filter = ["helix-zed.agent.link.redial"];
  const {
    cases: [, result],
  } = await runConformance({ protocol: helixZed, role: "agent", target, behaviors: "commands", seed: 1, filter });
  await close();
  const dials =
    result?.trace.flatMap((entry) => (entry.kind === "event" && entry.from === "target" ? [entry.name] : [])) ?? [];
  expect(dials.filter((name) => name !== "close")).toEqual(["refused", "refused", "connected"]);
  expect(result?.checks.every(({ verdict }) => verdict === "pass")).toBe(true);
});

test("an agent that takes its time for its first thread gets it for the next one, too", async () => {
  const write = (socket: { send(data: string | Uint8Array): void }, data: string | Uint8Array): void =>
    void setTimeout(() => socket.send(data), 100);
  const begins = (name: string, deadline?: number) =>
    defineCases({
      [`test.${name}`]: {
        title: name,
        emits: ["HELIX-THREAD-001"],
        deadline,
        async run(t) {
          await t.require("HELIX-THREAD-001", t.chat(t.session(), "Hello").thread());
        },
      },
    });
  const { target, close } = await openReference(
    helixZed,
    "agent",
    mutant("helix-zed.agent/late", { violates: [], patch: { write } }),
    undefined,
  );
  const protocol = { ...helixZed, cases: [...begins("first", 500_000), ...begins("second")] };
  const report = await runConformance({ protocol, role: "agent", target, seed: 1, timeScale: 0.01, jobs: 1 });
  await close();
  expect(report.cases.map(({ id, verdict }) => `${id}: ${verdict}`).slice(1)).toEqual([
    "helix-zed.agent.test.first: pass",
    "helix-zed.agent.test.second: pass",
  ]);
});
