import { isObject } from "@editwire/core";
import { type Mutant, mutant, type Patch } from "../core/mutant.js";
import { type CutFrame, FrameCutter } from "../wire/framing.js";
import type { CallFacts } from "./calls.js";
import { type Json, methodsOfKind, slug } from "./facts.js";
import type { NotificationFacts } from "./notifications.js";
import type { RpcFacts } from "./rpc-facts.js";

/** What a mutant makes of a message that it reads: it takes it, takes another one, overlooks it, or gives up. */
export type Taken = Json | "take" | "overlook" | "give up";

/**
 * A reader for references whose mutants differ in what they make of messages. It gives bytes that are no message where
 * the mutant gives up.
 */
export function readerOf(take: (message: Json) => Taken): () => { push(chunk: Uint8Array): CutFrame[] } {
  return () => {
    const cutter = new FrameCutter();
    return {
      push: (chunk) =>
        cutter.push(chunk).flatMap((cut): CutFrame[] => {
          if (!cut.ok || !isObject(cut.message)) return [cut];
          const taken = take(cut.message);
          if (taken === "overlook") return [];
          if (taken === "give up") return [{ ok: false, problem: "what the mutant dies of", excerpt: "" }];
          return [taken === "take" ? cut : { ...cut, message: taken }];
        }),
    };
  };
}

/** The facts about targets that differ in what they make of messages, and how a reference is made one. */
export interface TakingFacts {
  readonly notifications: NotificationFacts;
  readonly answers: RpcFacts;
  readonly calls: CallFacts;
  /** The switches of the reference with which it takes messages in another way. */
  patch(take: (message: Json) => Taken): Patch;
  /** The method of the request that shows that the target answers. Default: `_conformance/alive`. */
  readonly alive?: string | undefined;
  /** The switches with which it believes every result, and with which a malformed one never ends its call. */
  readonly results: { readonly believed: Patch; readonly awaited: Patch };
}

const isRequest = (message: Json): boolean => "method" in message && "id" in message;
const isNotification = (message: Json): boolean => "method" in message && !("id" in message);

/** Targets that are broken in what they make of messages which nobody should send, or not in this way. */
export function takingMutants({ alive = "_conformance/alive", ...facts }: TakingFacts): readonly Mutant[] {
  const { notifications, answers, calls, patch, results } = facts;
  const { prefix, table, peer, requirements, judges = () => true } = answers;
  const known = methodsOfKind(table, peer, "notification").filter((method) => judges(method));
  const asked = methodsOfKind(table, peer, "request").filter((method) => judges(method));
  const isMalformed = (message: Json, { isValid }: Pick<RpcFacts, "isValid">): boolean =>
    typeof message["method"] === "string" && !isValid(message["method"], message["params"]);
  const one = (name: string, violates: readonly string[], take: (message: Json) => Taken, rest: Partial<Mutant> = {}) =>
    mutant(`${prefix}/${name}`, { ...rest, violates, patch: patch(take) });
  return [
    ...known
      .filter((method) => notifications.examples(method).length > 0)
      .map((method) =>
        one(
          `dies-of-malformed-${slug(method)}`,
          [notifications.survives],
          (message) =>
            isNotification(message) && message["method"] === method && isMalformed(message, notifications)
              ? "give up"
              : "take",
          { cases: [`${prefix}.malformed-notification.*`] },
        ),
      ),
    one(
      "dies-of-requests-without-an-id",
      [requirements.lives],
      (message) =>
        isNotification(message) && [...asked, "$/cancelRequest"].includes(String(message["method"]))
          ? "give up"
          : "take",
      { cases: [`${prefix}.notified.*`] },
    ),
    one(
      "overlooks-notifications-with-an-id",
      [requirements.once],
      (message) => (isRequest(message) && known.includes(String(message["method"])) ? "overlook" : "take"),
      { cases: [`${prefix}.requested.*`] },
    ),
    ...(asked.length === 0
      ? []
      : [
          one(
            "overlooks-malformed-requests",
            [requirements.answered],
            (message) =>
              isRequest(message) && asked.includes(String(message["method"])) && isMalformed(message, answers)
                ? "overlook"
                : "take",
            {
              cases: [`${prefix}.malformed.*`],
              collateral: [requirements.refused ?? requirements.answered, requirements.lives],
            },
          ),
        ]),
    mutant(`${prefix}/overlooks-answers-that-are-late`, {
      violates: [calls.requirements.survives],
      cases: [`${prefix}.answered.late.*`],
      patch: () => {
        let waited = false;
        return patch((message) => {
          const taken = waited && !("method" in message) ? "overlook" : "take";
          waited = message["method"] === alive;
          return taken;
        });
      },
    }),
    mutant(`${prefix}/waits-behind-malformed-results`, {
      violates: [calls.requirements.survives],
      cases: [`${prefix}.answered.malformed.*`],
      patch: results.awaited,
    }),
    mutant(`${prefix}/believes-malformed-results`, {
      violates: [calls.requirements.reported],
      cases: [`${prefix}.answered.malformed.*`],
      patch: results.believed,
    }),
  ];
}
