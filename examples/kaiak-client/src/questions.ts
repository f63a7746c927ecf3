import { setImmediate } from "node:timers/promises";
import {
  assignKeys,
  type Choice,
  chooseByKey,
  type LineReader,
  oneLine,
  pipedLines,
  type Terminal,
  terminalLines,
} from "@editwire/example-terminal-client";
import type { KaiakQuestion, KaiakQuestionHandler } from "@editwire/kaiak";

type Option = { readonly name: string };

/** The key of an option by its meaning. */
const keys: Readonly<Record<string, string>> = {
  ...{ approve: "y", allow: "y", yes: "y", confirm: "y" },
  ...{ deny: "n", reject: "n", no: "n", cancel: "n" },
  edit: "e",
};

/** The answers to a question whose server leaves them out. */
const usualOptions: Readonly<Record<string, readonly string[]>> = {
  confirmation: ["yes", "no"],
  file_approval: ["approve", "deny"],
  tool_permission: ["allow", "deny"],
};

/** Gives each answer a key. */
export function choicesOf({ type, options }: Pick<KaiakQuestion, "type" | "options">): Choice<Option>[] {
  const names = options.length > 0 ? options : (usualOptions[type] ?? []);
  return assignKeys(
    names.map((name) => ({ name })),
    ({ name }) => keys[name.toLowerCase()],
  );
}

/** Answers questions, one at a time. */
export interface Questions {
  readonly handler: KaiakQuestionHandler;
  close(): void;
}

/** An answer, and why this program gave it. */
interface Answer {
  readonly text: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Asks the user: at the terminal, or else through lines of standard input. With `yes`, it approves by itself. A
 * question that nobody can answer is declined, or left to the server's default.
 */
export function openQuestions({ yes }: { readonly yes: boolean }, terminal: Terminal): Questions {
  const { screen, colors, keyboard } = terminal;
  let lines: LineReader | undefined;
  let before: Promise<unknown> = Promise.resolve();

  const ask = async (question: KaiakQuestion, choices: readonly Choice<Option>[], signal: AbortSignal) => {
    if (yes) return approval(question, choices);
    if (keyboard !== undefined && choices.length > 0)
      return { text: (await chooseByKey(keyboard, choices, screen, colors, signal))?.name };
    lines ??= linesOf(terminal);
    return fromLines(question, choices, lines, terminal, signal);
  };
  const decide = async (question: KaiakQuestion, signal: AbortSignal): Promise<string | undefined> => {
    await setImmediate(); // the events that came before the question are shown first
    await screen.drained();
    if (signal.aborted) return undefined;
    const choices = choicesOf(question);
    const offered = choices.map(({ key, option }) => `${key} ${oneLine(option.name)}`).join(", ");
    const hint = keyboard === undefined && offered !== "" ? colors.dim(`  ${offered}`) : "";
    screen.print("question", [`${colors.yellow("?")} ${oneLine(question.prompt)}${hint}`]);
    const { text, reason } = await ask(question, choices, signal);
    const said = signal.aborted ? "withdrawn" : (text ?? "left to the server");
    screen.continue([colors.dim(`  └ ${oneLine(said)}${reason === undefined ? "" : ` (${reason})`}`)]);
    return text;
  };
  return {
    handler(question, { signal }) {
      const { timeoutMs } = question;
      const limited = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const answer = before.then(() => (limited.aborted ? undefined : decide(question, limited)));
      before = answer.catch(() => {});
      return answer;
    },
    close: () => lines?.close(),
  };
}

function linesOf({ screen, colors, keyboard, interrupts }: Terminal): LineReader {
  const prompt = `${colors.cyan("›")} `;
  const onInterrupt = (): void => interrupts.press();
  if (keyboard !== undefined) return terminalLines(process, keyboard, screen, { prompt, onInterrupt });
  return pipedLines(process.stdin, () => {});
}

/** Reads lines until one answers the question. */
async function fromLines(
  { defaultResponse }: KaiakQuestion,
  choices: readonly Choice<Option>[],
  lines: LineReader,
  { screen, colors }: Terminal,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    const line = (await lines.next(signal))?.trim();
    if (line === undefined) {
      const no = choices.find(({ key }) => key === "n")?.option.name ?? defaultResponse;
      return signal.aborted ? { text: undefined } : { text: no, reason: "there is nobody to ask; --yes approves" };
    }
    if (choices.length === 0) return { text: line };
    const chosen = choices.find(({ key, option }) => [key, option.name.toLowerCase()].includes(line.toLowerCase()));
    if (chosen !== undefined) return { text: chosen.option.name };
    screen.continue([colors.dim(`  │ “${oneLine(line)}” is not an answer`)]);
  }
}

function approval({ defaultResponse }: KaiakQuestion, choices: readonly Choice<Option>[]): Answer {
  const approving = choices.find(({ key }) => key === "y")?.option.name;
  return { text: approving ?? defaultResponse, reason: "answered by --yes" };
}
