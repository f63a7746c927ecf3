import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../core/case.js";
import type { CaseContext } from "../core/context.js";
import { breakages } from "../generate/broken.js";
import { type Malformation, malformations } from "../generate/malformed.js";
import { type Json, methodsOfKind, needsCapability, slug } from "./facts.js";
import { type RpcFacts, type RpcRequirements, START_MS } from "./rpc-facts.js";

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/**
 * Every request with params that are wrong in one way each: no params, params of another type, and at every depth a
 * required field that is missing or of another type, and an array's item of another type.
 */
export function malformedCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  return methodsOfKind(facts.table, facts.peer, "request")
    .filter((method) => !facts.ends.includes(method) && !facts.indifferent.includes(method))
    .flatMap((method) => waysOf(facts, method).map((wrong) => malformedCase(facts, method, wrong)));
}

/** One way in which the params of a method are wrong, and the valid params that it is made of. */
interface Wrong extends Malformation {
  readonly example: Readonly<Json>;
}

function waysOf<T extends CaseContext>(facts: RpcFacts<T>, method: string): readonly Wrong[] {
  const isValid = (params: unknown): boolean => facts.isValid(method, params);
  const examples = facts.examples(method);
  const ways = new Map<string, Wrong>();
  for (const [index, example] of examples.entries()) {
    const prefix = index === 0 ? "" : `${index + 1}-`;
    const top = index === 0 ? malformations(isValid, example) : [];
    const nested = breakages(isValid, example).filter(({ structured, required }) => structured && required);
    for (const one of [...top, ...nested.map(nestedMalformation)]) {
      const name = `${prefix}${one.name}`;
      if (!ways.has(name)) ways.set(name, { ...one, name, example });
    }
  }
  return [...ways.values()];
}

function nestedMalformation({ name, apply }: ReturnType<typeof breakages>[number]): Malformation {
  return {
    name,
    says: `with ${name.replace(/-missing$/, " missing")}`,
    structured: true,
    apply: (params) => ({ params: apply(params) }),
  };
}

function malformedCase<T extends CaseContext>(facts: RpcFacts<T>, method: string, wrong: Wrong): Case {
  const { name } = wrong;
  const { requirements, exception } = facts;
  const { answered, refused, coded } = requirements;
  const other = exception?.(method, name);
  return defineOne(facts, method, wrong, { answered: other ?? answered, refused: other ?? refused, coded });
}

function defineOne<T extends CaseContext>(
  facts: RpcFacts<T>,
  method: string,
  { name, says, structured, apply, example }: Wrong,
  { answered, refused, coded }: Pick<RpcRequirements, "answered" | "refused" | "coded">,
): Case {
  return defineCase<T>(
    {
      id: `${facts.prefix}.malformed.${slug(method)}.${name}`,
      role: facts.role,
      title: `${method} ${says}`,
      emits: [...new Set([answered, refused, coded])],
      // A second one may be refused for what it is, so this one has to be the first.
      ...(facts.first.includes(method) && { isolation: "connection", deadline: START_MS }),
    },
    async (t) => {
      await needsCapability(t, facts, method);
      if (!facts.first.includes(method)) await facts.ready(t);
      const id = t.conversation.freshId();
      const call = t.send.invalid({ jsonrpc: "2.0", id, method, ...apply(await facts.adapt(t, example)) });
      // A target that does not read such a message as a request answers with the id null.
      const unread = structured ? [] : [t.expect.message({ id: null, error: {} })];
      const answer = await t.require(answered, Promise.race([call.response(), ...unread]));
      const error = isObject(answer) && isObject(answer["error"]) ? answer["error"] : undefined;
      t.check(refused, error !== undefined, {
        message: `${method} ${says} was not refused`,
        expected: "an error",
        actual: answer,
      });
      const codes = structured ? [INVALID_PARAMS] : [INVALID_PARAMS, INVALID_REQUEST];
      t.check(coded, error !== undefined && codes.some((code) => code === error["code"]), {
        expected: `code ${codes.join(" or ")}`,
        actual: error ?? answer,
      });
      await t.require(answered, facts.alive(t));
    },
  );
}
