import type { RunEvent } from "../core/options.js";

const CLEAR_LINE = "\r\u001b[K";

/** A line on a terminal that shows the progress of a run; `done` removes it. Without a terminal, nothing is written. */
export function progressLine(out: NodeJS.WriteStream): { onEvent(event: RunEvent): void; done(): void } {
  if (!out.isTTY) return { onEvent: () => {}, done: () => {} };
  let all = 0;
  let ran = 0;
  let failed = 0;
  return {
    onEvent(event) {
      if (event.type === "start") all = event.cases;
      else {
        ran += 1;
        if (event.result.verdict === "fail" || event.result.verdict === "harness-error") failed += 1;
      }
      const failures = failed === 0 ? "" : `, ${failed} failed`;
      const last = event.type === "case" ? `  ${event.result.id}` : "";
      const text = `${ran} of ${all} cases${failures}${last}`;
      out.write(`${CLEAR_LINE}${text.slice(0, (out.columns || 80) - 1)}`);
    },
    done: () => void out.write(CLEAR_LINE),
  };
}
