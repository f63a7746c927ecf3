import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";
import { SessionId } from "./session-id.js";

/** One value that an option can have. */
export interface ConfigValue extends Extensible {
  value: string;
  name: string;
  description?: string | undefined;
}
export const ConfigValue = schemaFor<ConfigValue>()(
  z.looseObject({ value: z.string(), name: z.string(), description: z.optional(z.string()), _meta: meta }),
);

/** Values under a common heading. */
export interface ConfigValueGroup extends Extensible {
  group: string;
  name: string;
  options: ConfigValue[];
}
export const ConfigValueGroup = schemaFor<ConfigValueGroup>()(
  z.looseObject({ group: z.string(), name: z.string(), options: z.array(ConfigValue), _meta: meta }),
);

interface ConfigOptionBase extends Extensible {
  id: string;
  name: string;
  description?: string | undefined;
  /** The kind of setting: `mode`, `model`, `model_config`, `thought_level`, or a word of the agent's own. */
  category?: string | undefined;
}

const base = {
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  category: z.optional(z.string()),
  _meta: meta,
};

/** An option with one of several values. */
export interface SelectConfigOption extends ConfigOptionBase {
  type: "select";
  /** The `value` of one of the options. */
  currentValue: string;
  options: ConfigValue[] | ConfigValueGroup[];
}

/** An option that is on or off; for clients with `session.configOptions.boolean`. */
export interface BooleanConfigOption extends ConfigOptionBase {
  type: "boolean";
  currentValue: boolean;
}

/** A setting of a session, such as its model, that the user can change (version 1). */
export type SessionConfigOption = SelectConfigOption | BooleanConfigOption;
export const SessionConfigOption = schemaFor<SessionConfigOption>()(
  z.discriminatedUnion("type", [
    z.looseObject({
      ...base,
      type: z.literal("select"),
      currentValue: z.string(),
      options: z.union([z.array(ConfigValue), z.array(ConfigValueGroup)]),
    }),
    z.looseObject({ ...base, type: z.literal("boolean"), currentValue: z.boolean() }),
  ]),
);

/** Gives an option of a session another value (version 1). */
export type SetConfigOptionParams = SetSelectOptionParams | SetBooleanOptionParams;

/** Chooses a value of a selection. */
export interface SetSelectOptionParams extends Extensible {
  sessionId: string;
  configId: string;
  type?: undefined;
  value: string;
}

/** Turns an option on or off. */
export interface SetBooleanOptionParams extends Extensible {
  sessionId: string;
  configId: string;
  type: "boolean";
  value: boolean;
}

const target = {
  sessionId: SessionId,
  configId: z.string(),
  _meta: meta,
};
export const SetConfigOptionParams = schemaFor<SetConfigOptionParams>()(
  z.union([
    z.looseObject({ ...target, type: z.literal("boolean"), value: z.boolean() }),
    z.looseObject({ ...target, type: z.optional(z.never()), value: z.string() }),
  ]),
);

/** All options of the session, with their values from now on: to change one may change others (version 1). */
export interface SetConfigOptionResult extends Extensible {
  configOptions: SessionConfigOption[];
}
export const SetConfigOptionResult = schemaFor<SetConfigOptionResult>()(
  z.looseObject({ configOptions: z.array(SessionConfigOption), _meta: meta }),
);
