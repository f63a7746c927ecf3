import { pause } from "../../../core/talk/time.js";
import { type Ending, type Json, objectOf, type Question, type ServerBehavior } from "./server-behavior.js";

/** The operations of a run. */
export interface RunSetting {
  readonly behavior: ServerBehavior;
  readonly params: Json;
  readonly signal: AbortSignal;
  send(kind: string, content: Json): void;
  /** Registers a question, and gives its id. */
  ask(question: Question): string;
}

type Script = (run: RunSetting, args: Json) => Ending | Promise<Ending>;

const say = (run: RunSetting, text: string, partial = false): void =>
  run.send("ai_response", { text, partial, confidence: 0.95, tokens: text.length });

const scripts: Readonly<Record<string, Script>> = {
  text(run, { text = "ok" }) {
    say(run, String(text));
    return "completed";
  },
  async chunks(run, { count = 5 }): Promise<Ending> {
    for (let n = 1; n <= Number(count) && !run.signal.aborted; n++) {
      say(run, `${n} `, n < Number(count));
      await pause(0, run.signal);
    }
    return "completed";
  },
  async slow(run, { ms = 20_000 }): Promise<Ending> {
    say(run, "working");
    await pause(Number(ms), run.signal);
    return "completed";
  },
  "tool-ok"(run) {
    const call = { tool_name: "read_file", operation: "read", parameters: { file_path: "README.md" } };
    run.send("tool_call", { ...call, status: "pending" });
    run.send("tool_call", { ...call, status: "executing" });
    const result = { success: true, output: "text", error: null, execution_time: 1 };
    run.send("tool_call", { ...call, status: "completed", result });
    return "completed";
  },
  async ask(run, { timeout = 30 }): Promise<Ending> {
    const options = ["approve", "deny"];
    const answer = await answerOf(run, { interaction_type: "choice", prompt: "May I?", options, timeout });
    if (!run.signal.aborted) say(run, `answer: ${answer}`);
    return "completed";
  },
  async modify(run): Promise<Ending> {
    const file_path = "README.md";
    const proposal = { proposal_id: "proposal-1", file_path, operation: "modify", diff: "@@ -1 +1 @@\n-a\n+b" };
    run.send("file_modification", { ...proposal, risk_level: "low", requires_approval: true });
    const options = ["approve", "deny", "edit"];
    await answerOf(run, { interaction_type: "file_approval", prompt: "Apply it?", options, timeout: 30 });
    if (!run.signal.aborted) say(run, "done");
    return "completed";
  },
  error(run) {
    run.send("error", { error_code: "TOOL_EXECUTION_FAILED", message: "no such file", recoverable: true });
    say(run, "ok");
    return "completed";
  },
  fail(run) {
    run.send("error", { error_code: "MODEL_UNAVAILABLE", message: "no answer", details: null, recoverable: false });
    return "failed";
  },
};

async function answerOf(run: RunSetting, content: Json & { readonly options: readonly string[] }): Promise<string> {
  const fallback = "deny";
  const { behavior, signal } = run;
  let settle = (_answer: string | undefined): void => {};
  const answered = new Promise<string | undefined>((resolve) => (settle = resolve));
  const question: Question = { options: content.options, over: false, settle };
  const interaction_id = run.ask(question);
  run.send("user_interaction", { interaction_id, ...content, default_response: fallback });
  if (!behavior.waits) settle(fallback);
  const patience = pause(behavior.patience(Number(content["timeout"])), signal).then(async () => {
    const taken = signal.aborted ? fallback : behavior.unanswered(fallback);
    return taken === undefined ? answered : taken;
  });
  const answer = await Promise.race([answered, patience]);
  question.over = true;
  return answer ?? fallback;
}

/** Runs to the end, but for what is sent first and last. */
export async function takeRun(run: RunSetting): Promise<Ending> {
  const { incidents } = run.params;
  const [first] = (Array.isArray(incidents) ? incidents : []) as unknown[];
  const text = String(objectOf(first)["message"]);
  const [, name = "", args = "{}"] = /^\s*conf:([a-z-]+)\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  // A run takes at least a tick, so that what was sent right behind its request is read before it ends.
  await pause(1, run.signal);
  if (run.signal.aborted) return "cancelled";
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script === undefined) say(run, "ok");
  const ending = script === undefined ? "completed" : await script(run, JSON.parse(args) as Json);
  return run.signal.aborted ? "cancelled" : ending;
}
