import { pathToFileURL } from "node:url";
import { type EcaClient, ecaProfiles, type EcaSession } from "@editwire/eca";
import { dialEca } from "@editwire/eca/node";
import { type Command, ecaSocket, type PartOptions, tell } from "../messages.js";
import { added } from "../tasks.js";
import { shortEca } from "../wire/eca.js";
import { reportWire } from "../wire/reporter.js";
import { connected } from "./retry.js";

/** An ECA editor: it shows the session, and its user adds something while the agent works. */
export async function runEcaEditor(options: PartOptions): Promise<void> {
  let sessionId: string | undefined;
  let client: EcaClient | undefined;
  let opening: Promise<EcaSession | undefined> = Promise.resolve(undefined);
  const open = async (): Promise<EcaSession | undefined> => {
    const chat = sessionId === undefined ? undefined : await client?.loadSession({ sessionId });
    if (chat !== undefined && client !== undefined) follow(chat, client, options.hold);
    return chat;
  };
  const reopen = (): void => {
    opening = open();
    opening.catch(reportFailure);
  };
  process.on("message", (command: Command) => {
    if (command.type === "open") {
      sessionId = command.sessionId;
      if (client !== undefined) reopen();
    } else if (command.type === "say")
      void opening.then((chat) => chat && say(chat, command.text)).catch(reportFailure);
  });
  for (;;) {
    client = await connected(() => connect(options));
    reopen();
    await client.closed;
    client = undefined;
    opening = Promise.resolve(undefined);
    tell({ type: "note", text: "has lost the agent, and connects again" });
  }
}

function connect(options: PartOptions): Promise<EcaClient> {
  return dialEca(ecaSocket(options), {
    profile: ecaProfiles.v2026,
    workspaceFolders: [{ uri: pathToFileURL(options.project).href, name: "project" }],
    onWire: reportWire("eca-editor", "agent", "eca", shortEca),
    onError: () => {}, // a lost connection is seen by its end
    permission: () => new Promise(() => {}), // this user leaves the decision to the one of the ACP editor
  });
}

/** Watches the chat: when the agent asks whether it may edit, its user points to another defect. */
function follow(chat: EcaSession, { connection }: EcaClient, hold: boolean): void {
  let isSaid = false;
  const look = ({ entries }: EcaSession["state"]): void => {
    const asks = entries.some((entry) => entry.type === "tool_call" && entry.toolCall.status === "waiting");
    if (!asks || isSaid) return;
    isSaid = true;
    if (hold) return tell({ type: "holds" });
    if (entries.some((entry) => entry.type === "message" && entry.text.includes(added.text))) return;
    // The turn is the host's: `chat.steer` is for turns that this editor has prompted.
    void connection.notify("chat/promptSteer", { chatId: chat.id ?? "", message: added.text });
  };
  chat.subscribe(look);
  look(chat.state);
}

/** Says something, and waits until the agent has answered, or is lost. */
async function say(chat: EcaSession, text: string): Promise<void> {
  try {
    await chat.prompt(text).stopReason;
  } finally {
    tell({ type: "over", text: "the answer is complete" });
  }
}

function reportFailure(error: unknown): void {
  tell({ type: "note", text: error instanceof Error ? error.message : String(error) });
}
