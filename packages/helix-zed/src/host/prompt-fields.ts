import { WireError } from "@editwire/core";
import type { HelixZedParams, HelixZedProfile } from "@editwire/helix-zed-schema";

/** Fields of a user's message in the 2026 dialect. The specification's dialect has none of them. */
export interface HelixZedPromptFields {
  /** 2026: which agent should answer. */
  readonly agentName?: string | undefined;
  /** 2026: the id of the product's own record of this message and its answer. */
  readonly interactionId?: string | undefined;
  /** 2026: the product wants to know which files the turn changes. */
  readonly trackCodeChanges?: boolean | undefined;
  /** 2026: the user asks the agent to continue its last answer. */
  readonly isContinue?: boolean | undefined;
}

/** The fields that these options have, and no others. */
export function promptFields(options: HelixZedPromptFields): HelixZedPromptFields {
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return Object.fromEntries(given) as HelixZedPromptFields;
}

/** Throws `WireError("invalid_params")` for a field of a wrong type, or that the profile cannot say. */
export function checkPromptFields(options: HelixZedPromptFields, { traits }: HelixZedProfile): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined) continue;
    if (!traits.agents) refuse(name, 'this profile does not have the field; the profile "v2026" has it');
    if (typeof value !== types[name]) refuse(name, `expected a ${types[name]}, received ${typeof value}`);
  }
}

/** The fields as a `chat_message` has them. */
export function chatFields(fields: HelixZedPromptFields): Partial<HelixZedParams<"chat_message">> {
  return Object.fromEntries(
    names.filter((name) => fields[name] !== undefined).map((name) => [wireNames[name], fields[name]]),
  );
}

function refuse(name: string, problem: string): never {
  throw new WireError("invalid_params", `prompt: ${name}: ${problem}`);
}

type FieldName = keyof HelixZedPromptFields;

const wireNames = {
  agentName: "agent_name",
  interactionId: "interaction_id",
  trackCodeChanges: "track_code_changes",
  isContinue: "is_continue",
} satisfies Record<FieldName, keyof HelixZedParams<"chat_message">>;

const types: Readonly<Record<FieldName, "string" | "boolean">> = {
  agentName: "string",
  interactionId: "string",
  trackCodeChanges: "boolean",
  isContinue: "boolean",
};

const names = Object.keys(types) as FieldName[];
