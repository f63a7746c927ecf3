import type { Json, Refusal } from "./agent-behavior.js";
import { type AgentModel, askModel } from "./agent-model.js";

/** The operations of a turn. */
export interface Turn {
  readonly blocks: readonly Json[];
  /** The user's earlier messages. */
  readonly past: readonly string[];
  /** Keeps what the user says. */
  heard(text: string): void;
  /** The id of its tool call. */
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  update(update: Json): void;
  /** Asks for permission; `undefined` when the turn was canceled meanwhile. */
  ask(toolCall: Json): Promise<Json | undefined>;
  allows(outcome: Json | undefined): boolean;
  /** Asks the client, if it offers the method; `undefined` when it does not, or refuses. */
  request(method: string, params: Json): Promise<Json | undefined>;
  /** The signal that ends the wait for a command, made from the one that ends the turn. */
  readonly commandSignal: AbortSignal | undefined;
  /** Done with a terminal, which may have been killed: the methods that are called. */
  leaves(wasKilled: boolean): readonly string[];
  /** Answers prompts that are not commands; without it such a prompt is answered with its own text. */
  readonly model: AgentModel | undefined;
}

type End = string | Refusal;
type Script = (turn: Turn, args: Json) => End | Promise<End>;

const say = (turn: Turn, text: string): void =>
  turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const output = (text: string): Json[] => [{ type: "content", content: { type: "text", text } }];
const kindOf = (args: Json, otherwise: string): string => (typeof args["kind"] === "string" ? args["kind"] : otherwise);

function begin(turn: Turn, kind: string): void {
  turn.update({
    sessionUpdate: "tool_call",
    toolCallId: turn.toolCallId,
    title: `A ${kind} tool`,
    kind,
    status: "in_progress",
    locations: [{ path: "/tmp/a" }],
    rawInput: { path: "/tmp/a" },
  });
}

function finish(turn: Turn, status: "completed" | "failed", text: string): void {
  const { toolCallId } = turn;
  turn.update({ sessionUpdate: "tool_call_update", toolCallId, status, content: output(text), rawOutput: text });
}

const scripts: Readonly<Record<string, Script>> = {
  text(turn, { text = "ok" }) {
    say(turn, String(text));
    return "end_turn";
  },
  async chunks(turn, { count = 5 }) {
    for (let n = 1; n <= Number(count) && !turn.signal.aborted; n++) {
      say(turn, `${n} `);
      await Promise.resolve();
    }
    return "end_turn";
  },
  recall(turn) {
    say(turn, turn.past.join("\n"));
    return "end_turn";
  },
  async slow(turn, { ms = 20_000 }) {
    say(turn, "working");
    await pause(Number(ms), turn.signal);
    return "end_turn";
  },
  async "tool-ok"(turn, args) {
    begin(turn, kindOf(args, "read"));
    turn.update({ sessionUpdate: "tool_call_update", toolCallId: turn.toolCallId, status: "in_progress" });
    finish(turn, "completed", String(args["text"] ?? "ok"));
    return "end_turn";
  },
  "tool-fail"(turn, args) {
    begin(turn, kindOf(args, "execute"));
    finish(turn, "failed", "it failed");
    return "end_turn";
  },
  async "ask-permission"(turn, args) {
    const kind = kindOf(args, "execute");
    begin(turn, kind);
    const outcome = await turn.ask({
      toolCallId: turn.toolCallId,
      title: `A ${kind} tool`,
      kind,
      status: "pending",
      rawInput: { command: "true" },
    });
    if (turn.signal.aborted) return "cancelled";
    if (turn.allows(outcome)) finish(turn, "completed", "ran");
    else finish(turn, "failed", "not allowed");
    return "end_turn";
  },
  async "read-file"(turn, { path = "/tmp/a" }) {
    const found = await turn.request("fs/read_text_file", { path });
    say(turn, String(found?.["content"] ?? "nothing"));
    return "end_turn";
  },
  async "write-file"(turn, { path = "/tmp/a", content = "" }) {
    await turn.request("fs/write_text_file", { path, content });
    return "end_turn";
  },
  async terminal(turn, { command = "true", args = [] }) {
    const { terminalId } = (await turn.request("terminal/create", { command, args })) ?? {};
    if (terminalId === undefined) return "end_turn";
    const { toolCallId } = turn;
    const call = { toolCallId, title: "A command", kind: "execute", status: "in_progress" };
    turn.update({ sessionUpdate: "tool_call", ...call, content: [{ type: "terminal", terminalId }] });
    const cancelled = new Promise<undefined>((resolve) => {
      turn.commandSignal?.addEventListener("abort", () => resolve(undefined), { once: true });
      // The cancel may have come with the answer.
      if (turn.commandSignal?.aborted) resolve(undefined);
    });
    const status = await Promise.race([turn.request("terminal/wait_for_exit", { terminalId }), cancelled]);
    if (status === undefined) await turn.request("terminal/kill", { terminalId });
    const { output = "" } = (await turn.request("terminal/output", { terminalId })) ?? {};
    for (const method of turn.leaves(status === undefined)) await turn.request(method, { terminalId });
    finish(turn, status === undefined ? "failed" : "completed", String(output));
    say(turn, String(output));
    return "end_turn";
  },
  plan(turn) {
    for (const status of ["in_progress", "completed"]) {
      turn.update({
        sessionUpdate: "plan",
        entries: [
          { content: "First", priority: "high", status },
          { content: "Second", priority: "low", status: "pending" },
        ],
      });
    }
    return "end_turn";
  },
  long(turn, { size = 65_536 }) {
    say(turn, "x".repeat(Number(size)));
    return "end_turn";
  },
  refuse: () => "refusal",
  "max-tokens": () => "max_tokens",
  "max-turn-requests": () => "max_turn_requests",
  error: () => ({ code: -32603, message: "prompt execution failed", data: "as it was told" }),
};

/** Runs one turn: echoes the prompt, then does what it says. */
export async function takeTurn(turn: Turn): Promise<End> {
  for (const content of turn.blocks) turn.update({ sessionUpdate: "user_message_chunk", content });
  const text = turn.blocks.map(({ text: one }) => (typeof one === "string" ? one : "")).join("");
  turn.heard(text);
  const [, name = "", args = ""] = /^\s*conf:([a-z-]+)\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  // A turn takes at least a tick, so that what was sent right behind the prompt is read before it ends.
  await pause(1, turn.signal);
  if (turn.signal.aborted) return "cancelled";
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script === undefined && turn.model !== undefined)
    return askModel(turn.model, text, turn.signal, (piece) => say(turn, piece));
  if (script === undefined) {
    say(turn, text === "" ? "ok" : text);
    return "end_turn";
  }
  return script(turn, args === "" ? {} : (JSON.parse(args) as Json));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
