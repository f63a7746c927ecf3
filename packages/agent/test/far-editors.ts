import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type HelixZedHost, helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import type { TurnEvent } from "@editwire/kaiak";
import { spawnKaiak } from "@editwire/kaiak/node";

/** How the user answers. `undefined`: never. */
export interface FarUser {
  answer: (question: string) => string | undefined;
}

/** A running turn of a Kaiak client or a Helix-like host. */
export interface FarTurn {
  /** What it shows, in lines. Calls `onLine` with each of them. */
  lines(onLine?: (line: string) => void): Promise<string[]>;
  cancel(): unknown;
}

/** A Kaiak client or a Helix-like host, with a process that it drives. */
export interface FarEditor {
  /** A new session, which is prompted with a text. */
  newSession(): Promise<(text: string) => FarTurn>;
  close(): Promise<unknown>;
}

/** A client of Kaiak. A text is the message of an incident. */
export async function kaiakClient(command: readonly string[], user: FarUser): Promise<FarEditor> {
  const client = await spawnKaiak(command, { question: async ({ prompt }) => user.answer(prompt), onError: () => {} });
  return {
    close: () => client.close(),
    async newSession() {
      const session = client.newSession();
      return (text) => {
        const turn = session.generateFix([{ id: "1", rule_id: "r", message: text }]);
        const read = async (onLine: (line: string) => void): Promise<void> => {
          for await (const event of turn) for (const line of kaiakLines(event)) onLine(line);
        };
        return { cancel: () => turn.cancel(), lines: (onLine) => collect(read, onLine) };
      };
    },
  };
}

function kaiakLines(event: TurnEvent): string[] {
  switch (event.type) {
    case "text":
      return event.text === "" ? [] : [event.text];
    case "thought":
      return [`thought: ${event.text}`];
    case "progress":
      return [`progress: ${event.progress.description}`];
    case "tool_call":
      return [`${event.toolCall.operation}: ${event.toolCall.status}`];
    case "file_modification":
      return [`${event.modification.operation} ${event.modification.file_path}\n${event.modification.diff ?? ""}`];
    case "question":
      return [`${event.question.type} ${event.question.options.join("/")}`];
    case "error":
      return [`error: ${event.error.message}`];
    case "system":
      return [`system: ${event.system.message}`];
    case "stop":
      return [event.stopReason];
  }
}

/** A Helix-like host, and an agent that dials it. */
export async function helixLikeHost(command: readonly string[]): Promise<FarEditor & { readonly host: HelixZedHost }> {
  const host = await listenHelixZed({ profile: helixZedProfiles.v2026, onError: () => {} });
  const [program = "", ...args] = command;
  const env = { ...process.env, EDITWIRE_HOST: host.url };
  const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"], env });
  let sessions = 0;
  return {
    host,
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
      await host.close();
    },
    async newSession() {
      const session = await host.session(`s${++sessions}`, { agent: "ses_1" });
      return (text) => {
        const turn = session.prompt(text);
        const read = async (onLine: (line: string) => void): Promise<void> => {
          for await (const event of turn) {
            if (event.type === "tool_call") onLine(`${event.toolCall.title}: ${event.toolCall.status}`);
            if (event.type === "message") onLine(event.message.content);
            if (event.type !== "stop") continue;
            const { interaction, stopReason } = event;
            const calls = interaction.messages.filter(({ entryType }) => entryType === "tool_call");
            for (const { content } of calls) onLine(content);
            onLine(interaction.error ?? stopReason);
          }
        };
        return { cancel: () => turn.cancel(), lines: (onLine) => collect(read, onLine) };
      };
    },
  };
}

/** The lines that `read` gives, each once in a row. */
async function collect(
  read: (onLine: (line: string) => void) => Promise<void>,
  onLine: (line: string) => void = () => {},
): Promise<string[]> {
  const lines: string[] = [];
  await read((line) => {
    if (line === lines.at(-1)) return;
    lines.push(line);
    onLine(line);
  });
  return lines;
}
