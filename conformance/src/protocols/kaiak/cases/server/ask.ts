import type { Case } from "../../../../core/run/case.js";
import { defineCases, type ServerContext, type TestRun } from "../../server-role.js";

const header = { needs: ["ask"] } as const;
const QUIET_MS = 200;

/** A run that has asked a question, and the question's id. */
async function asked(t: ServerContext, args: Record<string, unknown> = {}): Promise<{ run: TestRun; id: unknown }> {
  await t.configured();
  const run = t.run(t.say("ask", args));
  const { params } = await run.stream("user_interaction");
  return { run, id: (params["content"] as Record<string, unknown>)["interaction_id"] };
}

/** The ways to answer, by the requirement that each is. */
const ways: Readonly<
  Record<string, readonly [req: string, method: string, params: (run: TestRun, id: unknown) => unknown]>
> = {
  respond: [
    "KAIAK-ASK-001",
    "kaiak/interaction/respond",
    (_run, interaction_id) => ({ interaction_id, response_type: "choice", response_data: { response: "approve" } }),
  ],
  "user-message": [
    "KAIAK-ASK-002",
    "kaiak/client/user_message",
    ({ session }, request_id) => ({
      session_id: session,
      kind: "tool_confirmation",
      timestamp: "2026-01-05T10:00:00Z",
      payload: { request_id, action: "allow_once" },
    }),
  ],
};

/** Questions to the user, and their answers. */
export const askCases: readonly Case[] = [
  ...Object.entries(ways).flatMap(([name, [req, method, params]]) =>
    defineCases(
      {
        [`ask.${name}`]: {
          title: `a question is answered with ${method}`,
          emits: [req],
          async run(t) {
            const { run, id } = await asked(t);
            await t.require(req, t.send.request(method, params(run, id)).result());
            await t.require(req, run.stream("ai_response", { text: /^answer: (approve|allow_once)$/ }));
            await t.require(req, run.ended());
          },
        },
      },
      header,
    ),
  ),
  ...defineCases(
    {
      "ask.waits": {
        title: "a run waits for the answer",
        emits: ["KAIAK-ASK-007"],
        async run(t) {
          const { run, id } = await asked(t);
          const before = run.notes("ai_response").length;
          await t.require("KAIAK-ASK-007", t.quiet(QUIET_MS, { message: { id: run.id } }));
          const since = run.notes("ai_response").slice(before);
          t.check("KAIAK-ASK-007", since.length === 0, {
            expected: "nothing between the question and its answer",
            actual: since,
          });
          await t.respond(id, "deny").response();
          await run.ended();
        },
      },
    },
    header,
  ),
  ...defineCases({
    "ask.unknown": {
      title: "an answer to an unknown question is refused",
      emits: ["KAIAK-ASK-003"],
      async run(t) {
        await t.configured();
        await t.require("KAIAK-ASK-003", t.respond("no-such-interaction", "approve").error(-32009));
      },
    },
  }),
  ...defineCases(
    {
      "ask.twice": {
        title: "a second answer is refused",
        emits: ["KAIAK-ASK-004"],
        async run(t) {
          const { run, id } = await asked(t);
          await t.respond(id, "deny").result();
          await t.require("KAIAK-ASK-004", t.respond(id, "approve").error(-32010));
          await run.ended();
        },
      },
      "ask.three": {
        title: "of three open questions, the one that an answer names is answered",
        emits: ["KAIAK-ASK-001"],
        async run(t) {
          const [first, second, third] = [await asked(t), await asked(t), await asked(t)];
          for (const { run, id } of [second, third, first]) {
            await t.respond(id, "approve").result();
            await t.require("KAIAK-ASK-001", run.stream("ai_response", { text: "answer: approve" }));
            await run.ended();
          }
        },
      },
      "ask.no-option": {
        title: "an answer that is not an option is refused",
        emits: ["KAIAK-ASK-005"],
        async run(t) {
          const { run, id } = await asked(t);
          await t.require("KAIAK-ASK-005", t.respond(id, "perhaps").error(-32011));
          await t.require("KAIAK-ASK-005", t.respond(id, "approve").result());
          await t.require("KAIAK-ASK-005", run.stream("ai_response", { text: "answer: approve" }));
          await run.ended();
        },
      },
      "ask.default": {
        title: "an unanswered question takes its default, and a later answer is too late",
        emits: ["KAIAK-ASK-006", "KAIAK-ASK-004"],
        async run(t) {
          const { run, id } = await asked(t, { timeout: 1 });
          const answer = run.stream("ai_response", { text: "answer: deny" }, { deadline: 10_000 });
          await t.require("KAIAK-ASK-006", answer);
          await t.require("KAIAK-ASK-006", run.ended());
          await t.require("KAIAK-ASK-004", t.respond(id, "approve").error(-32010));
        },
      },
    },
    header,
  ),
];
