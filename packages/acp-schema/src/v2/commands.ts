import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";

/** The text that follows a command. */
export interface TextCommandInput extends Extensible {
  type: "text";
  /** Shown while nothing is typed. */
  hint: string;
}

/** Input of a type that this version does not know. */
export interface UnknownCommandInput extends Extensible {
  type: UnknownTag;
}
const input = openUnion<TextCommandInput | UnknownCommandInput>("type", {
  text: schemaFor<TextCommandInput>()(z.looseObject({ type: z.literal("text"), hint: z.string(), _meta: meta })),
});

interface CommandBase extends Extensible {
  /** Without the slash. */
  name: string;
  description: string;
}
const base = { name: z.string(), description: z.string(), _meta: meta };

/** A command that the user can type, such as `/review`. */
export interface V2Command extends CommandBase {
  type: "command";
  /** Absent: it takes none. */
  input?: TextCommandInput | UnknownCommandInput | undefined;
}

/** A command of a type that this version does not know. */
export interface UnknownCommand extends CommandBase {
  type: UnknownTag;
}

/** Something that the user can invoke in a prompt. */
export type V2AvailableCommand = V2Command | UnknownCommand;
export const V2AvailableCommand = openUnion<V2AvailableCommand>(
  "type",
  {
    command: schemaFor<V2Command>()(z.looseObject({ type: z.literal("command"), ...base, input: z.optional(input) })),
  },
  z.looseObject({ type: z.string(), ...base }),
);

/** The session's commands, all of them. */
export interface V2AvailableCommandsUpdate extends Extensible {
  sessionUpdate: "available_commands_update";
  availableCommands: V2AvailableCommand[];
}
export const V2AvailableCommandsUpdate = schemaFor<V2AvailableCommandsUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("available_commands_update"),
    availableCommands: z.array(V2AvailableCommand),
    _meta: meta,
  }),
);
