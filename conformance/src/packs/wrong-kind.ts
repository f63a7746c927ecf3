import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { where } from "../trace/pattern.js";
import { methodsOfKind, needsCapability, slug } from "./facts.js";
import { type RpcFacts, START_MS } from "./rpc-facts.js";

const METHOD_NOT_FOUND = -32601;
const QUIET_MS = 200;

/** Messages of the wrong kind: unknown requests, requests without an id, and notifications with one. */
export function wrongKindCases<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  return [...unknownRequests(facts), ...notifiedRequests(facts), ...requestedNotifications(facts)];
}

/** Names that are not methods of the target, among them what a lookup in a plain object would find. */
function unknownNames({ table, role, peer, ...facts }: RpcFacts): Readonly<Record<string, string>> {
  const [request] = methodsOfKind(table, role, "request");
  const [notification] = methodsOfKind(table, role, "notification");
  // A target that no request is for still knows its peer's notifications.
  const [known = ""] = [...methodsOfKind(table, peer, "request"), ...methodsOfKind(table, peer, "notification")];
  const simple = facts.simple ?? known;
  return {
    empty: "",
    "other-case": simple.replace(/(^|\W)[a-z]/g, (letter) => letter.toUpperCase()),
    "trailing-space": `${known} `,
    prefix: simple.replace(/[^/]+$/, ""),
    longer: `${simple}/x`,
    reserved: "rpc.discover",
    vendor: "_conformance/unknown",
    constructor: "constructor",
    proto: "__proto__",
    ...(request !== undefined && { "own-request": request }),
    ...(notification !== undefined && { "own-notification": notification }),
  };
}

function unknownRequests<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { unknownRequest, lives } = facts.requirements;
  return Object.entries(unknownNames(facts)).map(([name, method]) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.unknown-method.${name}`,
        role: facts.role,
        title: `a request for ${JSON.stringify(method)}`,
        emits: [unknownRequest, lives],
      },
      async (t) => {
        await facts.ready(t);
        t.needs(
          facts.routed?.(t.transport, method) !== true,
          "the transport itself refuses a request without a session",
        );
        const call = t.send.invalid(t.conversation.envelope.request(t.conversation.freshId(), method, {}));
        await t.require(unknownRequest, call.error([METHOD_NOT_FOUND, ...(facts.unknownCodes?.(method) ?? [])]));
        await t.require(lives, facts.alive(t));
      },
    ),
  );
}

const isAnswer = where("answer", (message: unknown) => isObject(message) && !("method" in message));

/** The answers since the case began that are for no request: they have the id null. */
export function answersToNothing(t: CaseContext): readonly unknown[] {
  return t
    .history()
    .flatMap(({ entry: { message }, is }) => (isAnswer(message) && "id" in is && is.id === null ? [message] : []));
}

/** Requests without an id are notifications, so they are not answered. Their effects are not judged. */
function notifiedRequests<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { silent, lives } = facts.requirements;
  const requests = methodsOfKind(facts.table, facts.peer, "request").filter(
    (one) => !facts.ends.includes(one) && facts.judges?.(one) !== false,
  );
  return [...requests, "_conformance/unknown", "$/progress", "$/cancelRequest"].map((method) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.notified.${slug(method)}`,
        role: facts.role,
        title: `${method} as a notification`,
        emits: [silent, lives],
        // The effects of a request whose answer is not awaited may disturb the next case.
        ...(requests.includes(method) && {
          isolation: facts.first.includes(method) ? "connection" : "rough",
          deadline: START_MS,
        }),
      },
      async (t) => {
        await needsCapability(t, facts, method);
        const isFirst = facts.first.includes(method);
        const isRouted = facts.routed?.(t.transport, method) === true;
        t.needs(!isFirst || !isRouted, `the transport needs the answer to ${method} to make a connection`);
        const params = await facts.params(t, method);
        if (!isFirst) await facts.ready(t);
        t.send.invalid(t.conversation.envelope.notification(method, params));
        await t.require(lives, facts.alive(t));
        await t.require(silent, t.quiet(QUIET_MS, { message: isAnswer }));
        const answers = answersToNothing(t);
        t.check(silent, answers.length === 0, {
          message: "a notification was answered",
          expected: "no answer",
          actual: answers[0],
        });
      },
    ),
  );
}

/**
 * Notifications with an id are requests for a method that is not a request: any answer is right, but there must be one,
 * and only one.
 */
function requestedNotifications<T extends CaseContext>(facts: RpcFacts<T>): readonly Case[] {
  const { once, lives } = facts.requirements;
  const notifications = methodsOfKind(facts.table, facts.peer, "notification");
  return notifications
    .filter((method) => !facts.ends.includes(method) && facts.judges?.(method) !== false)
    .map((method) =>
      defineCase<T>(
        {
          id: `${facts.prefix}.requested.${slug(method)}`,
          role: facts.role,
          title: `${method} as a request`,
          emits: [once, lives],
        },
        async (t) => {
          await facts.ready(t);
          const params = await facts.params(t, method);
          const call = t.send.invalid(t.conversation.envelope.request(t.conversation.freshId(), method, params));
          await t.require(once, call.response());
          await t.require(lives, facts.alive(t));
        },
      ),
    );
}
