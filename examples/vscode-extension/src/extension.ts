import * as vscode from "vscode";
import { Assistant } from "./assistant.js";
import type { Choice } from "./choices.js";

let assistant: Assistant | undefined;

/** Called by VS Code when one of the commands is run first. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("ECA");
  const started = new Assistant(output);
  assistant = started;
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("editwire.chat", () => chat(started)),
    vscode.commands.registerCommand("editwire.newSession", () => started.newSession()),
    vscode.commands.registerCommand("editwire.chooseModel", () => choose(started, "model")),
    vscode.commands.registerCommand("editwire.chooseBehavior", () => choose(started, "behavior")),
    vscode.workspace.onDidChangeWorkspaceFolders((change) => started.foldersChanged(change)),
  );
}

/** Called by VS Code before it ends; it waits for the promise. */
export async function deactivate(): Promise<void> {
  await assistant?.close();
}

async function chat(assistant: Assistant): Promise<void> {
  const message = await vscode.window.showInputBox({ title: "ECA", prompt: "What should the code assistant do?" });
  if (message === undefined || message === "") return;
  const options = { location: vscode.ProgressLocation.Notification, title: "ECA", cancellable: true };
  await vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      await assistant.prompt(message, stop.signal, (text) => progress.report({ message: text }));
    } catch (error) {
      report(error);
    }
  });
}

async function choose(assistant: Assistant, choice: Choice): Promise<void> {
  try {
    await assistant.choose(choice);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  void vscode.window.showErrorMessage(`ECA: ${error instanceof Error ? error.message : String(error)}`);
}
