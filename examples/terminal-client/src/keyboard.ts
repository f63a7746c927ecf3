import { emitKeypressEvents, type Key } from "node:readline";
import type { ReadStream } from "node:tty";

/**
 * Single keys of a terminal. It is raw all the time, so Ctrl-C is a key here and no signal reaches the programs around
 * this one.
 */
export interface Keyboard {
  /**
   * Gives every key but Ctrl-C to a listener until the returned function is called. Without a listener, keys are
   * dropped once `takeTyped` has been called.
   */
  listen(listener: (key: string) => void): () => void;
  /** Gives the text that was typed until now without a listener, and keeps no more of it. */
  takeTyped(): string;
  /** Leaves the terminal to another reader. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Takes over the keyboard of a terminal. */
export function openKeyboard(stdin: ReadStream, onInterrupt: () => void): Keyboard {
  let listener: ((key: string) => void) | undefined;
  let typed: string | undefined = "";
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.ctrl === true && key.name === "c") onInterrupt();
    else if (key.ctrl === true || key.meta === true) return;
    else if (listener !== undefined) listener(text ?? key.name ?? "");
    else if (typed !== undefined) typed = afterKey(typed, text, key);
  };
  const pause = (): void => {
    stdin.off("keypress", onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const resume = (): void => {
    stdin.setRawMode(true);
    stdin.on("keypress", onKey);
    stdin.resume();
  };

  emitKeypressEvents(stdin);
  resume();
  return {
    listen(next) {
      listener = next;
      return () => {
        if (listener === next) listener = undefined;
      };
    },
    takeTyped() {
      const text = typed ?? "";
      typed = undefined;
      return text;
    },
    pause,
    resume,
    close: pause,
  };
}

/**
 * A text after one more key: Enter ends a line, backspace removes a character, and a key without a character changes
 * nothing.
 */
function afterKey(typed: string, text: string | undefined, { name }: Key): string {
  if (name === "return" || name === "enter") return `${typed}\n`;
  if (name === "backspace") return typed.endsWith("\n") ? typed : [...typed].slice(0, -1).join("");
  return text === undefined || /\p{Cc}/u.test(text) ? typed : typed + text;
}
