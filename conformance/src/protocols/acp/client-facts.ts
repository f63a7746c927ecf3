import { table } from "./table.js";
import { isObject } from "@editwire/core";
import { fits } from "../../core/judge.js";
import type { SenderFacts } from "../../packs/sends.js";
import { acceptV1 } from "./accept.js";
import type { ClientContext } from "./client-role.js";
import { example } from "./samples.js";

/** Names the requirement that says how one part of a method looks. */
export const schemaRequirement = (method: string, part: "params" | "result"): string => `ACP-SCHEMA-${method}:${part}`;

/** The facts about clients of ACP for the shared packs. */
export const clientFacts: SenderFacts<ClientContext> = {
  prefix: "acp.client",
  role: "client",
  table,
  requirement: schemaRequirement,
  example: (method) => example(method, "params"),
  isValid: (method, params) => fits(table, method, "params", acceptV1(method, "params", params)) === true,
  async send(t, method) {
    await t.initialized();
    const full = example(method, "params");
    const params = isObject(full) ? full : {};
    const session = "sessionId" in params ? { sessionId: (await t.session()).id } : {};
    const { done } = await t.tell(method, { ...params, ...session }, method);
    await done;
  },
};
