import { isObject } from "@editwire/core";
import { defineCase } from "../../../../core/run/case.js";
import { matches } from "../../../../trace/pattern.js";
import { defineCases, type ClientContext } from "../../client-role.js";

type Json = Record<string, unknown>;

const text = (value: string): Json => ({ type: "text", text: value });
const says = (value: string): Json => ({ sessionUpdate: "agent_message_chunk", content: text(value) });
const begins = (toolCallId: string, more: Json = {}): Json => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "A tool",
  kind: "read",
  status: "in_progress",
  ...more,
});
const goesOn = (toolCallId: string, more: Json): Json => ({ sessionUpdate: "tool_call_update", toolCallId, ...more });

/** Every kind of update that the spec names, with everything that is optional in one of them. */
const everyKind: readonly Json[] = [
  { sessionUpdate: "user_message_chunk", content: text("Hello") },
  says("Well, "),
  {
    sessionUpdate: "agent_message_chunk",
    content: { type: "resource_link", uri: "file:///tmp/a.txt", name: "a.txt", mimeType: "text/plain" },
  },
  { sessionUpdate: "agent_thought_chunk", content: text("Hm.") },
  begins("call-1", { locations: [{ path: "/tmp/a.txt", line: 3 }], rawInput: { path: "/tmp/a.txt" } }),
  goesOn("call-1", { status: "in_progress" }),
  goesOn("call-1", {
    status: "completed",
    content: [{ type: "content", content: text("a") }],
    rawOutput: { lines: 1 },
  }),
  begins("call-2", { kind: "edit" }),
  goesOn("call-2", { status: "failed", kind: "edit", locations: [] }),
  {
    sessionUpdate: "plan",
    entries: [
      { content: "Look", priority: "high", status: "completed" },
      { content: "Say", priority: "low", status: "pending" },
    ],
  },
  { sessionUpdate: "plan", entries: [] },
  { sessionUpdate: "current_mode_update", currentModeId: "read-only" },
  { sessionUpdate: "available_commands_update", availableCommands: [{ name: "help", description: "Helps" }] },
];

/** Updates that elephant.ai sends, which the tables do not describe. */
const realAgents: readonly Json[] = [
  { sessionUpdate: "user_message_chunk", content: text("Hello") },
  begins("call-1", { kind: "channel", status: "pending" }),
  goesOn("call-1", { status: "completed", content: [text("bare")], rawOutput: "bare" }),
  { sessionUpdate: "agent_message_chunk", content: { type: "resource", resource: { uri: "file:///tmp/a.txt" } } },
];

const unknownKinds: readonly Json[] = [
  { sessionUpdate: "_conformance/unknown", value: 1 },
  { sessionUpdate: "usage_update", used: 10, size: 100 },
  { sessionUpdate: "future_update", content: { type: "hologram", data: [1, 2, 3] } },
  { sessionUpdate: "agent_message_chunk", content: { type: "hologram", data: [1, 2, 3] } },
];

/** A case that sends updates in a turn and sees that the client goes on. */
const tolerates = (name: string, title: string, req: string, updates: readonly unknown[], valid = false) =>
  defineCase<ClientContext>({ id: `acp.client.update.${name}`, role: "client", title, emits: [req] }, async (t) => {
    const session = await t.session();
    const turn = await t.prompt(session);
    for (const update of updates) {
      if (valid) turn.update(update as Json);
      else t.update(session.id, update);
    }
    // One that nobody steers may leave when its turn is over.
    if (!t.steered) await t.require(req, t.works(session));
    turn.end();
    await t.require(req, turn.done);
    await t.require(req, t.works(session));
  });

/** Section 8: what a client makes of updates. */
export const updateCases = [
  tolerates("every-kind", "the agent sends every kind of update", "ACP-UPDATE-014", everyKind, true),
  tolerates("real-agents", "the agent sends what real agents send", "ACP-UPDATE-009", realAgents),
  tolerates("unknown-kinds", "the agent sends updates of unknown kinds", "ACP-UPDATE-010", unknownKinds),
  ...defineCases({
    "update.after-unknown": {
      title: "a text comes behind an update of an unknown kind",
      emits: ["ACP-UPDATE-010"],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        t.update(session.id, unknownKinds[0]);
        turn.update(says("It goes on."));
        turn.end();
        await turn.done;
        const { text: seen } = await t.report(session);
        t.needs(typeof seen === "string", "the client does not report the text of a session");
        t.check("ACP-UPDATE-010", String(seen).includes("It goes on."), { expected: "It goes on.", actual: seen });
      },
    },
    "update.empty-stop-reason": {
      title: "a turn ends with an empty stop reason",
      emits: ["ACP-UPDATE-009"],
      async run(t) {
        t.steer("prompt again");
        const session = await t.session();
        const turn = await t.prompt(session);
        t.send.invalid({ jsonrpc: "2.0", id: turn.ask.id, result: { stopReason: "" } });
        await turn.done.catch(() => {});
        await t.require("ACP-UPDATE-009", t.works(session));
      },
    },
    "update.before-session": {
      title: "updates of a session arrive before the answer to session/new",
      emits: ["ACP-UPDATE-011"],
      isolation: "rough",
      async run(t) {
        const before = (id: string): void => {
          t.update(id, { sessionUpdate: "available_commands_update", availableCommands: [] });
          t.update(id, { sessionUpdate: "current_mode_update", currentModeId: "full" });
          t.update(id, says("Welcome."));
        };
        const session = await t.require("ACP-UPDATE-011", t.session({ before }));
        await t.require("ACP-UPDATE-011", t.works(session));
      },
    },
    "update.after-turn": {
      title: "updates of a turn arrive after its answer",
      emits: ["ACP-UPDATE-012"],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        turn.update(begins("call-1"));
        turn.end();
        await t.require("ACP-UPDATE-012", turn.done);
        for (const update of [
          goesOn("call-1", { status: "completed" }),
          says("One more thing."),
          { sessionUpdate: "plan", entries: [] },
        ])
          t.update(session.id, update);
        await t.require("ACP-UPDATE-012", t.works(session));
      },
    },
    "update.unknown-session": {
      title: "updates arrive for a session that was never opened",
      emits: ["ACP-UPDATE-013"],
      async run(t) {
        const session = await t.session();
        t.update("no-such-session", says("Hello?"));
        t.update("no-such-session", { sessionUpdate: "current_mode_update", currentModeId: "full" });
        await t.require("ACP-UPDATE-013", t.works(session));
      },
    },
    "update.text": {
      title: "the agent sends a text in many pieces",
      emits: ["ACP-UPDATE-015"],
      deadline: 20_000,
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        const pieces = [
          ...Array.from({ length: 200 }, (_, index) => `${index} `),
          "\n\n",
          "  indented\n",
          "Größe 日本",
          "Cafe\u0301 ",
          "ha ",
          "ha ",
          " 🙂 ",
          "<b>&amp;\u2028",
          "",
        ];
        for (const piece of pieces) turn.update(says(piece));
        turn.end();
        await t.require("ACP-UPDATE-015", turn.done);
        const { text: seen } = await t.report(session);
        if (typeof seen !== "string") t.notApplicable("the client does not report the text of a session");
        t.check("ACP-UPDATE-015", seen === pieces.join(""), {
          expected: JSON.stringify(pieces.join("")),
          actual: seen,
        });
      },
    },
    "update.two-sessions": {
      title: "updates of two sessions, and of one that was never opened, arrive in turns",
      emits: ["ACP-UPDATE-015"],
      async run(t) {
        t.steer("open two sessions");
        const sessions = [await t.session(), await t.session()];
        const turns = [];
        for (const session of sessions) turns.push(await t.prompt(session));
        for (const number of [1, 2]) {
          for (const [index, turn] of turns.entries()) turn.update(says(`${"ab"[index]}${number} `));
          t.update("no-such-session", says("c "));
        }
        for (const turn of turns) {
          turn.end();
          await t.require("ACP-UPDATE-015", turn.done);
        }
        for (const [index, session] of sessions.entries()) {
          const expected = ["a1 a2 ", "b1 b2 "][index];
          const { text: actual } = await t.report(session);
          t.needs(typeof actual === "string", "the client does not report the text of a session");
          t.check("ACP-UPDATE-015", actual === expected, { expected, actual });
        }
      },
    },
    "update.plan": {
      title: "the agent sends a plan, and then a shorter one",
      emits: ["ACP-PLAN-002"],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        const entries = ["Look", "Change", "Test"].map((content) => ({ content, priority: "high", status: "pending" }));
        const last = [{ ...entries[0], status: "completed" }, entries[2]];
        for (const plan of [entries, last]) turn.update({ sessionUpdate: "plan", entries: plan });
        turn.end();
        await turn.done;
        const { plan } = await t.report(session);
        if (!Array.isArray(plan)) t.notApplicable("the client does not report plans");
        t.check("ACP-PLAN-002", matches(plan, last), { expected: last, actual: plan });
      },
    },
    "update.tools": {
      title: "tools end in different ways, with bare output and with wrapped output",
      emits: ["ACP-UPDATE-016", "ACP-UPDATE-019"],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        turn.update(begins("bare"));
        t.update(session.id, goesOn("bare", { status: "completed", content: [text("the bare output")] }));
        turn.update(begins("wrapped"));
        const wrapped = ["the wrapped output", "and more of it"];
        turn.update(goesOn("wrapped", { content: wrapped.map((one) => ({ type: "content", content: text(one) })) }));
        turn.update(goesOn("wrapped", { status: "failed" }));
        turn.update(goesOn("wrapped", { locations: [] }));
        turn.update(begins("running"));
        turn.end();
        await turn.done;
        const { toolCalls } = await t.report(session);
        if (!Array.isArray(toolCalls)) t.notApplicable("the client does not report tool calls");
        const find = (id: string): Json =>
          (toolCalls as unknown[]).filter(isObject).find(({ toolCallId }) => toolCallId === id) ?? {};
        const expected = { bare: "completed", wrapped: "failed", running: "in_progress" };
        const right = Object.entries(expected).every(([id, status]) => find(id)["status"] === status);
        t.check("ACP-UPDATE-019", right, { expected, actual: toolCalls });
        const output = ["bare", "wrapped"].map((id) => find(id)["text"]);
        const shown =
          String(output[0]).includes("the bare output") && wrapped.every((one) => String(output[1]).includes(one));
        t.check("ACP-UPDATE-016", shown, { expected: "the output of both tools", actual: output });
      },
    },
    "update.output-stays": {
      title: "a tool reports its output, then its status, then its places",
      emits: ["ACP-UPDATE-023"],
      async run(t) {
        const session = await t.session();
        const turn = await t.prompt(session);
        turn.update(begins("call-1"));
        turn.update(goesOn("call-1", { content: [{ type: "content", content: text("the only output") }] }));
        turn.update(goesOn("call-1", { status: "completed" }));
        turn.update(goesOn("call-1", { locations: [] }));
        turn.end();
        await turn.done;
        const { toolCalls } = await t.report(session);
        if (!Array.isArray(toolCalls)) t.notApplicable("the client does not report tool calls");
        const shown = (toolCalls as unknown[]).filter(isObject).map((call) => call["text"]);
        t.needs(
          shown.every((one) => typeof one === "string"),
          "the client does not report the output of tool calls",
        );
        t.check("ACP-UPDATE-023", shown.join("").includes("the only output"), {
          expected: "the only output",
          actual: toolCalls,
        });
      },
    },
  }),
];
