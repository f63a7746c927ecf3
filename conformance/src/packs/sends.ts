import { methodOf, type Protocol } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { mutant, type Mutant, type Patch } from "../core/mutant.js";
import { breakages } from "../generate/broken.js";
import type { SchemaRequirement } from "../monitors/schema.js";
import { methodsOfKind, slug } from "./facts.js";

/** Facts about a protocol with which the packs make targets of a steered role send requests. */
export interface SenderFacts<T extends CaseContext = CaseContext> {
  /** The beginning of the cases' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  /** The role of the target. */
  readonly role: string;
  readonly table: Protocol;
  readonly requirement: SchemaRequirement;
  /** Valid params of a method, with all that may be broken in them. */
  example(method: string): unknown;
  /** Says whether params are valid, in any form that the target may write them in. */
  isValid(method: string, params: unknown): boolean;
  /** Has the target send a request with valid params, and waits until it is answered. */
  send(t: T, method: string): Promise<void>;
}

/** The id of the case in which a target sends a request. */
const sendCaseId = ({ prefix }: Pick<SenderFacts, "prefix">, method: string): string =>
  `${prefix}.sends.${slug(method)}`;

const unstated = ({ table, role }: SenderFacts): readonly string[] =>
  methodsOfKind(table, role, "request").filter((method) => methodOf(table, method)?.spec === undefined);

/** One case for each request of the role that the specification lacks: the target sends it with valid params. */
export function sendCases<T extends CaseContext>(facts: SenderFacts<T>): readonly Case[] {
  const { role, requirement } = facts;
  return unstated(facts).map((method) =>
    defineCase<T>(
      {
        id: sendCaseId(facts, method),
        role,
        title: `${method} is sent with valid params`,
        emits: [requirement(method, "params")],
      },
      async (t) => void (await t.require(requirement(method, "params"), facts.send(t, method))),
    ),
  );
}

/** How a reference breaks the params of its requests of one method. */
export interface SendBreaker extends Pick<Mutant, "profile" | "collateral"> {
  patch(method: string, change: (params: unknown) => unknown): Patch;
}

/** Targets that send such a request with one field missing or of another type each. */
export function sendMutants(facts: SenderFacts, { patch, ...rest }: SendBreaker): readonly Mutant[] {
  return unstated(facts).flatMap((method) =>
    breakages((params) => facts.isValid(method, params), facts.example(method))
      .filter(({ structured }) => structured)
      .map(({ name, apply }) =>
        mutant(`${facts.prefix}/wire-${slug(method)}-${name}`, {
          ...rest,
          violates: [facts.requirement(method, "params")],
          cases: [sendCaseId(facts, method)],
          patch: patch(method, apply),
        }),
      ),
  );
}
