import { pause } from "../../../core/talk/time.js";
import type { Json, ServerBehavior, ServerChat } from "./server-behavior.js";

/** The operations of a turn. */
export interface Turn {
  readonly behavior: ServerBehavior;
  readonly chat: ServerChat;
  readonly params: Json;
  readonly signal: AbortSignal;
  send(role: string, content: Json): void;
}

type Ending = "done" | "rejected" | "failed";
type Script = (turn: Turn, args: Json) => Ending | Promise<Ending>;

const say = (turn: Turn, text: string): void => turn.send("assistant", { type: "text", text });
const details = { type: "fileChange", path: "/project/src/a.ts", diff: "-a\n+b\n", linesAdded: 1, linesRemoved: 1 };
const toolArguments = { path: "/project/src/a.ts" };

const scripts: Readonly<Record<string, Script>> = {
  text(turn, { text = "ok" }) {
    say(turn, String(text));
    return "done";
  },
  async chunks(turn, { count = 5 }): Promise<Ending> {
    for (let n = 1; n <= Number(count) && !turn.signal.aborted; n++) {
      say(turn, `${n} `);
      await pause(0, turn.signal);
    }
    return "done";
  },
  recall(turn) {
    say(turn, turn.behavior.remembers(turn.chat.said.slice(0, -1)).join("\n"));
    return "done";
  },
  async slow(turn, { ms = 20_000 }): Promise<Ending> {
    say(turn, "working");
    await pause(Number(ms), turn.signal);
    return "done";
  },
  reason(turn) {
    turn.send("assistant", { type: "reasonStarted", id: `${turn.chat.id}-reason-${turn.chat.said.length}` });
    turn.send("assistant", { type: "reasonText", id: `${turn.chat.id}-reason-${turn.chat.said.length}`, text: "hm" });
    turn.send("assistant", { type: "reasonFinished", id: `${turn.chat.id}-reason-${turn.chat.said.length}` });
    turn.send("assistant", { type: "url", title: "ECA", url: "https://eca.dev" });
    say(turn, "ok");
    return "done";
  },
  "tool-ok": (turn, { text = "ok" }) => callTool(turn, false, String(text)),
  "tool-fail": (turn) => callTool(turn, false, "no such file", true),
  async "ask-approval"(turn) {
    const ending = await callTool(turn, true, "ok");
    if (turn.behavior.loopsOn(turn.signal.aborted)) say(turn, "done");
    return ending;
  },
  error: () => "failed",
};

async function callTool(turn: Turn, manualApproval: boolean, text: string, error = false): Promise<Ending> {
  const { behavior, chat } = turn;
  const id = behavior.toolId(chat);
  const tool = { origin: "native", id, name: "read_file", summary: "Reading a.ts", details };
  for (const argumentsText of behavior.prepares(JSON.stringify(toolArguments))) {
    turn.send("assistant", { type: "toolCallPrepare", ...tool, argumentsText, manualApproval });
  }
  turn.send("assistant", { type: "toolCallRun", ...tool, arguments: toolArguments, manualApproval });
  const approved = !behavior.waits(manualApproval) || (await answerOf(turn, id));
  if (approved === "stopped") {
    if (behavior.rejectsAtStop)
      turn.send("assistant", { type: "toolCallRejected", ...tool, arguments: toolArguments, reason: "user" });
    return "done";
  }
  if (behavior.runs(approved)) {
    turn.send("assistant", {
      type: "toolCalled",
      ...tool,
      arguments: toolArguments,
      error,
      outputs: [{ type: "text", text, content: text }],
    });
    return "done";
  }
  turn.send("assistant", { type: "toolCallRejected", ...tool, arguments: toolArguments, reason: behavior.reject });
  return "rejected";
}

function answerOf({ behavior, chat, signal, send }: Turn, id: string): Promise<boolean | "stopped"> {
  send("system", { type: "progress", state: "running", text: "Waiting for tool call approval" });
  return new Promise((resolve) => {
    chat.waiting.set(id, resolve);
    void behavior.patience().then(() => resolve(true));
    signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
}

/** Runs one turn to its end, but for what is sent first and last. */
export async function takeTurn(turn: Turn): Promise<Ending> {
  const text = String(turn.params["message"]);
  const [, name = "", args = ""] = /^\s*conf:([a-z-]+)\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  // A turn takes at least a tick, so that what was sent right behind the prompt is read before it ends.
  await pause(1, turn.signal);
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (turn.signal.aborted) return "done";
  if (script !== undefined) return script(turn, args === "" ? {} : (JSON.parse(args) as Json));
  say(turn, text === "" ? "ok" : text);
  return "done";
}
