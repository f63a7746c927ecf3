import type { EcaPromptOptions, EcaSession, EcaTurnEvent } from "@editwire/eca";
import type { WorkspaceFolder } from "@editwire/eca-schema";
import * as vscode from "vscode";
import { askUser } from "./approval.js";
import { type Choice, choices } from "./choices.js";
import { openContexts } from "./contexts.js";
import { diagnostics } from "./diagnostics.js";
import { askQuestion } from "./question.js";
import { type RunningServer, startServer } from "./server.js";

interface Started extends RunningServer {
  readonly chat: EcaSession;
}

/** The server, started with the first prompt and again when it died, and the chat with it. */
export class Assistant {
  readonly #output: vscode.OutputChannel;
  #starting: Promise<Started> | undefined;
  #chosen: Pick<EcaPromptOptions, Choice> = {};

  constructor(output: vscode.OutputChannel) {
    this.#output = output;
  }

  /** Runs one turn, and writes it to the output channel. Throws what the start of the server or the turn throws. */
  async prompt(message: string, signal: AbortSignal, onProgress: (text: string) => void): Promise<void> {
    const { chat, explain } = await this.#started();
    this.#output.show(true);
    this.#output.appendLine(`\n> ${message}`);
    try {
      const turn = chat.prompt(message, { signal, contexts: openContexts(), ...this.#chosen });
      for await (const event of turn) this.#show(event, onProgress);
    } catch (error) {
      throw await explain(error);
    }
  }

  /** Lets the user choose the model or the behavior of the next prompts. */
  async choose(choice: Choice): Promise<void> {
    const { client, chat } = await this.#started();
    const { title, offered, current } = choices[choice]({ ...client.state.config, ...chat.state.config });
    if (offered.length === 0)
      return void vscode.window.showInformationMessage(`ECA: ${title}: nothing to choose from.`);
    const inUse = this.#chosen[choice] ?? current;
    const items = offered.map((label) => ({ label, description: label === inUse ? "in use" : "" }));
    const picked = await vscode.window.showQuickPick(items, { title });
    if (picked !== undefined) this.#chosen = { ...this.#chosen, [choice]: picked.label };
  }

  /** Forgets the chat. */
  async newSession(): Promise<void> {
    if (this.#starting === undefined) return;
    await (await this.#starting).chat.delete();
    this.#output.clear();
  }

  /** Reports folders that the user opened or closed. A server that starts later gets those that are open then. */
  async foldersChanged({ added, removed }: vscode.WorkspaceFoldersChangeEvent): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.client.changeWorkspaceFolders({ added: added.map(folderOf), removed: removed.map(folderOf) });
  }

  async close(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.close();
  }

  #show(event: EcaTurnEvent, onProgress: (text: string) => void): void {
    if (event.type === "text" || event.type === "notice") this.#output.append(event.text);
    else if (event.type === "progress") onProgress(event.text);
    else if (event.type === "tool_call")
      this.#output.appendLine(`\n[${event.toolCall.status}] ${event.toolCall.summary ?? event.toolCall.name}`);
    else if (event.type === "stop")
      this.#output.appendLine(event.stopReason === "end_turn" ? "" : `\n(${event.stopReason})`);
  }

  #started(): Promise<Started> {
    if (this.#starting !== undefined) return this.#starting;
    const starting = this.#start();
    this.#starting = starting;
    const forget = (): void => {
      if (this.#starting === starting) this.#starting = undefined;
    };
    starting.then(({ client }) => client.closed.then(forget), forget);
    return starting;
  }

  async #start(): Promise<Started> {
    const argv = vscode.workspace.getConfiguration("editwire").get<string[]>("command", []);
    const { client, explain, close } = await startServer(argv, {
      workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map(folderOf),
      permission: askUser,
      question: askQuestion,
      diagnostics,
      onMessage: (type, message) => {
        const { showErrorMessage: error, showWarningMessage: warning, showInformationMessage: info } = vscode.window;
        void { error, warning, info }[type](message);
      },
      onLog: (line) => this.#output.append(line),
    });
    const chat = client.newSession();
    const { welcomeMessage } = client.state.config;
    if (welcomeMessage !== undefined) this.#output.appendLine(welcomeMessage);
    return { client, explain, close, chat };
  }
}

function folderOf({ uri, name }: vscode.WorkspaceFolder): WorkspaceFolder {
  return { uri: uri.toString(), name };
}
