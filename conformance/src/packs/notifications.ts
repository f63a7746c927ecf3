import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { breakages } from "../generate/broken.js";
import { type Json, methodsOfKind, type PackFacts, slug } from "./facts.js";

/** A client's action lasts until all wrong messages were sent, and the client has answered after each of them. */
const DEADLINE_MS = 20_000;

/** A place in which notifications mean something, such as a turn that runs. */
export interface Scene {
  /** Makes params about what is there. */
  adapt(params: Readonly<Json>): Json;
  /** Shows that the target goes on, and that it can finish what runs. */
  finish(): Promise<void>;
}

/** Facts about a protocol with which the packs judge how a target treats notifications. */
export interface NotificationFacts<T extends CaseContext = CaseContext>
  extends Pick<PackFacts<T>, "prefix" | "role" | "table"> {
  /** The role that the suite plays. */
  readonly peer: string;
  /** The target goes on after a notification with malformed params. */
  readonly survives: string;
  /** Messages that end the target, which no case sends in another form. Default: none. */
  readonly ends?: readonly string[] | undefined;
  /** Valid params of a method, with everything that may be broken in them. */
  examples(method: string): readonly Readonly<Json>[];
  isValid(method: string, params: unknown): boolean;
  /** The difference between an example and the others of its method, such as the kind of an update. */
  kindOf?(example: Readonly<Json>): string | undefined;
  /** The behaviors that the scene needs. Default: none. */
  readonly needs?: readonly string[] | undefined;
  scene(t: T): Promise<Scene>;
  /** Shows that the target still answers, while the scene goes on. */
  alive(t: T): Promise<void>;
}

/** Values that are not params: of another type, or absent. */
const noParams: readonly (readonly [name: string, fields: Json])[] = [
  ["no params", {}],
  ["null as params", { params: null }],
  ["a text as params", { params: "1" }],
  ["an array as params", { params: [] }],
];

/** Every notification of the peer with params that are wrong at every depth; one case for each example of them. */
export function malformedNotificationCases<T extends CaseContext>(facts: NotificationFacts<T>): readonly Case[] {
  const { prefix, role, table, peer, survives, ends = [], needs } = facts;
  return methodsOfKind(table, peer, "notification")
    .filter((method) => !ends.includes(method))
    .flatMap((method) =>
      facts.examples(method).map((example, index, all) => {
        const kind = all.length === 1 ? undefined : (facts.kindOf?.(example) ?? String(index + 1));
        const name = kind === undefined ? slug(method) : `${slug(method)}.${slug(kind)}`;
        const again = index === firstOf(facts, all, index) ? "" : `-${index + 1}`;
        return defineCase<T>(
          {
            id: `${prefix}.malformed-notification.${name}${again}`,
            role,
            title: `${method} with params that are wrong at every depth${kind === undefined ? "" : `: ${kind}`}`,
            emits: [survives],
            needs,
            deadline: DEADLINE_MS,
          },
          (t) => sendAll(t, facts, method, example, index === 0),
        );
      }),
    );
}

/** The first example of the same kind. */
function firstOf<T extends CaseContext>(
  { kindOf }: NotificationFacts<T>,
  all: readonly Readonly<Json>[],
  index: number,
): number {
  const kind = kindOf?.(all[index] ?? {});
  return kind === undefined ? index : all.findIndex((one) => kindOf?.(one) === kind);
}

async function sendAll<T extends CaseContext>(
  t: T,
  facts: NotificationFacts<T>,
  method: string,
  example: Readonly<Json>,
  isFirst: boolean,
): Promise<void> {
  const { survives } = facts;
  const { adapt, finish } = await facts.scene(t);
  const valid = adapt(example);
  const ways = breakages((params) => facts.isValid(method, params), valid).map(
    ({ name, apply }): readonly [string, Json] => [name, { params: apply(valid) }],
  );
  const sent = t.conversation.envelope.notification(method, {});
  for (const [name, fields] of [...(isFirst ? noParams : []), ...ways]) {
    const { params: _params, ...rest } = isObject(sent) ? sent : {};
    t.note(`${method} with ${name}`);
    t.send.invalid({ ...rest, ...fields });
    await t.require(survives, facts.alive(t));
  }
  await t.require(survives, finish());
}
