import type { AcpClient, AcpSession } from "@editwire/acp";
import { dialAcp } from "@editwire/acp/node";
import { type Command, type PartOptions, tell } from "../messages.js";
import { added } from "../tasks.js";
import { shortAcp } from "../wire/acp.js";
import { reportWire } from "../wire/reporter.js";
import { connected } from "./retry.js";

/** An ACP editor: it shows the session, and its user allows what the agent asks for. */
export async function runAcpEditor({ project: cwd, acpPort, token, hold }: PartOptions): Promise<void> {
  let sessionId: string | undefined;
  let client: AcpClient | undefined;
  let opening: Promise<AcpSession | undefined> = Promise.resolve(undefined);
  const open = async (): Promise<AcpSession | undefined> =>
    sessionId === undefined ? undefined : client?.loadSession({ sessionId, cwd });
  /** The user's input while there was no session. */
  const unsaid: string[] = [];
  const say = (session: AcpSession | undefined): void => {
    if (session === undefined) return;
    for (const text of unsaid.splice(0)) session.prompt(text).stopReason.catch(reportFailure);
  };
  const reopen = (): void => {
    opening = open();
    opening.then(say).catch(reportFailure);
  };
  process.on("message", (command: Command) => {
    if (command.type === "open") {
      sessionId = command.sessionId;
      if (client !== undefined) reopen();
    } else if (command.type === "say") {
      unsaid.push(command.text);
      opening.then(say).catch(reportFailure);
    }
  });
  for (;;) {
    client = await connected(() =>
      dialAcp(`ws://127.0.0.1:${acpPort}`, {
        token,
        clientInfo: { name: "acp-editor", version: "1.0.0" },
        onWire: reportWire("acp-editor", "agent", "acp", shortAcp),
        onError: () => {}, // a lost connection is seen by its end
        async permission() {
          if (hold) tell({ type: "holds" });
          const shown = hold ? undefined : await opening;
          if (shown === undefined) return new Promise(() => {});
          await said(shown, added.text);
          return "allow_once";
        },
      }),
    );
    reopen();
    await client.closed;
    client = undefined;
    opening = Promise.resolve(undefined);
    tell({ type: "note", text: "has lost the agent, and connects again" });
  }
}

/** Resolves when a user has said something in the session: the one of this editor waits for what the others think. */
function said(session: AcpSession, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!session.state.entries.some((entry) => entry.type === "message" && entry.text.includes(text))) return;
      stop();
      resolve();
    };
    const stop = session.subscribe(look);
    look();
  });
}

function reportFailure(error: unknown): void {
  tell({ type: "note", text: error instanceof Error ? error.message : String(error) });
}
