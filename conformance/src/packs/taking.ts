import { isObject } from "@editwire/core";
import { type Mutant, mutant, type Patch } from "../core/mutant.js";
import { type CutFrame, FrameCutter } from "../wire/framing.js";
import type { CallFacts } from "./calls.js";
import { type Json, methodsOfKind, slug } from "./facts.js";
import type { NotificationFacts } from "./notifications.js";
import type { RpcFacts } from "./rpc-facts.js";

/** The way in which a mutant reads a message: it takes it, takes another one, overlooks it, or gives up. */
export type Taken = Json | "take" | "overlook" | "give up";

/** The problem of the bytes that stand for a message which a mutant dies of. */
export const GIVES_UP = "what the mutant dies of";

/**
 * A reader for references whose mutants differ in how they read messages. Where the mutant gives up, it returns bytes
 * that are not a message.
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
          if (taken === "give up") return [{ ok: false, problem: GIVES_UP, excerpt: "" }];
          return [taken === "take" ? cut : { ...cut, message: taken }];
        }),
    };
  };
}

/** The facts about targets that differ in what they make of messages, and how a reference is made one. */
export interface TakingFacts {
  /** Absent: no notification is for the target. */
  readonly notifications?: NotificationFacts | undefined;
  readonly answers: RpcFacts;
  /** Absent: the target sends no requests. */
  readonly calls?: CallFacts | undefined;
  /** The switches of the reference with which it takes messages in another way. */
  patch(take: (message: Json) => Taken): Patch;
  /** The method of the request that shows that the target answers. Default: `_conformance/alive`. */
  readonly alive?: string | undefined;
  /** The switches with which it believes every result, and with which a malformed one never ends its call. */
  readonly results?: { readonly believed: Patch; readonly awaited: Patch } | undefined;
}

const isRequest = (message: Json): boolean => "method" in message && "id" in message;
const isNotification = (message: Json): boolean => "method" in message && !("id" in message);

/** The methods of one kind that the target is judged by. */
const judged = ({ table, peer, judges = () => true }: RpcFacts, kind: "request" | "notification"): readonly string[] =>
  methodsOfKind(table, peer, kind).filter((method) => judges(method));

/** Says whether a message is one of some methods with params that are wrong. */
const isMalformed = (message: Json, methods: readonly string[], { isValid }: Pick<RpcFacts, "isValid">): boolean => {
  const { method, params } = message;
  return typeof method === "string" && methods.includes(method) && !isValid(method, params);
};

/** Targets that are broken in what they make of messages which nobody should send, or not in this way. */
export function takingMutants(facts: TakingFacts): readonly Mutant[] {
  return [...messageMutants(facts), ...answerMutants(facts)];
}

/** How a mutant is made of its name, what it violates, the cases that notice it, and what it makes of messages. */
type Make = (name: string, violates: string, cases: string, take: (message: Json) => Taken) => Mutant;

/** Targets that die of malformed notifications of one method each. */
function deadly(facts: NotificationFacts, known: readonly string[], one: Make): readonly Mutant[] {
  return known
    .filter((method) => facts.ends?.includes(method) !== true && facts.examples(method).length > 0)
    .map((method) =>
      one(`dies-of-malformed-${slug(method)}`, facts.survives, "malformed-notification", (message) =>
        isNotification(message) && isMalformed(message, [method], facts) ? "give up" : "take",
      ),
    );
}

function messageMutants({ notifications, answers, calls, patch }: TakingFacts): readonly Mutant[] {
  const { prefix, requirements } = answers;
  const known = judged(answers, "notification");
  const asked = judged(answers, "request");
  const one: Make = (name, violates, cases, take) =>
    mutant(`${prefix}/${name}`, {
      violates: [violates],
      collateral: [requirements.refused, requirements.inside, requirements.lives].filter((req) => req !== undefined),
      cases: [`${prefix}.${cases}.*`],
      patch: patch(take),
    });
  return [
    ...(notifications === undefined ? [] : deadly(notifications, known, one)),
    // Of a target that sends requests, the answers to them are judged.
    ...(calls === undefined
      ? [
          one("dies-of-stray-answers", requirements.lives, "stray", (message) =>
            "method" in message ? "take" : "give up",
          ),
        ]
      : []),
    one("dies-of-requests-without-an-id", requirements.lives, "notified", (message) =>
      isNotification(message) && [...asked, "$/cancelRequest"].includes(String(message["method"])) ? "give up" : "take",
    ),
    ...(known.length === 0
      ? []
      : [
          one("overlooks-notifications-with-an-id", requirements.once, "requested", (message) =>
            isRequest(message) && known.includes(String(message["method"])) ? "overlook" : "take",
          ),
        ]),
    ...(asked.length === 0
      ? []
      : [
          one("overlooks-malformed-requests", requirements.answered, "malformed", (message) =>
            isRequest(message) && isMalformed(message, asked, answers) ? "overlook" : "take",
          ),
        ]),
  ];
}

function answerMutants({ answers, calls, patch, results, alive = "_conformance/alive" }: TakingFacts): Mutant[] {
  if (calls === undefined || results === undefined) return [];
  const { prefix } = answers;
  const { survives, reported } = calls.requirements;
  const malformed = [`${prefix}.answered.malformed.*`];
  return [
    mutant(`${prefix}/overlooks-answers-that-are-late`, {
      violates: [survives],
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
      violates: [survives],
      cases: malformed,
      patch: results.awaited,
    }),
    mutant(`${prefix}/believes-malformed-results`, {
      violates: [reported],
      cases: malformed,
      patch: results.believed,
    }),
  ];
}
