import { once } from "node:events";
import type { Writable } from "node:stream";
import type { AgentEvent, AgentSession } from "@editwire/agent";
import { oneLine, plainText } from "../text.js";
import type { ExecOutput } from "./exec.js";

/** Where outputs write. */
export interface OutputStreams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** Writes a line for the user. */
  readonly say: (line: string) => void;
  /** Says each step of the agent. */
  readonly verbose: boolean;
}

/** The agent's text on stdout; messages of one turn are apart by a blank line. All else is said to the user. */
export function textOutput({ stdout, say, verbose }: OutputStreams): ExecOutput {
  // A terminal obeys what it gets: there, the agent's text has no commands.
  const printed = stdout.isTTY === true ? plainText : String;
  let last = "";
  let isApart = false;
  const statuses = new Map<string, string>();
  const write = (text: string): void | Promise<void> => {
    if (text === "") return;
    const gap = isApart && last !== "" ? (last.endsWith("\n\n") ? "" : last.endsWith("\n") ? "\n" : "\n\n") : "";
    isApart = false;
    last = (last + gap + text).slice(-2);
    return written(stdout, gap + printed(text));
  };
  return {
    session({ id }) {
      if (verbose) say(`session ${id}`);
    },
    event(event) {
      if (event.type === "text") return write(event.text);
      isApart ||= event.type === "tool_call" || event.type === "content" || event.type === "user";
      if (event.type === "stop") return last === "" || last.endsWith("\n") ? undefined : written(stdout, "\n");
      if (event.type === "tool_call") {
        const { toolCallId, title, status } = event.toolCall;
        if (verbose && statuses.get(toolCallId) !== status) say(oneLine(`${title}: ${status}`));
        return void statuses.set(toolCallId, status);
      }
      const line = lineOf(event);
      if (line !== undefined) say(oneLine(line));
    },
    refused: ({ toolCall: { title, kind = "other" } }) =>
      say(oneLine(`not allowed: ${title} (--permission ${kind}=allow_once allows it)`)),
  };
}

/** One JSON object for each event, on a line of stdout. The first one has the session, the last one is `stop`. */
export function jsonOutput(stdout: Writable, protocol: string, agentInfo: () => unknown): ExecOutput {
  const line = (value: object): void | Promise<void> => written(stdout, `${JSON.stringify(value)}\n`);
  return {
    session: ({ id: sessionId, cwd, modeId, models }: AgentSession) =>
      line({ type: "session", sessionId, protocol, agent: agentInfo(), cwd, modeId, modelId: models?.currentModelId }),
    event: line,
    refused() {}, // the event `permission` has the decision
  };
}

/** The line for the user about an event. */
function lineOf(event: AgentEvent): string | undefined {
  if (event.type === "notice") return `${event.notice.severity}: ${event.notice.text}`;
  if (event.type === "content") return `the agent sent ${event.content.type}, which --json shows`;
  if (event.type === "question" && event.answered !== true)
    return `the agent asked, and nobody can answer: ${event.question.question}`;
  return undefined;
}

/** Writes, and resolves when the reader has caught up if it is slow, or has gone. */
function written(stdout: Writable, text: string): void | Promise<void> {
  if (stdout.destroyed || stdout.write(text)) return;
  return once(stdout, "drain").then(
    () => {},
    () => {},
  );
}
