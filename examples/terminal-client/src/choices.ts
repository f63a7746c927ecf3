import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { Keyboard } from "./keyboard.js";
import type { Colors } from "./render/look.js";
import { oneLine } from "./render/sanitize.js";
import type { Screen } from "./screen.js";

/** An option and the key that chooses it. */
export interface Choice<Option extends { readonly name: string }> {
  readonly key: string;
  readonly option: Option;
}

/** Gives each option a key: its own the first time, by its place (1 to 9) when that key is taken. */
export function assignKeys<Option extends { readonly name: string }>(
  options: readonly Option[],
  keyOf: (option: Option) => string | undefined,
): Choice<Option>[] {
  const taken = new Set<string>();
  return options.flatMap((option, index) => {
    const key = [keyOf(option), String(index + 1)].find(
      (candidate) => candidate?.length === 1 && !taken.has(candidate),
    );
    if (key === undefined) return [];
    taken.add(key);
    return [{ key, option }];
  });
}

/** Cells of a name; what is longer is cut, and ends in an ellipsis. */
const maxLabel = 400;

/**
 * The keys and what they do, in one line where that fits. A name that is wider than the terminal goes on in the next
 * line: its end may say what is allowed. `interrupt` is what Ctrl-C does.
 */
export function renderChoices(
  choices: readonly Choice<{ readonly name: string }>[],
  columns: number,
  { bold, dim }: Colors,
  interrupt = "Cancel the turn",
): string[] {
  const labels = choices.map(({ key, option }) => ({ key, label: cliTruncate(oneLine(option.name), maxLabel) }));
  const items = [...labels, { key: "ctrl-c", label: interrupt }];
  const width = items.reduce((total, { key, label }) => total + key.length + stringWidth(label) + 4, 0);
  if (width <= columns) return [`  ${items.map(({ key, label }) => `${bold(key)} ${dim(label)}`).join("   ")}`];
  return items.flatMap(({ key, label }) => {
    const lines = wrapAnsi(label, Math.max(columns - key.length - 4, 16), { hard: true }).split("\n");
    return lines.map((line, index) => `  ${index === 0 ? bold(key) : " ".repeat(key.length)} ${dim(line)}`);
  });
}

/**
 * Waits for a key that stands for an option; `undefined` when the question is withdrawn. `interrupt` is what Ctrl-C
 * does; default: it cancels the turn.
 */
export async function chooseByKey<Option extends { readonly name: string }>(
  keyboard: Keyboard,
  choices: readonly Choice<Option>[],
  screen: Screen,
  colors: Colors,
  signal: AbortSignal,
  interrupt?: string,
): Promise<Option | undefined> {
  const release = screen.pinLines(renderChoices(choices, screen.columns, colors, interrupt));
  let stop = (): void => {};
  try {
    return await new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
      stop = keyboard.listen((pressed) => {
        const choice = choices.find(({ key }) => key === pressed.toLowerCase());
        if (choice !== undefined) resolve(choice.option);
      });
    });
  } finally {
    stop();
    release();
  }
}
