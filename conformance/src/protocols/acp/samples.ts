import { acp as table } from "@editwire/acp-schema";
import { isObject, type MethodDef, methodOf, methodsOf, validatorOf } from "@editwire/core";
import { type KnownFields, sampleOf } from "../../generate/sample.js";
import { cwd } from "./agent-role.js";

/** What a peer acts on, in a form that every agent takes. */
const known: KnownFields = {
  cwd,
  methodId: "none",
  modeId: "full",
  prompt: [{ type: "text", text: "Say ok." }],
};

/** The methods of a kind that a role sends. */
export function methodsFrom(role: "client" | "agent", kind: MethodDef["kind"]): readonly string[] {
  return methodsOf(table).flatMap(([method, def]) => (def.from === role && def.kind === kind ? [method] : []));
}

/** Valid params of a method: its required fields. Empty for a method that ACP lacks. */
export function sampleParams(method: string, sessionId: string): Record<string, unknown> {
  const def = methodOf(table, method);
  return def === undefined ? {} : objectOf(sampleOf(def.params, { ...known, sessionId }));
}

/** A valid result of a request: its required fields. */
export function sampleResult(method: string): Record<string, unknown> {
  const def = methodOf(table, method);
  if (def?.kind !== "request") throw new TypeError(`ACP has no request ${method}`);
  return objectOf(sampleOf(def.result, { ...known, sessionId: "session-1" }));
}

/** Says whether params are those of a method of the table. */
export function takesParams(method: string, params: unknown): boolean {
  const def = methodOf(table, method);
  return def !== undefined && validatorOf(def.params).fits(params);
}

/** Says whether the params of a method have to name a session. */
export function namesSession(method: string): boolean {
  return "sessionId" in sampleParams(method, "session");
}

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
