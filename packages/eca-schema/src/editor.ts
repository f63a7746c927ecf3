import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { Position, Range } from "./contexts.js";
import { type OpenEnum, openEnum } from "./extensible.js";

/** Asks the editor for the diagnostics of a file, or of all. */
export interface EditorGetDiagnosticsParams {
  uri?: string | undefined;
}
export const EditorGetDiagnosticsParams = schemaFor<EditorGetDiagnosticsParams>()(
  z.looseObject({ uri: z.optional(z.string()) }),
);

/** One thing that is wrong in a file; editors count its lines from 0. */
export interface EditorDiagnostic {
  uri: string;
  severity: OpenEnum<"error" | "warning" | "info" | "hint">;
  /** The program that found it; empty when the editor does not say. */
  source: string;
  range: Range;
  code?: string | number | undefined;
  message: string;
}

/** The diagnostics of the files. */
export interface EditorGetDiagnosticsResult {
  diagnostics: EditorDiagnostic[];
  /** `error` from an editor that failed, as Emacs does outside of a project; there are then no diagnostics. */
  status?: string | undefined;
  /** Why it failed. */
  message?: string | undefined;
}
export const EditorGetDiagnosticsResult = schemaFor<EditorGetDiagnosticsResult>()(
  z.looseObject({
    diagnostics: z.array(
      z.looseObject({
        uri: z.string(),
        severity: openEnum(["error", "warning", "info", "hint"]),
        source: z.string(),
        range: Range,
        code: z.optional(z.union([z.string(), z.number()])),
        message: z.string(),
      }),
    ),
    status: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
);

/** Asks the editor where a symbol is defined or used; the position counts from 1. */
export interface EditorLocationParams {
  uri: string;
  position: Position;
  /** For references: whether the definition is one of them. */
  includeDeclaration?: boolean | undefined;
}
export const EditorLocationParams = schemaFor<EditorLocationParams>()(
  z.looseObject({ uri: z.string(), position: Position, includeDeclaration: z.optional(z.boolean()) }),
);

/** A place in a file; it counts from 1. */
export interface EditorLocation {
  uri: string;
  range: Range;
}

/** Where the symbol is. */
export interface EditorLocationResult {
  /**
   * Only `success` means that the editor looked: its language server may still be `starting`, or there is `no-server`.
   */
  status: OpenEnum<"success" | "starting" | "no-server" | "error">;
  locations?: EditorLocation[] | undefined;
  message?: string | undefined;
}
export const EditorLocationResult = schemaFor<EditorLocationResult>()(
  z.looseObject({
    status: openEnum(["success", "starting", "no-server", "error"]),
    locations: z.optional(z.array(z.looseObject({ uri: z.string(), range: Range }))),
    message: z.optional(z.string()),
  }),
);
