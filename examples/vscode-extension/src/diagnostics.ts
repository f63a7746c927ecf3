import type { EcaDiagnosticsHandler } from "@editwire/eca";
import * as vscode from "vscode";

const severities = ["error", "warning", "info", "hint"] as const;

/** The diagnostics of VS Code, of one file or of all. It counts lines from 0, as ECA's editors do. */
export const diagnostics: EcaDiagnosticsHandler = (uri) => {
  const wanted = uri === undefined ? undefined : vscode.Uri.parse(uri);
  const files: [vscode.Uri, vscode.Diagnostic[]][] =
    wanted === undefined ? vscode.languages.getDiagnostics() : [[wanted, vscode.languages.getDiagnostics(wanted)]];
  return files.flatMap(([file, found]) =>
    found.map(({ severity, message, source = "", range: { start, end } }) => ({
      uri: file.toString(),
      severity: severities[severity] ?? "error",
      message,
      source,
      range: {
        start: { line: start.line, character: start.character },
        end: { line: end.line, character: end.character },
      },
    })),
  );
};
