import { isObject } from "@editwire/core";
import type { Call } from "../../../../core/call.js";
import { type AgentContext, cwd } from "../../agent-role.js";

/** The kind of an update. */
export const kindOf = (update: unknown): unknown => (isObject(update) ? update["sessionUpdate"] : undefined);

/** A configuration option, as far as its values go. */
export interface ConfigOption {
  readonly id: unknown;
  readonly current: unknown;
  /** Its values, without the groups that they are in. Empty for an option that is on or off. */
  readonly values: readonly unknown[];
}

/** The options of the result of a request. */
export function configOptionsOf(result: unknown): readonly ConfigOption[] {
  const options = isObject(result) && Array.isArray(result["configOptions"]) ? result["configOptions"] : [];
  return options.filter(isObject).map(({ id, currentValue, options: offered }) => {
    const items = Array.isArray(offered) ? offered.filter(isObject) : [];
    const values = items.flatMap((item) =>
      Array.isArray(item["options"]) ? item["options"].filter(isObject) : [item],
    );
    return { id, current: currentValue, values: values.map(({ value }) => value) };
  });
}

/** Whether the agent declares a method for sessions. */
async function hasSessionCapability(t: AgentContext, name: string): Promise<boolean> {
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["sessionCapabilities"] : undefined;
  return isObject(declared) && isObject(declared[name]);
}

/** Ends a case about a method for sessions that the agent does not declare. */
export async function needsSessionCapability(t: AgentContext, name: string): Promise<void> {
  t.needs(await hasSessionCapability(t, name), `the agent does not declare sessionCapabilities.${name}`);
}

/** Loads a session. An agent may refuse to load one that is open: it is closed then, and loaded after that. */
export async function loading(t: AgentContext, sessionId: string): Promise<Call> {
  const load = (): Call => t.send.request("session/load", { sessionId, cwd, mcpServers: [] });
  const first = load();
  const { error } = await first.response();
  if (error === undefined || !(await hasSessionCapability(t, "close"))) return first;
  await t.send.request("session/close", { sessionId }).response();
  return load();
}

/** The result of loading a session. */
export async function loaded(t: AgentContext, sessionId: string): Promise<Record<string, unknown>> {
  return (await loading(t, sessionId)).result();
}

/** Ends a case about content that the agent does not take in prompts. */
export async function needsContent(t: AgentContext, type: unknown): Promise<void> {
  const name = { image: "image", audio: "audio", resource: "embeddedContext" }[String(type)];
  if (name === undefined) return;
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["promptCapabilities"] : undefined;
  t.needs(isObject(declared) && declared[name] === true, `the agent does not declare promptCapabilities.${name}`);
}
