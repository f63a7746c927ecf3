import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { Contender } from "./contender.js";
import { asksBefore, type KaiakErrand, openSends, piece } from "./kaiak-errand.js";

const execute = "workspace/executeCommand";

interface Streamed {
  readonly content: { readonly text: string; readonly interaction_id: string };
}

interface Command {
  readonly command: string;
  readonly arguments: readonly [
    { readonly interaction_id: string; readonly incidents: readonly { message: string }[] },
  ];
}

/** The same messages, written by hand over vscode-jsonrpc and validated nowhere. */
export const contender: Contender = {
  async spawn([program = "", ...args]) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const command = (name: string, argument: object): Promise<unknown> =>
      connection.sendRequest(execute, { command: name, arguments: [argument] });
    let chars = 0;
    let questions: Promise<unknown>[] = [];
    connection.onNotification(
      "kaiak/stream/ai_response",
      ({ content }: Streamed) => void (chars += content.text.length),
    );
    connection.onNotification("kaiak/stream/user_interaction", ({ content: { interaction_id } }: Streamed) => {
      questions.push(command("kaiak/interaction/respond", { interaction_id, response_data: { response: "yes" } }));
    });
    connection.listen();
    return {
      async call(_method, errand) {
        chars = 0;
        questions = [];
        const incidents = [{ id: "1", rule_id: "r", message: JSON.stringify(errand) }];
        await command("kaiak/generate_fix", { session_id: randomUUID(), incidents });
        await Promise.all(questions);
        return { chars, questions: questions.length };
      },
      update: () => {},
      close() {
        connection.dispose();
        child.stdin.end();
      },
    };
  },
  stdio() {
    const connection = createMessageConnection(
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    );
    const open = new Map<string, (answer: unknown) => void>();
    connection.onRequest(execute, async ({ command, arguments: [argument] }: Command) => {
      if (command === "kaiak/generate_fix") return run(connection, argument, open);
      open.get(argument.interaction_id)?.(argument);
      return { success: true };
    });
    connection.onClose(() => process.exit());
    connection.listen();
  },
};

async function run(
  connection: MessageConnection,
  { incidents }: Command["arguments"][0],
  open: Map<string, (answer: unknown) => void>,
): Promise<object> {
  const errand = JSON.parse(incidents[0]?.message ?? "") as KaiakErrand;
  let last = 0;
  const send = (stream: string, content: object): Promise<void> =>
    connection.sendNotification(`kaiak/stream/${stream}`, {
      session_id: "s",
      request_id: "r",
      message_id: `msg-${++last}`,
      timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
      content,
    });
  const answers: Promise<unknown>[] = [];
  let sends: Promise<void>[] = [];
  for (let index = 0; index < errand.texts; index++) {
    if (asksBefore(index, errand)) {
      const interaction_id = randomUUID();
      answers.push(new Promise((resolve) => open.set(interaction_id, resolve)));
      const question = { interaction_id, interaction_type: "choice", prompt: "Go on?", options: ["yes", "no"] };
      sends.push(send("user_interaction", { ...question, timeout: 300 }));
    }
    sends.push(send("ai_response", { text: piece, partial: true }));
    if (sends.length < openSends) continue;
    await Promise.all(sends);
    sends = [];
  }
  await Promise.all([...sends, ...answers]);
  const completed_at = `${new Date().toISOString().slice(0, 19)}Z`;
  return { request_id: "r", session_id: "s", status: "completed", incident_count: 1, completed_at };
}
