import { mutant, type Mutant, type Patch } from "../core/mutant.js";
import type { Json } from "./facts.js";
import type { RpcFacts } from "./rpc-facts.js";

/** The change that mutants of the packs make to the messages that a reference sends in one connection. */
export interface OutgoingPatch {
  /** Makes the switches of the reference that replace each message by others. */
  (outgoing: (message: Json) => readonly unknown[]): Patch;
}

const isAnswer = (message: Json): boolean => !("method" in message);

/** Drops answers by their id. */
const without =
  (drops: (id: unknown) => boolean) =>
  (message: Json): readonly unknown[] =>
    isAnswer(message) && drops(message["id"]) ? [] : [message];

/** Changes the ids of answers. */
const withId =
  (change: (id: unknown) => unknown) =>
  (message: Json): readonly unknown[] =>
    isAnswer(message) ? [{ ...message, id: change(message["id"]) }] : [message];

const dropped: Readonly<Record<string, (id: unknown) => boolean>> = {
  "zero-is-no-id": (id) => id === 0,
  "empty-is-no-id": (id) => id === "",
  "negative-is-no-id": (id) => typeof id === "number" && id < 0,
  "large-is-no-id": (id) => typeof id === "number" && id > 2 ** 31,
};

const changed: Readonly<Record<string, (id: unknown) => unknown>> = {
  "numeric-ids-as-numbers": (id) => (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id),
  "ids-in-lower-case": (id) => (typeof id === "string" ? id.toLowerCase() : id),
  "ids-without-blanks": (id) => (typeof id === "string" ? id.trim() : id),
  "ids-of-64-characters": (id) => (typeof id === "string" ? id.slice(0, 64) : id),
  "ids-without-fractions": (id) => (typeof id === "number" ? Math.trunc(id) : id),
  "ids-in-ascii": (id) => (typeof id === "string" ? id.replace(/[^ -~]/g, "?") : id),
};

/** Targets that know only some ids. `sameId` is the requirement that an answer has the id of its request. */
export function idMutants({ prefix, requirements }: RpcFacts, sameId: string, patch: OutgoingPatch): readonly Mutant[] {
  const cases = [`${prefix}.rpc.id-*`];
  return [
    ...Object.entries(dropped).map(([name, drops]) =>
      mutant(`${prefix}/${name}`, { violates: [requirements.anyId], cases, patch: patch(without(drops)) }),
    ),
    ...Object.entries(changed).map(([name, change]) =>
      mutant(`${prefix}/${name}`, {
        violates: [sameId],
        // The answer with the right id does not come, and the other id may be that of another request.
        collateral: [requirements.anyId, requirements.once, requirements.lives],
        cases,
        patch: patch(withId(change)),
      }),
    ),
    mutant(`${prefix}/one-id-for-two-types`, {
      violates: [requirements.anyId],
      cases,
      patch: () => {
        const seen = new Set<string>();
        return patch(without((id) => seen.size === seen.add(String(id)).size));
      },
    }),
  ];
}
