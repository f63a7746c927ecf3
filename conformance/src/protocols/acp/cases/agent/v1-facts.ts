import { isObject } from "@editwire/core";
import type { AgentContext } from "../../agent-role.js";

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

/** Ends a case about a method for sessions that the agent does not declare. */
export async function needsSessionCapability(t: AgentContext, name: string): Promise<void> {
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["sessionCapabilities"] : undefined;
  t.needs(isObject(declared) && isObject(declared[name]), `the agent does not declare sessionCapabilities.${name}`);
}

/** Ends a case about content that the agent does not take in prompts. */
export async function needsContent(t: AgentContext, type: unknown): Promise<void> {
  const name = { image: "image", audio: "audio", resource: "embeddedContext" }[String(type)];
  if (name === undefined) return;
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["promptCapabilities"] : undefined;
  t.needs(isObject(declared) && declared[name] === true, `the agent does not declare promptCapabilities.${name}`);
}
