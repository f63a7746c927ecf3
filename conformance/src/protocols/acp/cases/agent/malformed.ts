import { acp as table } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/case.js";
import { defineCase } from "../../../../core/case.js";
import { type Malformation, malformations } from "../../../../generate/malformed.js";
import type { AgentContext } from "../../agent-role.js";
import { methodsFrom, namesSession, sampleParams } from "../../samples.js";

/** The first answer of a process that has to start for it. */
export const START_MS = 20_000;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Every request with params that are wrong in one way each, generated from the method table. */
export const malformedCases: readonly Case[] = methodsFrom("client", "request")
  // The specification says that authenticate is accepted and does nothing.
  .filter((method) => method !== "authenticate")
  .flatMap((method) =>
    malformations(table, method, sampleParams(method, "session")).map((wrong) => malformedCase(method, wrong)),
  );

function malformedCase(method: string, { name, says, structured, apply }: Malformation): Case {
  // The version is a requirement of its own, with a level of its own: no sentence refuses one of another type.
  const unversioned = method === "initialize" && /^(params-(absent|null)|protocolVersion-\w+)$/.test(name);
  const refused = unversioned ? "ACP-INIT-002" : "ACP-RPC-013";
  const coded = "ACP-RPC-014";
  return defineCase<AgentContext>(
    {
      id: `acp.agent.malformed.${method.replace("/", "-")}.${name}`,
      role: "agent",
      title: `${method} ${says}`,
      emits: [refused, coded],
      // A second initialize may be refused for what it is, so this one has to be the first.
      ...(method === "initialize" && { isolation: "connection", deadline: START_MS }),
    },
    async (t) => {
      if (method === "session/load") await needsLoad(t);
      const sessionId = namesSession(method) ? (await t.session()).id : "";
      const call = t.send.invalid({
        jsonrpc: "2.0",
        id: t.conversation.freshId(),
        method,
        ...apply(sampleParams(method, sessionId)),
      });
      // A target that does not read such a message as a request answers with the id null.
      const unread = structured ? [] : [t.expect.message({ id: null, error: {} })];
      const { error, ...rest } = (await t.require(refused, Promise.race([call.response(), ...unread]))) as {
        error?: { code: number };
      };
      t.check(refused, error !== undefined, {
        message: `${method} ${says} was not refused`,
        expected: "an error",
        actual: rest,
      });
      const codes = structured ? [INVALID_PARAMS] : [INVALID_PARAMS, INVALID_REQUEST];
      t.check(coded, error !== undefined && codes.includes(error.code), {
        expected: `code ${codes.join(" or ")}`,
        actual: error ?? rest,
      });
      await t.require(refused, t.alive());
    },
  );
}

/** Ends a case about session/load that the agent does not offer. */
export async function needsLoad(t: AgentContext): Promise<void> {
  const { agentCapabilities } = await t.initialized();
  t.needs(
    isObject(agentCapabilities) && agentCapabilities["loadSession"] === true,
    "the agent does not claim loadSession",
  );
}
