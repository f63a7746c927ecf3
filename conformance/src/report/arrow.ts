import type { TraceEntry } from "../trace/trace.js";
import { valueText } from "./value-text.js";
import { visibleLine } from "./visible.js";

const WIDTH = 160;

/** One entry of a trace on one line: when, which way, what. */
export function arrowLine(entry: TraceEntry): string {
  const at = `${entry.at.toFixed(1)} ms`.padStart(10);
  const arrow = entry.from === "suite" ? "suite  ->" : entry.from === "target" ? "target <-" : "model  --";
  return `${at} ${arrow} ${visibleLine(cut(entryText(entry)))}`;
}

/** The content of an entry, unshortened. */
export function entryText(entry: TraceEntry): string {
  switch (entry.kind) {
    case "bytes":
      return `${entry.bytes.length} bytes`;
    case "message":
      return valueText(entry.message);
    case "malformed":
      return `NOT A MESSAGE (${entry.problem}): ${JSON.stringify(entry.excerpt)}`;
    case "stderr":
      return `stderr: ${entry.text.trimEnd()}`;
    case "event":
      return `[${entry.name}]${entry.data === undefined ? "" : ` ${valueText(entry.data)}`}`;
  }
}

function cut(text: string): string {
  return text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;
}
