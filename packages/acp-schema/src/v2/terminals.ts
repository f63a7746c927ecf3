import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath } from "../session-id.js";
import { metaPatch, type Patch, patch, text, textPatch, type Upsert } from "./patch.js";
import { EntityCapabilities } from "./tool-calls.js";

/** Everything that a terminal has shown. */
export interface TerminalOutput extends Extensible {
  /** In base64. */
  data: string;
}

/** How the program in a terminal ended. An empty object means that it did, too. */
export interface V2TerminalExitStatus extends Extensible {
  exitCode?: number | undefined;
  /** Such as `SIGTERM`. */
  signal?: string | undefined;
}

/** In characters. */
export interface TerminalSize extends Extensible {
  cols: number;
  rows: number;
}
const cells = z.int().check(z.gte(1), z.lte(65_535));

/** A terminal of the agent at its first mention, or what is new about it (tool-calls#display-only-terminals). */
export interface TerminalUpdate extends Upsert {
  sessionUpdate: "terminal_update";
  terminalId: string;
  command?: Patch<string>;
  /** Absolute. */
  cwd?: Patch<string>;
  /** Replaces all output before it, that of chunks too. */
  output?: Patch<TerminalOutput>;
  exitStatus?: Patch<V2TerminalExitStatus>;
  size?: Patch<TerminalSize>;
  capabilities?: Patch<EntityCapabilities>;
}

/** Output that is appended to a terminal's. A chunk may end inside of a character. */
export interface TerminalOutputChunk extends Extensible {
  sessionUpdate: "terminal_output_chunk";
  terminalId: string;
  /** In base64, which is decoded for each chunk alone. */
  data: string;
}

/** The schemas of the updates of terminals. */
export const terminalUpdates = {
  terminal_update: schemaFor<TerminalUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("terminal_update"),
      terminalId: z.string(),
      command: textPatch,
      cwd: patch(absolutePath),
      output: patch(schemaFor<TerminalOutput>()(z.looseObject({ data: z.string(), _meta: meta }))),
      exitStatus: patch(
        schemaFor<V2TerminalExitStatus>()(z.looseObject({ exitCode: z.optional(z.int()), signal: text, _meta: meta })),
      ),
      size: patch(schemaFor<TerminalSize>()(z.looseObject({ cols: cells, rows: cells, _meta: meta }))),
      capabilities: patch(EntityCapabilities),
      _meta: metaPatch,
    }),
  ),
  terminal_output_chunk: schemaFor<TerminalOutputChunk>()(
    z.looseObject({
      sessionUpdate: z.literal("terminal_output_chunk"),
      terminalId: z.string(),
      data: z.string(),
      _meta: meta,
    }),
  ),
};
