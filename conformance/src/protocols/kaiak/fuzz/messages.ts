import { isObject, methodsOf } from "@editwire/core";
import { kaiak } from "@editwire/kaiak-schema";
import * as fc from "fast-check";
import { workspace } from "../../../core/run/workspace.js";
import { type Known, mutate, mutation } from "../../../fuzz/arbitrary.js";
import { answers, messagesOf, strays } from "../../../fuzz/json-rpc.js";
import { some } from "../../../fuzz/messages.js";
import { SESSION } from "../../../fuzz/placeholders.js";
import type { FuzzStep } from "../../../fuzz/suite.js";
import { carrier } from "../envelope.js";
import { table } from "../table.js";

/** Values that a peer can act on without harm: no other directory, no text that asks for work. */
const known: Known = {
  session_id: fc.constant(SESSION),
  working_dir: fc.constant(workspace),
  message: fc.constantFrom("Say ok.", "Say ok. \u00e4\ud83d\ude00", "Say ok.\u2028Say ok."),
  interaction_id: fc.constant("no-such-interaction"),
  timestamp: fc.constant("2025-12-24T10:30:00Z"),
  max_processing_time: fc.constant(30),
};

/** Puts a command into `workspace/executeCommand`, whose params are changed now and then. */
function carried(one: fc.Arbitrary<FuzzStep>): fc.Arbitrary<FuzzStep> {
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(mutation, { minLength: 1, maxLength: 2 }),
  );
  return fc.tuple(one, changes).map(([step, list]) => {
    const { message } = step;
    if (!isObject(message) || typeof message["method"] !== "string") return step;
    const { params, ...head } = message;
    const body: unknown = { command: head["method"], arguments: params === undefined ? [] : [params] };
    return { ...step, message: { ...head, method: carrier, params: list.reduce(mutate, body) } };
  });
}

const whole = methodsOf(table).map(([method]) => method);
const commands = messagesOf({ table, role: "client", known, without: [], whole });

/** A few messages in a row, for a server. */
export const serverMessages = some(...commands.map(carried), ...commands.slice(0, 1), strays);

/**
 * A few messages in a row, for a client: notifications of a run, the unstated ones too, and the answer to its request.
 */
export const clientMessages = some(
  ...messagesOf({ table: kaiak, role: "server", known, without: [], whole: [] }),
  strays,
  answers({ request_id: "req-1", session_id: SESSION, status: "completed", incident_count: 1, completed_at: "x" }),
);
