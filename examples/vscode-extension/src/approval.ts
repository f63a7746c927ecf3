import type { ApprovalHandler } from "@editwire/eca";
import * as vscode from "vscode";

/** Asks the user whether a tool may run. Closing the question refuses. */
export const askUser: ApprovalHandler = async (toolCall) => {
  const detail = JSON.stringify(toolCall.arguments, null, 2);
  const answer = await vscode.window.showWarningMessage(
    `Run ${toolCall.summary ?? toolCall.name}?`,
    { modal: true, detail },
    "Run",
  );
  return answer === "Run" ? "approve" : "reject";
};
