import { isObject } from "@editwire/core";
import type { Call } from "../core/talk/call.js";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { ExpectationError } from "../core/errors.js";
import { breakages } from "../generate/broken.js";
import { type Malformation, malformations } from "../generate/malformed.js";
import { type Json, methodsOfKind, needsCapability, slug } from "./facts.js";
import type { RpcFacts } from "./rpc-facts.js";

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/**
 * Every request with params that are wrong in one way each: no params, params of another type, and at every depth a
 * required field that is missing or of another type, and an array's item of another type.
 */
export function malformedCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  return methodsOfKind(facts.table, facts.peer, "request")
    .filter((method) => facts.judges?.(method) !== false)
    .filter((method) => !facts.ends.includes(method))
    .flatMap((method) => waysOf(facts, method).map((wrong) => malformedCase(facts, method, wrong)));
}

/** The time limit of a turn that should not have begun. */
const TURN_MS = 30_000;
/** The time limit of an answer after another one of its kind did not arrive. */
const NEXT_MS = 1_000;

/** One way in which the params of a method are wrong, and the valid params that it is made of. */
interface Wrong extends Malformation {
  readonly example: Readonly<Json>;
  /** Whether it is inside of a field. */
  readonly isInside: boolean;
}

function waysOf<T extends CaseContext>(facts: RpcFacts<T>, method: string): readonly Wrong[] {
  const isValid = (params: unknown): boolean => facts.isValid(method, params);
  const ways = new Map<string, Wrong>();
  // A client may choose one of the options that it can read, so it gets none.
  const place = facts.isRefusal === undefined ? amid : (_before: unknown, after: unknown) => after;
  for (const [index, example] of facts.examples(method).entries()) {
    if (index === 0)
      for (const one of malformations(isValid, example)) ways.set(one.name, { ...one, example, isInside: false });
    for (const { name, structured, required, apply } of breakages(isValid, example)) {
      if (!structured || !required || Object.keys(example).some((key) => isAtTop(name, key))) continue;
      const id = index === 0 ? name : `${index + 1}-${name}`;
      const says = `with ${name.replace(/-missing$/, " missing")}`;
      ways.set(id, {
        name: id,
        says,
        structured,
        apply: (params) => ({ params: place(params, apply(params)) }),
        example,
        isInside: true,
      });
    }
  }
  return [...ways.values()];
}

/** Puts an array's item that was changed between two as they were: a target may look at the first or the last only. */
function amid(before: unknown, after: unknown): unknown {
  if (isObject(before) && isObject(after))
    return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, amid(before[key], value)]));
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const [was, is] = [before as unknown[], after as unknown[]];
  return is.flatMap((item, index) => {
    const right = was[index];
    return JSON.stringify(item) === JSON.stringify(right) ? [item] : [right, amid(right, item), right];
  });
}

/** Says whether a breakage such as `cwd-missing` is that of a field itself. */
const isAtTop = (name: string, key: string): boolean =>
  name.startsWith(`${key}-`) && !name.slice(key.length + 1).includes("-");

/** The requirements that one way in which params are wrong is judged by. */
function judgedBy(facts: RpcFacts, method: string, { name, isInside }: Wrong) {
  const { exception, indifferent, uncoded } = facts;
  const { answered, refused, inside, coded, lives } = facts.requirements;
  const other = exception?.(method, name);
  if (isInside || indifferent.includes(method)) return { answered: lives, refused: other ?? inside, coded: undefined };
  return {
    answered: other ?? answered,
    refused: other ?? refused,
    coded: uncoded?.(method, name) === true ? undefined : coded,
  };
}

/** Says whether the target refuses a method with valid params, too, as one that it does not have. */
async function lacks<T extends CaseContext>(t: T, facts: RpcFacts<T>, method: string, example: Json): Promise<boolean> {
  const answer = await t.send.request(method, await facts.adapt(t, example)).response();
  return isObject(answer) && isObject(answer["error"]) && answer["error"]["code"] === METHOD_NOT_FOUND;
}

/**
 * The answer to a malformed request. A target that takes a wrong prompt as a right one answers it at the end of its
 * turn. When one request of a method was not answered in time, the suite waits less for the next ones.
 */
async function patiently(
  { known }: CaseContext,
  { turns = [] }: Pick<RpcFacts, "turns">,
  method: string,
  call: Call,
): Promise<unknown> {
  const cause = `malformed ${method}`;
  if (known.cause(cause) !== undefined) return call.response({ deadline: NEXT_MS });
  try {
    return await call.response(turns.includes(method) ? { deadline: TURN_MS } : {});
  } catch (error) {
    if (error instanceof ExpectationError && error.miss === "timeout")
      known.blame(cause, `the target does not answer every malformed ${method}`);
    throw error;
  }
}

function malformedCase<T extends CaseContext>(facts: RpcFacts<T>, method: string, wrong: Wrong): Case {
  const { name, says, structured, apply, example } = wrong;
  const { answered, refused, coded } = judgedBy(facts, method, wrong);
  return defineCase<T>(
    {
      id: `${facts.prefix}.malformed.${slug(method)}.${name}`,
      role: facts.role,
      title: `${method} ${says}`,
      emits: [...new Set([answered, refused, coded].filter((req) => req !== undefined))],
      // A second one may be refused for what it is, so this one has to be the first.
      ...(facts.first.includes(method) && { isolation: "unopened" }),
    },
    async (t) => {
      await needsCapability(t, facts, method);
      if (!facts.first.includes(method)) await facts.ready(t);
      const id = t.conversation.freshId();
      const call = t.send.invalid(
        t.conversation.envelope.request(id, method, apply(await facts.adapt(t, example)).params),
      );
      const response = patiently(t, facts, method, call);
      // A target that does not read such a message as a request answers with the id null.
      const unread = structured ? [] : [t.expect.message({ id: null, error: {} })];
      const answer = await t.require(answered, Promise.race([response, ...unread]));
      const error = isObject(answer) && isObject(answer["error"]) ? answer["error"] : undefined;
      const mayLack = error?.["code"] === METHOD_NOT_FOUND && facts.mayLack?.includes(method) === true;
      if (mayLack && (await lacks(t, facts, method, example))) t.notApplicable(`the target does not have ${method}`);
      if (refused !== undefined) {
        // The title of the case says how they are wrong: the message is the same for every form, so it is one cause.
        const message = `${method} with malformed params was not refused`;
        const result = isObject(answer) ? answer["result"] : undefined;
        const isRefused = error !== undefined || facts.isRefusal?.(result) === true;
        t.check(refused, isRefused, { message, expected: "an error", actual: answer });
      }
      if (coded !== undefined) {
        const others = facts.otherCodes?.(method) ?? [];
        const codes = [INVALID_PARAMS, ...others, ...(structured ? [] : [INVALID_REQUEST])];
        const isRight = error !== undefined && codes.some((code) => code === error["code"]);
        t.check(coded, isRight, { expected: `code ${codes.join(" or ")}`, actual: error ?? answer });
      }
      if (error === undefined) await facts.restore?.(t, method);
      await t.require(answered, facts.alive(t));
    },
  );
}
