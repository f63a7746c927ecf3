import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../../../core/case.js";
import type { AgentContext } from "../../agent-role.js";
import { methodsFrom, namesSession, sampleParams } from "../../samples.js";
import { needsLoad, START_MS } from "./malformed.js";

const METHOD_NOT_FOUND = -32601;

/** Names that are no method of an agent, among them what a lookup in a plain object would find. */
const unknown: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["other-case", "Session/New"],
  ["trailing-space", "initialize "],
  ["prefix", "session/"],
  ["longer", "session/prompt/x"],
  ["reserved", "rpc.discover"],
  ["vendor", "_conformance/unknown"],
  ["constructor", "constructor"],
  ["proto", "__proto__"],
  ["own-request", "session/request_permission"],
  ["own-notification", "session/update"],
];

/** Requests that no agent has. */
const unknownMethodCases: readonly Case[] = unknown.map(([name, method]) =>
  defineCase<AgentContext>(
    {
      id: `acp.agent.unknown-method.${name}`,
      role: "agent",
      title: `a request for ${JSON.stringify(method)}`,
      emits: ["ACP-RPC-006", "ACP-ROBUST-001"],
    },
    async (t) => {
      await t.initialized();
      const call = t.send.invalid({ jsonrpc: "2.0", id: t.conversation.freshId(), method, params: {} });
      await t.require("ACP-RPC-006", call.error(METHOD_NOT_FOUND));
      await t.require("ACP-ROBUST-001", t.alive());
    },
  ),
);

/** Requests without an id, which are notifications, so nobody answers them; what they do is not judged. */
const unansweredCases: readonly Case[] = [...methodsFrom("client", "request"), "_conformance/unknown"].map((method) =>
  defineCase<AgentContext>(
    {
      id: `acp.agent.notified.${method.replace("/", "-")}`,
      role: "agent",
      title: `${method} as a notification`,
      emits: ["ACP-RPC-007", "ACP-ROBUST-001"],
      isolation: "connection",
      deadline: START_MS,
    },
    async (t) => {
      if (method === "session/load") await needsLoad(t);
      const sessionId = namesSession(method) ? (await t.session()).id : "";
      if (method !== "initialize") await t.initialized();
      t.send.invalid({ jsonrpc: "2.0", method, params: sampleParams(method, sessionId) });
      const call = t.send.request("_conformance/alive", {});
      await t.require("ACP-ROBUST-001", call.response());
      await t.require("ACP-RPC-007", t.quiet(200, { message: isAnswer }));
      const answers = t.history().filter(({ entry, is }) => isAnswer(entry.message) && "id" in is && is.id === null);
      t.check("ACP-RPC-007", answers.length === 0, {
        message: "a notification was answered",
        expected: "no answer",
        actual: answers[0]?.entry.message,
      });
    },
  ),
);

const isAnswer = (message: unknown): boolean => isObject(message) && !("method" in message);

/** Notifications with an id are requests for what is none: any answer will do, but there is one, and only one. */
const requestedNotificationCases: readonly Case[] = methodsFrom("client", "notification").map((method) =>
  defineCase<AgentContext>(
    {
      id: `acp.agent.requested.${method.replace("/", "-")}`,
      role: "agent",
      title: `${method} as a request`,
      emits: ["ACP-RPC-004", "ACP-ROBUST-001"],
    },
    async (t) => {
      const params = sampleParams(method, (await t.session()).id);
      const call = t.send.invalid({ jsonrpc: "2.0", id: t.conversation.freshId(), method, params });
      await t.require("ACP-RPC-004", call.response());
      await t.require("ACP-ROBUST-001", t.alive());
    },
  ),
);

/** Messages of the wrong kind. */
export const wrongKindCases: readonly Case[] = [
  ...unknownMethodCases,
  ...unansweredCases,
  ...requestedNotificationCases,
];
