import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { mutant, type Mutant } from "../core/mutant.js";
import { type Json, methodsOfKind, needsCapability, slug } from "./facts.js";
import type { OutgoingPatch } from "./mutants.js";
import type { RpcFacts } from "./rpc-facts.js";

/** Answers that nobody waits for: late, doubled, or made up. */
const strays: Readonly<Record<string, (id: unknown) => Json>> = {
  result: (id) => ({ jsonrpc: "2.0", id, result: {} }),
  "null-result": (id) => ({ jsonrpc: "2.0", id, result: null }),
  error: (id) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "not now", data: [null] } }),
  both: (id) => ({ jsonrpc: "2.0", id, result: {}, error: { code: -32603, message: "not now" } }),
  "null-id": () => ({ jsonrpc: "2.0", id: null, result: {} }),
  "text-id": () => ({ jsonrpc: "2.0", id: "no-such-request", result: {} }),
};

/** Answers to no request of the target's, twice each. Nobody answers them, and the target goes on. */
export function strayAnswerCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { lives } = facts.requirements;
  return Object.entries(strays).map(([name, make]) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.stray.${name}`,
        role: facts.role,
        title: `an answer without a pending request: ${name.replaceAll("-", " ")}`,
        emits: [lives],
      },
      async (t) => {
        await facts.ready(t);
        const message = make(t.conversation.freshId());
        t.send.invalid(message);
        t.send.invalid(message);
        await t.require(lives, facts.alive(t));
      },
    ),
  );
}

/** Every request twice at once, with the same params: both are answered. */
export function twiceAtOnceCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { lives } = facts.requirements;
  const { first, ends, turns = [] } = facts;
  const methods = methodsOfKind(facts.table, facts.peer, "request").filter(
    (method) => ![...first, ...ends, ...turns].includes(method) && facts.judges?.(method) !== false,
  );
  return methods.map((method) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.at-once.${slug(method)}`,
        role: facts.role,
        title: `${method} twice at once`,
        emits: [lives],
      },
      async (t) => {
        await needsCapability(t, facts, method);
        await facts.ready(t);
        const params = await facts.params(t, method);
        const calls = [params, params].map((one) => t.send.request(method, one));
        for (const call of calls) await t.require(lives, call.response());
        await t.require(lives, facts.alive(t));
      },
    ),
  );
}

/** Targets that answer one of two requests which are alike. */
export function atOnceMutants(
  { prefix, requirements }: RpcFacts,
  patch: OutgoingPatch,
  collateral: readonly string[] = [],
): readonly Mutant[] {
  return [
    mutant(`${prefix}/answers-one-of-two`, {
      violates: [requirements.lives],
      collateral: [requirements.answered, ...collateral],
      cases: [`${prefix}.at-once.*`],
      patch: () => {
        let before: string | undefined;
        return patch((message) => {
          if ("method" in message) return [message];
          const { id: _id, ...answer } = message;
          const isSame = JSON.stringify(answer) === before;
          before = isSame ? undefined : JSON.stringify(answer);
          return isSame ? [] : [message];
        });
      },
    }),
  ];
}
