import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, meta } from "./extensible.js";
import { NameValue } from "./mcp-servers.js";
import { absolutePath, SessionId } from "./session-id.js";

/** Asks the client to run a command (version 1). */
export interface CreateTerminalParams extends Extensible {
  sessionId: string;
  command: string;
  args?: string[] | undefined;
  /** Environment variables to set besides those of the client. */
  env?: NameValue[] | undefined;
  /** Absolute. Default: the session's working directory. */
  cwd?: string | undefined;
  /** Bytes of output to keep; what is older is dropped. Default: the client's choice. */
  outputByteLimit?: number | undefined;
}
export const CreateTerminalParams = schemaFor<CreateTerminalParams>()(
  z.looseObject({
    sessionId: SessionId,
    command: z.string(),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.array(NameValue)),
    cwd: z.optional(absolutePath),
    outputByteLimit: z.optional(count),
    _meta: meta,
  }),
);

/** The terminal in which the command runs. It is valid until `terminal/release`. */
export interface CreateTerminalResult extends Extensible {
  terminalId: string;
}
export const CreateTerminalResult = schemaFor<CreateTerminalResult>()(
  z.looseObject({ terminalId: z.string(), _meta: meta }),
);

/** Names a terminal: for `terminal/output`, `wait_for_exit`, `kill` and `release` (version 1). */
export interface TerminalParams extends Extensible {
  sessionId: string;
  terminalId: string;
}
export const TerminalParams = schemaFor<TerminalParams>()(
  z.looseObject({ sessionId: SessionId, terminalId: z.string(), _meta: meta }),
);

/** How a command ended; also the result of `terminal/wait_for_exit`. */
export interface TerminalExitStatus extends Extensible {
  /** Absent when a signal ended it. */
  exitCode?: number | undefined;
  /** The signal that ended it, such as `SIGTERM`. */
  signal?: string | undefined;
}
export const TerminalExitStatus = schemaFor<TerminalExitStatus>()(
  z.looseObject({ exitCode: z.optional(count), signal: z.optional(z.string()), _meta: meta }),
);

/** The output of a command so far. */
export interface TerminalOutputResult extends Extensible {
  output: string;
  /** True when the beginning was dropped. */
  truncated: boolean;
  /** Absent while the command runs. */
  exitStatus?: TerminalExitStatus | undefined;
}
export const TerminalOutputResult = schemaFor<TerminalOutputResult>()(
  z.looseObject({
    output: z.string(),
    truncated: z.boolean(),
    exitStatus: z.optional(TerminalExitStatus),
    _meta: meta,
  }),
);
