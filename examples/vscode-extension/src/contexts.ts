import type { ChatContext } from "@editwire/eca-schema";
import * as vscode from "vscode";

/**
 * The contexts that the user looks at: the open file, or the selected part of it, besides the overview of the
 * workspace. Lines count from 1.
 */
export function openContexts(): ChatContext[] {
  const contexts: ChatContext[] = [{ type: "repoMap" }];
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") return contexts;
  const { isEmpty, start, end } = editor.selection;
  const linesRange = isEmpty ? {} : { linesRange: { start: start.line + 1, end: end.line + 1 } };
  return [...contexts, { type: "file", path: editor.document.uri.fsPath, ...linesRange }];
}
