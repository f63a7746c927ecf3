import type { Scratch } from "./scratch.js";
import type { Script, ScriptRun, ToolRequest } from "./script.js";
import { findToken } from "./token.js";
import { callFor, type ToolMap, type ToolValues } from "./tools.js";
import type { ModelTurn } from "./turn.js";

/** How a target is made to behave. */
export interface BehaviorScriptOptions {
  /** Where the files lie that its tools work on. */
  readonly scratch: Scratch;
  /** Its tools by kind. Missing ones are guessed from the tools that it offers. */
  readonly tools?: ToolMap | undefined;
  /** The answer where no behavior is asked for, as in side calls. Default `ok`. */
  readonly otherwise?: string | undefined;
}

/** The surroundings of one behavior. */
interface Scene {
  readonly args: Readonly<Record<string, unknown>>;
  readonly scratch: Scratch;
  readonly past: readonly string[];
  call(kind: string, values: ToolValues): ToolRequest | undefined;
}

const MAX_TEXT = 16 * 1024 * 1024;
const MAX_HOLD_MS = 600_000;
const MAX_ROUNDS = 1_000;

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
const count = (value: unknown, otherwise: number, limit: number): number =>
  Math.min(Math.max(typeof value === "number" ? value : otherwise, 0), limit);

const behaviors: Readonly<Record<string, (scene: Scene) => ScriptRun>> = {
  *text({ args }) {
    yield { say: [text(args["text"], "ok")] };
  },
  *chunks({ args }) {
    yield { say: Array.from({ length: count(args["count"], 5, 100_000) }, (_, index) => `${index + 1} `) };
  },
  *recall({ past }) {
    yield { say: [past.join("\n")] };
  },
  *slow({ args }) {
    yield { say: ["working"], holdMs: count(args["ms"], 20_000, MAX_HOLD_MS) };
  },
  *long({ args }) {
    yield { say: ["x".repeat(count(args["size"], 65_536, MAX_TEXT))] };
  },
  *think({ args }) {
    yield { think: text(args["text"], "let me think"), say: ["ok"] };
  },
  "tool-ok": ({ args, ...scene }) => {
    const output = text(args["text"], "ok");
    return use(scene, text(args["kind"], "read"), { content: output });
  },
  "tool-fail": ({ args, ...scene }) => {
    const kind = text(args["kind"], "read");
    return use(scene, kind, { path: scene.scratch.missing(), argv: node("process.exit(1)"), command: "exit 1" });
  },
  // Some agents run without a question what they know to be harmless, such as printf.
  "ask-permission": ({ args, ...scene }) =>
    use(scene, text(args["kind"], "execute"), { command: `node -e "process.stdout.write('ok')"` }),
  "read-file": ({ args, ...scene }) =>
    use(scene, "read", typeof args["path"] === "string" ? { path: args["path"] } : {}),
  "write-file": ({ args, ...scene }) => use(scene, "edit", args),
  terminal: (scene) => use(scene, "execute", {}),
  *plan(scene) {
    for (const status of ["in_progress", "completed"]) {
      const entries = [
        { content: "First", status, priority: "high" },
        { content: "Second", status: "pending", priority: "low" },
      ];
      yield step(scene, "plan", { entries });
    }
    yield { say: ["planned"] };
  },
  *refuse() {
    yield { say: ["I will not do that."], finish: "content_filter" };
  },
  *"max-tokens"() {
    yield { say: ["and so on"], finish: "length" };
  },
  *"max-turn-requests"(scene) {
    for (let round = 0; round < MAX_ROUNDS; round++) yield step(scene, "read", {});
  },
  *error() {
    yield { fail: { status: 400, message: "prompt execution failed, as it was told" } };
  },
};

/** The behaviors for which the target must offer tools. */
export const toolBehaviors: readonly string[] = [
  "tool-ok",
  "tool-fail",
  "ask-permission",
  "read-file",
  "write-file",
  "terminal",
  "plan",
  "max-turn-requests",
];

/** The names of what the scripted model can be asked for. */
export const modelBehaviors: readonly string[] = Object.keys(behaviors);

/**
 * The script of the conformance suite: a token such as `[[conf:tool-ok]]` in the user's last message says what the
 * model does. A request without one is answered neutrally, and so are side calls, such as for a title, that carry the
 * user's message along.
 */
export function behaviorScript({ scratch, tools = {}, otherwise = "ok" }: BehaviorScriptOptions): Script {
  return function* (turn) {
    const token = isSideCall(turn) ? undefined : findToken(turn.prompt);
    if (token === undefined) return void (yield { say: [otherwise] });
    const { name, args } = token;
    // A request without tools is not the one that the behavior is for: it must not end the turn with an error.
    if (turn.tools.size === 0 && toolBehaviors.includes(name)) return void (yield { say: [otherwise] });
    const behavior = Object.hasOwn(behaviors, name) ? behaviors[name] : undefined;
    if (behavior === undefined)
      return void (yield { fail: { status: 400, message: `There is no behavior "${name}"` } });
    const call = (kind: string, values: ToolValues) =>
      callFor(kind, { ...usualValues(kind, scratch, values), ...values }, turn.tools, tools);
    yield* behavior({ args, scratch, past: turn.past, call });
  };
}

/** An agent's own questions come without tools, and say what they want. */
function isSideCall({ tools, system, prompt }: ModelTurn): boolean {
  return (
    tools.size === 0 &&
    /\b(title|summar(y|ies|i[sz]e)|topic|classify|branch name|commit message)\b/i.test(`${system}\n${prompt}`)
  );
}

/**
 * The values of a tool call that the behavior does not set: a tool that reads gets an existing file, a tool that writes
 * gets a new name.
 */
function usualValues(kind: string, scratch: Scratch, { path, content }: ToolValues): ToolValues {
  const output = typeof content === "string" ? content : "ok";
  return {
    path: path ?? (kind === "edit" ? scratch.fresh() : scratch.file(output)),
    content: output,
    argv: node(`process.stdout.write(${JSON.stringify(output)})`),
    command: `printf %s '${output.replaceAll("'", `'\\''`)}'`,
    pattern: "ok",
    reason: "the conformance suite asks for it",
  };
}

function node(code: string): string[] {
  return ["node", "-e", code];
}

function* use(scene: Pick<Scene, "call">, kind: string, values: ToolValues): ScriptRun {
  yield step(scene, kind, values);
  yield { say: ["done"] };
}

function step({ call }: Pick<Scene, "call">, kind: string, values: ToolValues) {
  const request = call(kind, values);
  if (request === undefined)
    return {
      fail: { status: 400, message: `The conversation offers no tool of the kind "${kind}" that the model knows` },
    };
  return { calls: [request] };
}
