import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { ConfigValue } from "../config-options.js";
import { type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import { text } from "./patch.js";

/** Values under a common heading. */
export interface V2ConfigValueGroup extends Extensible {
  groupId: string;
  name: string;
  /** At least one. */
  options: ConfigValue[];
}
const V2ConfigValueGroup = schemaFor<V2ConfigValueGroup>()(
  z.looseObject({
    groupId: z.string(),
    name: z.string(),
    options: z.array(ConfigValue).check(z.minLength(1)),
    _meta: meta,
  }),
);

interface ConfigOptionBase extends Extensible {
  configId: string;
  name: string;
  description?: string | undefined;
  /** The kind of setting: `mode`, `model`, `model_config`, `thought_level`, or a word of the agent's own. */
  category?: string | undefined;
}
const base = { configId: z.string(), name: z.string(), description: text, category: text, _meta: meta };

/** An option with one of several values, such as the mode or the model of a session. */
export interface V2SelectConfigOption extends ConfigOptionBase {
  type: "select";
  /** The `value` of one of the options. */
  currentValue: string;
  /** At least one. */
  options: ConfigValue[] | V2ConfigValueGroup[];
}

/** An option that is on or off. */
export interface V2BooleanConfigOption extends ConfigOptionBase {
  type: "boolean";
  currentValue: boolean;
}

/** An option of a type that this version does not know. */
export interface UnknownConfigOption extends ConfigOptionBase {
  type: UnknownTag;
}

/** A setting of a session that the user can change. Modes and models are settings, told apart by `category`. */
export type V2ConfigOption = V2SelectConfigOption | V2BooleanConfigOption | UnknownConfigOption;
const options = {
  select: schemaFor<V2SelectConfigOption>()(
    z.looseObject({
      type: z.literal("select"),
      ...base,
      currentValue: z.string(),
      options: z.union([z.array(ConfigValue).check(z.minLength(1)), z.array(V2ConfigValueGroup).check(z.minLength(1))]),
    }),
  ),
  boolean: schemaFor<V2BooleanConfigOption>()(
    z.looseObject({ type: z.literal("boolean"), ...base, currentValue: z.boolean() }),
  ),
};
export const V2ConfigOption = openUnion<V2ConfigOption>("type", options, z.looseObject({ type: z.string(), ...base }));

interface ConfigTarget extends Extensible {
  sessionId: string;
  configId: string;
}
const target = { sessionId: SessionId, configId: z.string(), _meta: meta };

/** Chooses a value of a selection. */
export interface SelectValueParams extends ConfigTarget {
  type: "id";
  value: string;
}

/** Turns an option on or off. */
export interface BooleanValueParams extends ConfigTarget {
  type: "boolean";
  value: boolean;
}

/** Gives an option a value of a type that this version does not know. */
export interface UnknownValueParams extends ConfigTarget {
  type: UnknownTag;
  value: unknown;
}

/** Gives an option of a session another value (session-config-options#setting-a-config-option). */
export type V2SetConfigOptionParams = SelectValueParams | BooleanValueParams | UnknownValueParams;
const values = {
  id: schemaFor<SelectValueParams>()(z.looseObject({ type: z.literal("id"), ...target, value: z.string() })),
  boolean: schemaFor<BooleanValueParams>()(
    z.looseObject({ type: z.literal("boolean"), ...target, value: z.boolean() }),
  ),
};
export const V2SetConfigOptionParams = openUnion<V2SetConfigOptionParams>(
  "type",
  values,
  z.looseObject({ type: z.string(), ...target, value: z.unknown() }),
);

/** All options of the session, with their values from now on: to change one may change others. */
export interface V2SetConfigOptionResult extends Extensible {
  configOptions: V2ConfigOption[];
}
export const V2SetConfigOptionResult = schemaFor<V2SetConfigOptionResult>()(
  z.looseObject({ configOptions: z.array(V2ConfigOption), _meta: meta }),
);
