import type { WriteStream } from "node:tty";
import pc from "picocolors";
import { createInterrupts, type Interrupts, watchSignals } from "./interrupt.js";
import { type Keyboard, openKeyboard } from "./keyboard.js";
import type { Colors } from "./render/look.js";
import { openScreen, type Screen, type Spinner } from "./screen.js";

/** The terminal of this process, or the pipes in its place. */
export interface Terminal {
  readonly screen: Screen;
  readonly colors: Colors;
  readonly interrupts: Interrupts;
  /** Absent where nobody can be asked. */
  readonly keyboard: Keyboard | undefined;
  close(): void;
}

/** How a terminal is used. */
export interface TerminalOptions {
  /** Shows at the bottom that the program works. Default: a spinner. */
  readonly spinner?: ((stream: WriteStream) => Spinner) | undefined;
}

/** Takes over standard input and output, and the signals. */
export function openTerminal({ spinner }: TerminalOptions = {}): Terminal {
  const { stdin, stdout } = process;
  const screen = openScreen(stdout, spinner);
  const interrupts = createInterrupts((exitCode) => {
    screen.close();
    process.exit(exitCode);
  });
  const stopWatching = watchSignals(interrupts);
  const onBroken = (): void => interrupts.end(1);
  stdout.on("error", onBroken); // the reader of the output has gone
  const keyboard = screen.live && stdin.isTTY ? openKeyboard(stdin, () => interrupts.press()) : undefined;
  return {
    screen,
    colors: pc,
    interrupts,
    keyboard,
    close() {
      screen.close();
      keyboard?.close();
      stopWatching();
    },
  };
}

/** Waits for work that cannot be called off, but no longer than until the program should end; rejects then. */
export function untilQuit<T>({ interrupts }: Terminal, work: Promise<T>): Promise<T> {
  const { quit } = interrupts;
  return new Promise((resolve, reject) => {
    quit.addEventListener("abort", () => reject(new Error("interrupted")), { once: true });
    work.then(resolve, reject);
  });
}

/**
 * Gives the terminal back and ends the process; at once when the user wants out, otherwise when nothing is left to do.
 */
export function endTerminal(terminal: Terminal, exitCode: number): void {
  terminal.close();
  process.exitCode = exitCode;
  if (terminal.interrupts.quit.aborted) process.exit();
}
