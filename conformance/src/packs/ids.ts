import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { ExpectationError } from "../core/errors.js";
import type { RpcFacts } from "./rpc-facts.js";

/** Ids of requests that JSON-RPC allows. */
const ids: Readonly<Record<string, string | number>> = {
  zero: 0,
  negative: -1,
  large: Number.MAX_SAFE_INTEGER,
  text: "bridge-shutdown",
  numeric: "77",
  "large and numeric": "123456789012345678901234567890",
  "in upper case": "ABC-DEF",
  empty: "",
  "not in ASCII": "ü 漢 😀",
  "between blanks": " 7 ",
  long: "x".repeat(300),
};

/** No answer came. An invalid one is a monitor's to judge, and ends the case. */
const nothing = (error: unknown): undefined => {
  if (!(error instanceof ExpectationError) || error.miss === "invalid") throw error;
  return undefined;
};

/** A request of a method that nobody knows, which is answered with an error. */
const unknown = "_conformance/unknown";

/** Whether a request is refused with an id of the suite, too: then a refusal says nothing of the id. */
async function refusesAnyway(t: CaseContext, method: string, params: unknown): Promise<boolean> {
  const id = t.conversation.freshId();
  const answer = await t.send
    .invalid(t.conversation.envelope.request(id, method, params))
    .response()
    .catch(nothing);
  return answer?.error !== undefined;
}

/**
 * JSON-RPC advises against ids with a fraction, so a target may refuse one, or not answer it. An answer with another id
 * is judged by the monitor of answers.
 */
const FRACTION = 4_503_599.5;
/** Milliseconds for its answer, which need not come. */
const FRACTION_MS = 500;

// The suite's own ids are numbers, too.
const headerOf = <T extends CaseContext>({ role, requirements }: RpcFacts<T>) =>
  ({ role, emits: [requirements.anyId], isolation: "rough", deadline: 2_000 }) as const;

/** An id of each kind; the one that is not in ASCII arrives in pieces. */
function kindsCase<T extends CaseContext>(facts: RpcFacts<T>): Case {
  const method = facts.simple ?? unknown;
  return defineCase<T>(
    {
      ...headerOf(facts),
      id: `${facts.prefix}.rpc.id-kinds`,
      title: "an answer has the id of its request, of any kind",
      // The id that is not in ASCII arrives in pieces.
      faults: ["split:characters"],
    },
    async (t) => {
      await facts.ready(t);
      const params = facts.simple === undefined ? {} : await facts.params(t, method);
      const refuses = await refusesAnyway(t, method, params);
      for (const [kind, id] of Object.entries(ids)) {
        const call = t.send.invalid(t.conversation.envelope.request(id, method, params));
        const answer = await call.response().catch(nothing);
        t.check(facts.requirements.anyId, answer !== undefined && (answer.error !== undefined) === refuses, {
          message: `an id that is ${kind}`,
          expected: `an answer to ${method} with the id ${JSON.stringify(id)}`,
          actual: answer,
        });
      }
    },
  );
}

/** Requests with ids of every kind, and two at a time with ids that differ in nothing but their type. */
export function idCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { anyId, lives } = facts.requirements;
  const method = facts.simple ?? unknown;
  const header = headerOf(facts);
  return [
    kindsCase(facts),
    defineCase<T>(
      { ...header, id: `${facts.prefix}.rpc.id-two-types`, title: 'the ids 77 and "77" are two ids' },
      async (t) => {
        await facts.ready(t);
        const params = facts.simple === undefined ? {} : await facts.params(t, method);
        const refuses = await refusesAnyway(t, method, params);
        const calls = [77, "77"].map((id) => t.send.invalid(t.conversation.envelope.request(id, method, params)));
        for (const call of calls) {
          if (refuses) await t.require(anyId, call.error());
          else await t.require(anyId, call.result());
        }
      },
    ),
    defineCase<T>(
      {
        ...header,
        emits: [lives],
        id: `${facts.prefix}.rpc.id-fraction`,
        title: "a request whose id has a fraction is answered with this id, or refused",
      },
      async (t) => {
        await facts.ready(t);
        const params = facts.simple === undefined ? {} : await facts.params(t, method);
        const { envelope } = t.conversation;
        await t.send
          .invalid(envelope.request(FRACTION, method, params))
          .response({ deadline: FRACTION_MS })
          .catch(nothing);
        await t.require(lives, facts.alive(t));
      },
    ),
  ];
}
