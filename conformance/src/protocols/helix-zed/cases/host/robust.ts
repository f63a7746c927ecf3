import type { Case } from "../../../../core/run/case.js";
import { ExpectationError } from "../../../../core/errors.js";
import { type TaggedExample, type TaggedFacts, taggedCases } from "../../../../packs/tagged.js";
import { accept } from "../../accept.js";
import type { HostTurn } from "../../as-agent.js";
import { defineCases, type HostContext } from "../../host-role.js";
import { sampleParams, takesParams } from "../../samples.js";
import { table } from "../../table.js";
import { addedEvent, seconds } from "./read.js";
import { fits, tells } from "./reported.js";

type Json = Record<string, unknown>;
const role = "host";
const hello = "Hello!";
/** A text that only wrong events contain. */
const odd = "Not for anybody.";

/** The turns that wrong events are about, and one of somebody else beside each. */
const turns = new WeakMap<HostContext, HostTurn[]>();

async function begin(t: HostContext): Promise<HostTurn> {
  const turn = await t.chat(t.session());
  turn.created();
  turns.set(t, [...(turns.get(t) ?? []), turn]);
  return turn;
}

/** Every turn goes on to its end, without an error, and the host works. */
async function works(t: HostContext): Promise<void> {
  const state = "complete";
  for (const turn of turns.get(t)?.splice(0) ?? []) {
    turn.answer(hello);
    await turn.done;
    const report = await t.eventually(turn.session, (one) => fits(one, turn, { state }));
    if (!fits(report, turn, { state }))
      throw new ExpectationError("mismatch", "another end", { expected: state, actual: report.interactions });
  }
  await t.works();
}

/** An event of an agent; one that real agents write in another form is not wrong. */
const example = (method: string): TaggedExample => ({
  method,
  params: sampleParams(method),
  isValid: (params) => takesParams(method, accept(method, "params", params)),
});

const facts: TaggedFacts<HostContext> = {
  prefix: "helix-zed.host",
  role,
  peer: "agent",
  table,
  requirements: {
    frames: "HELIX-READ-003",
    types: "HELIX-READ-002",
    bodies: "HELIX-READ-003",
    more: "HELIX-READ-006",
  },
  tag: "event_type",
  body: "data",
  unknown: { older: "message_updated" },
  examples: Object.fromEntries(
    ["message_added", "message_completed", "context_created"].map((name) => [name, example(name)]),
  ),
  message(event_type, params) {
    const { session_id, ...data } = params as Json;
    return { session_id, event_type, data };
  },
  async prepare(t) {
    await begin(t);
    const { session, thread, requestId } = await begin(t);
    return {
      session_id: session,
      helix_session_id: session,
      acp_thread_id: thread,
      message_id: `other_${requestId}`,
      request_id: requestId,
      content: odd,
      timestamp: seconds(),
    };
  },
  async handled(t, message) {
    const turn = turns.get(t)?.pop();
    if (turn === undefined) throw new TypeError("no turn was prepared");
    t.send.invalid(message);
    if (message["event_type"] === "message_added")
      await tells(t, "HELIX-READ-006", turn, { state: "waiting", response: odd });
    if (message["event_type"] !== "message_completed") turn.answer(hello);
    await turn.done;
    await works(t);
  },
  works,
  async said(t, { session_id }) {
    const { interactions = [] } = await t.report(String(session_id));
    return interactions.map(({ response }) => response).filter((response) => String(response).includes(odd));
  },
};

/** Faults that breaking an event does not cover: empty texts, nulls in place of ids, and a root with a time. */
const wrong: Readonly<Record<string, (turn: HostTurn) => unknown>> = {
  "no-thread": (turn) => addedEvent(turn, "Nobody's.", { acp_thread_id: undefined, message_id: undefined }),
  "ids-null": () => ({
    session_id: null,
    event_type: "message_completed",
    data: { acp_thread_id: null, message_id: null, request_id: null },
  }),
  // Real hosts have a text there, and close the connection.
  "root-timestamp": (turn) => addedEvent(turn, "Not by the clock.", {}, { timestamp: seconds() }),
};

const wrongCases = Object.entries(wrong).flatMap(([name, event]) =>
  defineCases({
    [`wrong.${name}`]: {
      title: `an invalid event does not disturb other sessions: ${name}`,
      emits: ["HELIX-READ-003"],
      async run(t) {
        await begin(t);
        t.send.invalid(event(await begin(t)));
        await t.require("HELIX-READ-003", works(t));
      },
    },
  }),
);

/** Cases about events that a host must survive. */
export const robustCases: readonly Case[] = [...taggedCases(facts), ...wrongCases];
