import { emitKeypressEvents, type Key } from "node:readline";
import type { ReadStream } from "node:tty";

/** Single keys of a terminal. It is raw all the time, so Ctrl-C is a key here and no signal reaches the programs around this one. */
export interface Keyboard {
  /** Gives every key but Ctrl-C to a listener until the returned function is called; without one, keys are dropped. */
  listen(listener: (key: string) => void): () => void;
  /** Leaves the terminal to another reader. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Takes over the keyboard of a terminal. */
export function openKeyboard(stdin: ReadStream, onInterrupt: () => void): Keyboard {
  let listener: ((key: string) => void) | undefined;
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.ctrl === true && key.name === "c") onInterrupt();
    else if (key.ctrl !== true && key.meta !== true) listener?.(text ?? key.name ?? "");
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
    pause,
    resume,
    close: pause,
  };
}
