import type { EcaQuestionHandler } from "@editwire/eca";
import * as vscode from "vscode";

const ownWords = "Something else…";

/** Asks the user what the server wants to know. Closing the question gives no answer. */
export const askQuestion: EcaQuestionHandler = async ({ question, options = [], allowFreeform = true }) => {
  const inOwnWords = (): Thenable<string | undefined> => vscode.window.showInputBox({ title: "ECA", prompt: question });
  if (options.length === 0) return inOwnWords();
  const items = [
    ...options.map(({ label, description = "" }) => ({ label, description })),
    ...(allowFreeform ? [{ label: ownWords, description: "" }] : []),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: question });
  return picked?.label === ownWords ? inOwnWords() : picked?.label;
};
