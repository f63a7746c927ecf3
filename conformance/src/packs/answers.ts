import { methodOf } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { methodsOfKind, needsCapability, type PackFacts, slug } from "./facts.js";

/** The requests that no specification states: each is optional, and declared by a capability. */
export function unstatedRequests({ table }: Pick<PackFacts, "table">, from: string): readonly string[] {
  return methodsOfKind(table, from, "request").filter((method) => methodOf(table, method)?.spec === undefined);
}

/** The id of the case in which a request is answered. */
export const answerCaseId = ({ prefix }: Pick<PackFacts, "prefix">, method: string): string =>
  `${prefix}.answers.${slug(method)}`;

/**
 * One case for each request that the specification lacks: a target that declares its capability answers it.
 * `requirement` names the row of the registry.
 */
export function answerCases<T extends CaseContext>(
  facts: PackFacts<T>,
  from: string,
  requirement: (method: string) => string,
): readonly Case[] {
  return unstatedRequests(facts, from).map((method) =>
    defineCase<T>(
      {
        id: answerCaseId(facts, method),
        role: facts.role,
        title: `${method} is answered`,
        emits: [requirement(method)],
      },
      async (t) => {
        await needsCapability(t, facts, method);
        const params = await facts.params(t, method);
        const more = facts.optional?.(method) ?? {};
        await t.require(requirement(method), t.send.request(method, params).result());
        if (Object.keys(more).length > 0)
          await t.require(requirement(method), t.send.request(method, { ...params, ...more }).result());
      },
    ),
  );
}
