import type { Eca, EcaParams, EditorDiagnostic, EditorLocation } from "@editwire/eca-schema";
import { type Connection, ErrorCode, RemoteError } from "@editwire/core";
import type { AskOptions } from "@editwire/session";

/**
 * The requests of a server to the editor, in `v2026`. An editor names in its capabilities what it supports; others
 * answer -32601.
 */
export interface EcaServerEditor {
  /**
   * The problems in a file, or in all without a `uri`; lines count from 0. Throws a `RemoteError` when the editor
   * failed.
   */
  diagnostics(params?: { uri?: string | undefined } & AskOptions): Promise<EditorDiagnostic[]>;
  /**
   * Where the symbol at a place is defined; places count from 1. Throws a `RemoteError` when the editor did not look;
   * its `data.status` is then `error`, `no-server`, or `starting`: ask again.
   */
  definition(params: EcaParams<"editor/getDefinition"> & AskOptions): Promise<EditorLocation[]>;
  /** Where the symbol at a place is used; throws as `definition` does. */
  references(params: EcaParams<"editor/getReferences"> & AskOptions): Promise<EditorLocation[]>;
}

/** The helpers that ask the editor. `timeoutMs` is the default for each. */
export function serverEditor({ request }: Connection<Eca, "server">, timeoutMs: number): EcaServerEditor {
  const locations =
    (method: "editor/getDefinition" | "editor/getReferences") =>
    async ({ signal, timeoutMs: own = timeoutMs, ...place }: EcaParams<"editor/getDefinition"> & AskOptions) => {
      const { status, locations, message } = await request(method, place, {
        ...(signal && { signal }),
        timeoutMs: own,
      });
      if (unknown[status] !== undefined) throw failed(method, status, message);
      return locations ?? [];
    };
  return {
    async diagnostics({ signal, timeoutMs: own = timeoutMs, uri } = {}) {
      const method = "editor/getDiagnostics";
      const params = uri === undefined ? {} : { uri };
      const result = await request(method, params, { ...(signal && { signal }), timeoutMs: own });
      if (result.status === "error") throw failed(method, result.status, result.message);
      return result.diagnostics;
    },
    definition: locations("editor/getDefinition"),
    references: locations("editor/getReferences"),
  };
}

/** Answers of an editor that did not look, and their meaning. */
const unknown: Readonly<Record<string, string>> = {
  error: "no reason given",
  starting: "its language server is starting",
  "no-server": "it has no language server for this file",
};

/** Some editors say in a result that they failed. */
function failed(method: string, status: string, message = unknown[status]): RemoteError {
  return new RemoteError(ErrorCode.InternalError, `${method}: the editor failed: ${message}`, { status });
}
