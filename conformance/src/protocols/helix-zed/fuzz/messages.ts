import * as fc from "fast-check";
import type { Known } from "../../../fuzz/arbitrary.js";
import { some } from "../../../fuzz/messages.js";
import { LONG, PROMPT, SESSION, TEXT_ID, THREAD } from "../../../fuzz/placeholders.js";
import type { FuzzStep } from "../../../fuzz/suite.js";
import { taggedMessages } from "../../../fuzz/tagged.js";
import { table } from "../table.js";

/** Most ids are known to the receiver. */
const idOf = (known: unknown, ...others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(known) }, fc.constantFrom(...others));

/** A text is hardly ever too long for one piece. */
const text = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom("Say ok.", "Say ok. \u00e4\ud83d\ude00", "Say ok.\u2028Say ok.") },
  fc.constant(LONG),
);

/** Harmless values for messages of hosts: no text asks for work. */
const toAgents: Known = {
  helix_session_id: fc.constant(SESSION),
  acp_thread_id: fc.oneof(fc.constant(null), idOf(THREAD, "thread-of-nobody", "")),
  request_id: fc.constant(TEXT_ID),
  message: text,
  agent_name: fc.constant("zed-agent"),
};

const toHosts: Known = {
  session_id: idOf(SESSION, "ses-of-nobody", ""),
  helix_session_id: idOf(SESSION, "ses-of-nobody"),
  acp_thread_id: idOf(THREAD, "thread-of-nobody", ""),
  request_id: idOf(PROMPT, "req-of-nobody", ""),
  message_id: fc.constantFrom("ai_msg_fuzz", "ai_msg_other", "0"),
  content: text,
  chunk: text,
  context_id: idOf(THREAD, "thread-of-nobody"),
};

const garbage = fc.constantFrom(
  "this is not JSON",
  "",
  "null",
  "[]",
  '{"type":"chat_message","data":{"message":',
  "\ufeff{}",
  "{}{}",
  "[".repeat(2_000),
);

/** Frames that hold no message, and now and then the loss of the connection. */
const oddities = (...losses: readonly string[]): fc.Arbitrary<FuzzStep> =>
  fc.oneof(
    { weight: 2, arbitrary: garbage.map((frame) => ({ do: "text", text: frame })) },
    { weight: 2, arbitrary: garbage.map((frame) => ({ do: "binary", text: frame })) },
    { weight: 2, arbitrary: fc.constant({ do: "again" }) },
    fc.constantFrom(...losses).map((loss) => ({ do: loss })),
  );

const fromHost = taggedMessages({
  table,
  role: "host",
  known: toAgents,
  without: [],
  tag: "type",
  body: "data",
  beside: [],
});
const fromAgent = taggedMessages({
  table,
  role: "agent",
  known: toHosts,
  without: [],
  tag: "event_type",
  body: "data",
  beside: ["session_id"],
});

/**
 * A few messages in a row, for an agent. Some come twice, some are not messages, and some come after the connection is
 * lost.
 */
export const agentMessages = some(...fromHost, oddities("drop"));
/**
 * A few messages in a row, for a host: events of a turn and its threads, in any order, also twice, on one connection or
 * several.
 */
export const hostMessages = some(...fromAgent, ...Array.from({ length: 3 }, () => oddities("drop", "redial")));
