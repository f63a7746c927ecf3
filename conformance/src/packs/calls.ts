import { type Case, type CaseHeader, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { CaseEnd, ExpectationError } from "../core/errors.js";
import { idKey } from "../core/talk/message.js";
import type { Incoming } from "../core/talk/talk.js";
import { type Breakage, breakages } from "../generate/broken.js";
import { type PackFacts, slug } from "./facts.js";

/** A request that the target sent, and whose answer is left to the case. */
export interface Sent {
  readonly ask: Incoming;
  /** Resolves when the target has used the result. Rejects with an `ExpectationError` when it reports a failure. */
  readonly done: Promise<unknown>;
  /** Makes a result about what the request names. Default: as it is. */
  adapt?(result: unknown): unknown;
  /** Sends what has to follow an answer for `done` to settle. Default: nothing. */
  finish?(result: unknown): void;
}

/** A request that the suite can make the target send. */
export interface TargetCall<T extends CaseContext = CaseContext> {
  readonly method: string;
  /** The behaviors of the target that make it send the request. Default: none. */
  readonly needs?: readonly string[] | undefined;
  /** How its cases share connections. Default: as those of other calls. */
  readonly isolation?: CaseHeader["isolation"];
  /** Makes the target send the request, again and again. */
  send(t: T): Promise<Sent>;
}

/** Facts about a protocol with which the packs judge how a target treats the answers to its requests. */
export interface CallFacts<T extends CaseContext = CaseContext> extends Pick<PackFacts<T>, "prefix" | "role"> {
  readonly calls: readonly TargetCall<T>[];
  readonly requirements: {
    /** A call ends, and the target goes on, however wrong or late the answer is. */
    readonly survives: string;
    /** A call fails that was refused, or whose result lacks what is required. */
    readonly reported: string;
    /** A second answer does no harm. */
    readonly matched: string;
  };
  /** Valid results of a method. */
  results(method: string): readonly unknown[];
  isValid(method: string, result: unknown): boolean;
  /** Shows that the target still works. */
  works(t: T): Promise<void>;
  /** Shows that the target still works while it waits for an answer. */
  alive(t: T): Promise<void>;
}

type Outcome = "done" | "failed" | "open";

/** How a call ended for the target. An action that the target does not support ends the case. */
async function outcomeOf({ done }: Sent): Promise<Outcome> {
  try {
    await done;
    return "done";
  } catch (error) {
    if (error instanceof CaseEnd || !(error instanceof ExpectationError)) throw error;
    return error.miss === "timeout" ? "open" : "failed";
  }
}

/** Answers a request in any form. */
function answer({ send, conversation }: CaseContext, { ask, finish }: Sent, result: unknown): void {
  conversation.asked.delete(idKey(ask.id));
  send.invalid(conversation.envelope.result(ask.id, result));
  finish?.(result);
}

/** A valid result for a request. */
function resultFor<T extends CaseContext>({ results }: CallFacts<T>, { ask, adapt }: Sent): unknown {
  const [example] = results(ask.method);
  return adapt?.(example) ?? example;
}

/** Milliseconds that a target may take to be through with an answer. */
const SETTLE_MS = 3_000;

/** A required field of the result itself is missing. */
const lacksField = ({ name, required }: Breakage): boolean => required && /^[^-]+-missing$/.test(name);

/** Cases about the answers to a target's requests: malformed, errors, late, and more than one. */
export function callCases<T extends CaseContext>(facts: CallFacts<T>): readonly Case[] {
  return facts.calls.flatMap((call) => [
    malformedResults(facts, call),
    refusals(facts, call),
    lateAnswers(facts, call),
    secondAnswers(facts, call),
  ]);
}

function headerOf<T extends CaseContext>({ prefix, role }: CallFacts<T>, call: TargetCall<T>, what: string) {
  const id = `${prefix}.answered.${what}.${slug(call.method)}`;
  return { id, role, needs: call.needs, isolation: call.isolation, deadline: SETTLE_MS } as const;
}

function malformedResults<T extends CaseContext>(facts: CallFacts<T>, call: TargetCall<T>): Case {
  const { survives, reported } = facts.requirements;
  const { method } = call;
  const isValid = (result: unknown): boolean => facts.isValid(method, result);
  const ways = facts.results(method).flatMap((example) => breakages(isValid, example).map((way) => ({ example, way })));
  const judgesReports = ways.some(({ way }) => lacksField(way));
  return defineCase<T>(
    {
      ...headerOf(facts, call, "malformed"),
      title: `${method} is answered with results that are wrong at every depth`,
      emits: judgesReports ? [survives, reported] : [survives],
    },
    async (t) => {
      for (const { example, way } of ways) {
        const sent = await t.require(survives, call.send(t));
        const result = way.apply(sent.adapt?.(example) ?? example);
        answer(t, sent, result);
        const outcome = await outcomeOf(sent);
        const found = { message: `a result of ${method} with ${way.name}`, actual: { result, outcome } };
        if (!t.check(survives, outcome !== "open", { ...found, expected: "the call ends" })) return;
        if (lacksField(way)) t.check(reported, outcome === "failed", { ...found, expected: "the call fails" });
        await t.require(survives, facts.works(t));
      }
    },
  );
}

const refusal = { code: -32603, message: "not now", data: { reason: "conformance", retry: [1, null] } };

function refusals<T extends CaseContext>(facts: CallFacts<T>, call: TargetCall<T>): Case {
  const { survives, reported } = facts.requirements;
  return defineCase<T>(
    {
      ...headerOf(facts, call, "error"),
      title: `${call.method} is answered with an error that has data`,
      emits: [reported, survives],
    },
    async (t) => {
      const sent = await t.require(survives, call.send(t));
      t.conversation.refuse(sent.ask.id, refusal);
      sent.finish?.(undefined);
      const outcome = await outcomeOf(sent);
      const expected = `${call.method} fails`;
      t.check(reported, outcome === "failed", { message: "the call was refused", expected, actual: outcome });
      await t.require(survives, facts.works(t));
    },
  );
}

function lateAnswers<T extends CaseContext>(facts: CallFacts<T>, call: TargetCall<T>): Case {
  const { survives } = facts.requirements;
  return defineCase<T>(
    {
      ...headerOf(facts, call, "late"),
      title: `${call.method} is answered late, and the target works meanwhile`,
      emits: [survives],
    },
    async (t) => {
      const sent = await t.require(survives, call.send(t));
      await t.require(survives, facts.alive(t));
      answer(t, sent, resultFor(facts, sent));
      await t.require(survives, sent.done);
      await t.require(survives, facts.works(t));
    },
  );
}

function secondAnswers<T extends CaseContext>(facts: CallFacts<T>, call: TargetCall<T>): Case {
  const { matched } = facts.requirements;
  return defineCase<T>(
    {
      ...headerOf(facts, call, "twice"),
      title: `${call.method} is answered twice, with a result and with an error`,
      emits: [matched],
    },
    async (t) => {
      const sent = await t.require(matched, call.send(t));
      const result = resultFor(facts, sent);
      answer(t, sent, result);
      t.send.invalid(t.conversation.envelope.result(sent.ask.id, result));
      t.send.invalid(t.conversation.envelope.error(sent.ask.id, refusal));
      await t.require(matched, sent.done);
      await t.require(matched, facts.works(t));
    },
  );
}

/** Has the target act, and waits for the request that follows. Rejects when the action fails before. */
export async function askOf(t: CaseContext, act: () => Promise<unknown>, method: string): Promise<Sent> {
  const before = t.now();
  const done = act();
  const asked = async (): Promise<Incoming> => {
    const ask = await t.expect.request(method);
    // The target may have sent such a request of its own accord.
    return ask.at > before ? ask : asked();
  };
  return { ask: await Promise.race([asked(), done.then(asked)]), done };
}
