import { textLines } from "@editwire/framing";
import type { LineReader } from "./line-reader.js";

/** Lines that are read ahead. */
const maxWaiting = 1_000;

/** Reads lines from a pipe or a file. Calls `echo` with each one as it is taken. */
export function pipedLines(stdin: NodeJS.ReadableStream, echo: (line: string) => void): LineReader {
  const lines = textLines();
  const waiting: string[] = [];
  let ended = false;
  let wake = (): void => {};
  const take = (chunk: Buffer): void => {
    waiting.push(...lines.push(chunk));
    if (waiting.length > maxWaiting) stdin.pause();
    wake();
  };
  const end = (): void => {
    if (!ended) waiting.push(...lines.end());
    ended = true;
    wake();
  };
  stdin.on("data", take).once("end", end).once("close", end);
  const peek = async (signal: AbortSignal): Promise<string | undefined> => {
    while (waiting.length === 0 && !ended && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return signal.aborted ? undefined : waiting[0];
  };
  return {
    async next(signal) {
      const line = await peek(signal);
      if (line === undefined) return undefined;
      waiting.shift();
      if (waiting.length === maxWaiting) stdin.resume();
      if (line.trim() !== "") echo(line);
      return line;
    },
    peek,
    close() {
      stdin.off("data", take).pause();
      end();
    },
  };
}
