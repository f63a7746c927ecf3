import type { WriteStream } from "node:tty";
import { fit, type Spinner } from "@editwire/example-terminal-client";
import cliProgress from "cli-progress";

/** A progress bar at the bottom of the screen. It gives way to output, as a spinner does. */
export interface ProgressBar extends Spinner {
  /** Sets how far the bar is, in percent. It is shown with the next label. */
  set(percentage: number): void;
}

/** Cells of the bar, and of what stands around it beside the label. */
const barCells = 24;
const otherCells = 10;

/** Creates the bar of a terminal. */
export function createProgressBar(stream: WriteStream): ProgressBar {
  const bar = new cliProgress.SingleBar({
    stream,
    format: "{bar} {percentage} % {label}",
    barsize: barCells,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false, // the signals are the terminal's
  });
  let percentage = 0;
  return {
    set: (next) => void (percentage = Math.round(next)),
    show(text) {
      const label = fit(text, { columns: stream.columns - barCells - otherCells });
      if (bar.isActive) bar.update(percentage, { label });
      else bar.start(100, percentage, { label });
    },
    hide: () => bar.stop(),
  };
}
