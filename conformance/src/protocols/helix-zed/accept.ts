import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { deviationsOf, isObject, type Part, repair } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

/** The fields that peers of 2026 added to the messages of the specification. */
const additions: Readonly<Record<string, readonly string[]>> = {
  chat_message: ["agent_name", "interrupt"],
  message_added: ["entry_type", "tool_name", "tool_status"],
  message_completed: ["agent_name", "usage"],
};

/** The value with only those fields that the specification has; they are valid whatever was added. */
function specified(method: string, value: unknown): unknown {
  const added = additions[method];
  if (added === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !added.includes(name)));
}

/** Reads what real peers write in another form, without what they added. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) =>
  repaired(method, part, specified(method, value));

/** Reads what real peers write in another form: a monitor judges the form, so that the schema judges the rest. */
export const repaired = (method: string, part: Part, value: unknown): unknown =>
  repair(helixZedProfiles.spec, method, part, value, () => {});

/** The ids of the rows of the deviations table that a value needs. */
export function formsOf(method: string, part: Part, value: unknown): readonly string[] {
  return deviationsOf(helixZedProfiles.spec, method, part, value).map(({ id }) => id);
}
