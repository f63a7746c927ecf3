import type { CaseResult } from "../core/verdict/check.js";
import type { RunEvent } from "../core/run/options.js";

const CLEAR_LINE = "\r\u001b[K";
/** Elsewhere than on a terminal, a line at most this often. */
const EVERY_MS = 5_000;

/**
 * Shows the progress of a run. On a terminal it is one line, which `done` removes. Elsewhere it is a line every 5 s,
 * for the log of a CI job. `isFailed` says which cases count as failed, `now` gives milliseconds.
 */
export function progressLine(
  out: NodeJS.WriteStream,
  isFailed: (result: CaseResult) => boolean,
  now: () => number = () => performance.now(),
): { onEvent(event: RunEvent): void; done(): void } {
  let all = 0;
  let ran = 0;
  let failed = 0;
  let told = now();
  const write = (last: string): void => {
    const text = `${ran} of ${all} cases${failed === 0 ? "" : `, ${failed} failed`}${last}`;
    if (out.isTTY) return void out.write(`${CLEAR_LINE}${text.slice(0, (out.columns || 80) - 1)}`);
    if (ran > 0 && now() - told < EVERY_MS) return;
    told = now();
    out.write(`${text}\n`);
  };
  return {
    onEvent(event) {
      if (event.type === "start") {
        all = event.cases;
        return write("");
      }
      ran += 1;
      if (isFailed(event.result)) failed += 1;
      write(`  ${event.result.id}`);
    },
    done: () => void (out.isTTY && out.write(CLEAR_LINE)),
  };
}
