import { spawnAcp } from "@editwire/acp/node";
import { spawnEca } from "@editwire/eca/node";

/** How the user of an editor answers, which a test may change. */
export interface User {
  permission?: "allow_once" | "reject_once" | "never" | undefined;
  /** Of a question. */
  answer?: string | undefined;
}

/** The visible part of a turn, in the same words in every editor. */
export interface ShownTurn {
  /** Texts, notices, plans, and each status of each tool call. Calls `onLine` with each of them. */
  lines(onLine?: (line: string) => void): Promise<string[]>;
  cancel(): Promise<void>;
}

/** One session in an editor. */
export interface EditorSession {
  readonly id: string | undefined;
  prompt(text: string): ShownTurn;
}

/** An editor of one protocol. */
export interface Editor {
  newSession(): Promise<EditorSession>;
  /** The titles of the sessions. */
  list(): Promise<(string | undefined)[]>;
  close(): Promise<void>;
}

function decisionOf({ permission = "allow_once" }: User): Promise<"allow_once" | "reject_once"> {
  return permission === "never" ? new Promise(() => {}) : Promise.resolve(permission);
}

/** An editor of ACP. */
export async function acpEditor(command: readonly string[], user: User = {}): Promise<Editor> {
  const client = await spawnAcp(command, {
    permission: async () => decisionOf(user),
    elicitation: {
      form: async () =>
        user.answer === undefined ? { action: "decline" } : { action: "accept", content: { answer: user.answer } },
    },
    onError: () => {},
  });
  return {
    close: () => client.close(),
    list: async () => (await client.listSessions()).sessions.map(({ title }) => title),
    async newSession() {
      const session = await client.newSession({ cwd: "/p" });
      return {
        id: session.id,
        prompt(text) {
          const turn = session.prompt(text);
          const read = async (onLine: (line: string) => void): Promise<void> => {
            for await (const event of turn) {
              if (event.type === "text") onLine(event.text.trim());
              if (event.type === "thought") onLine(`thought: ${event.text}`);
              if (event.type === "plan") onLine(`plan: ${event.entries.map(({ content }) => content).join()}`);
              if (event.type === "tool_call") onLine(`${event.toolCall.title}: ${event.toolCall.status}`);
              if (event.type === "tool_call" && event.toolCall.content.some(({ type }) => type === "diff"))
                onLine("diff");
              if (event.type === "stop") onLine(event.stopReason);
            }
          };
          return { cancel: () => turn.cancel(), lines: (onLine) => collect(read, onLine) };
        },
      };
    },
  };
}

/** An editor of ECA, in the dialect of 2026 where the server speaks it. */
export async function ecaEditor(command: readonly string[], user: User = {}): Promise<Editor> {
  const client = await spawnEca(command, {
    workspaceFolders: [{ name: "p", uri: "file:///p" }],
    permission: async () => decisionOf(user),
    question: async () => user.answer,
    onError: () => {},
  });
  return {
    close: () => client.close(),
    list: async () => (await client.listSessions()).map(({ title }) => title),
    async newSession() {
      const session = client.newSession();
      return {
        get id() {
          return session.id;
        },
        prompt(text) {
          const turn = session.prompt(text);
          const read = async (onLine: (line: string) => void): Promise<void> => {
            for await (const event of turn) {
              if (event.type === "text" || event.type === "notice") onLine(event.text.trim());
              if (event.type === "thought" && event.text !== "") onLine(`thought: ${event.text}`);
              if (event.type === "tool_call" && event.toolCall.details?.type === "task") {
                const { tasks } = event.toolCall.details as { tasks: { subject: string }[] };
                onLine(`plan: ${tasks.map(({ subject }) => subject).join()}`);
              } else if (event.type === "tool_call") {
                onLine(`${event.toolCall.title}: ${event.toolCall.status}`);
                if (event.toolCall.details?.type === "fileChange") onLine("diff");
              }
              if (event.type === "stop") onLine(event.stopReason);
            }
          };
          return { cancel: () => turn.cancel(), lines: (onLine) => collect(read, onLine) };
        },
      };
    },
  };
}

/** The lines that `read` gives, each once in a row; the message of what it throws is the last one. */
async function collect(
  read: (onLine: (line: string) => void) => Promise<void>,
  onLine: (line: string) => void = () => {},
): Promise<string[]> {
  const lines: string[] = [];
  try {
    await read((line) => {
      if (lines.includes(line) && (line === "diff" || line === lines.at(-1) || / (pending|waiting)$/.test(line)))
        return;
      lines.push(line);
      onLine(line);
    });
  } catch (error) {
    lines.push(`error: ${(error as Error).message}`);
  }
  return lines;
}
