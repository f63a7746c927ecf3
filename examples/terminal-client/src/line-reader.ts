import { clearScreenDown, createInterface, cursorTo } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import type { Keyboard } from "./keyboard.js";
import type { Screen } from "./screen.js";

/** Where the lines of the prompt loop come from. */
export interface LineReader {
  /** The next line; `undefined` when there is none any more, or when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  /** The line that `next` will give, once it is there; absent where nothing is typed ahead. */
  peek?(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** The prompt, and the reactions to Tab and Ctrl-C. */
export interface PromptOptions {
  readonly prompt: string;
  /** The lines that the beginning of one may become, at Tab. Default: none. */
  readonly complete?: ((line: string) => string[]) | undefined;
  readonly onInterrupt: () => void;
}

/**
 * Reads lines with editing, completion and a history, beginning with what was typed before. Ctrl-C calls `onInterrupt`,
 * Ctrl-D ends the lines. Output goes above the prompt.
 */
export function terminalLines(
  { stdin, stdout }: { stdin: ReadStream; stdout: WriteStream },
  keyboard: Keyboard,
  screen: Screen,
  { prompt, complete = () => [], onInterrupt }: PromptOptions,
): LineReader {
  let history: string[] = [];
  let typed = keyboard.takeTyped();
  return {
    async next(signal) {
      screen.gap();
      keyboard.pause();
      const lines = createInterface({
        input: stdin,
        output: stdout,
        prompt,
        history,
        historySize: 100,
        completer: (line: string) => [complete(line), line],
      });
      const unpin = screen.pin({
        draw: () => lines.prompt(true),
        erase: () => {
          cursorTo(stdout, 0);
          clearScreenDown(stdout);
        },
      });
      const close = (): void => lines.close();
      signal.addEventListener("abort", close);
      try {
        return await new Promise<string | undefined>((resolve) => {
          let line: string | undefined;
          lines.on("line", (text) => {
            line = text;
            lines.close();
          });
          lines.on("close", () => {
            if (line === undefined) stdout.write("\n");
            resolve(line);
          });
          lines.on("SIGINT", onInterrupt);
          lines.on("history", (entries) => (history = [...entries]));
          if (signal.aborted) return close();
          // One line at a time: the next ones are for the next prompts.
          const end = typed.indexOf("\n") + 1 || typed.length;
          const first = typed.slice(0, end);
          typed = typed.slice(end);
          if (first !== "") lines.write(first);
        });
      } finally {
        signal.removeEventListener("abort", close);
        unpin("kept");
        keyboard.resume();
      }
    },
    close() {},
  };
}
