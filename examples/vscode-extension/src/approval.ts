import type { PermissionHandler } from "@editwire/eca";
import * as vscode from "vscode";

/** Asks the user whether a tool may run. Closing the question refuses. */
export const askUser: PermissionHandler = async (toolCall) => {
  const detail = JSON.stringify(toolCall.arguments, null, 2);
  const answer = await vscode.window.showWarningMessage(
    `Run ${toolCall.summary ?? toolCall.name}?`,
    { modal: true, detail },
    "Run",
  );
  return answer === "Run" ? "allow_once" : "reject_once";
};
