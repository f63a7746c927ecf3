import { entryOf, linesOf, type TraceLine } from "../trace/file.js";
import { Trace } from "../trace/trace.js";
import type { ConformanceProtocol } from "./protocol.js";
import { findSenders, senderOf } from "./talk/senders.js";

/** A recorded session. */
export interface Recording {
  readonly trace: Trace;
  /** The lines that are not part of it, with the reason. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Reads a recorded session from NDJSON. Each line has one of these forms:
 *
 * - `{from, message}`, or another entry of a trace file: see `readTrace`.
 * - The arguments of `onWire`: `{direction, message}`, `[direction, message]`, or the direction, a space and the
 *   message. The methods show which side recorded them.
 * - The message alone, as `acpx --format json` prints it. Its method shows who sent it; its id shows who answered. A
 *   line that shows neither is skipped, and so is an object that is not a message.
 *
 * Throws a `TypeError` that names the line for anything else.
 */
export function readRecording(text: string, protocol: ConformanceProtocol, role: string): Recording {
  const lines = linesOf(text, parseLine);
  const { classify } = protocol.envelope;
  const senderNext = findSenders(protocol);
  const partyOf = partiesOf(lines, protocol);
  const trace = new Trace();
  const skipped: { line: number; reason: string }[] = [];
  for (const { number, value } of lines) {
    if (isDirected(value)) {
      const from = partyOf(value.direction);
      if (from === undefined)
        throw new TypeError(`line ${number}: no method shows which side recorded; expected {"from": role, "message"}`);
      trace.add(entryOf({ from, message: value.message }, number, role));
      continue;
    }
    const is = classify(value);
    if ("from" in value || ("message" in value && is.kind === "invalid")) {
      trace.add(entryOf(value, number, role));
      continue;
    }
    const from = senderNext(is);
    if (from !== undefined) trace.add(entryOf({ from, message: value }, number, role));
    else if (is.kind === "invalid") skipped.push({ line: number, reason: `no message: ${is.problem}` });
    else if (is.kind === "result" || is.kind === "error") skipped.push({ line: number, reason: "answers no request" });
    else skipped.push({ line: number, reason: `nothing shows who sent ${is.method}` });
  }
  return { trace, skipped };
}

/** One call of `onWire`. */
type Directed = TraceLine["value"] & { readonly direction: "in" | "out"; readonly message: unknown };

function isDirected(value: TraceLine["value"]): value is Directed {
  return (value["direction"] === "in" || value["direction"] === "out") && "message" in value;
}

/** The text of a line as one value; those of `onWire` get one form. */
function parseLine(line: string): unknown {
  const [, direction, json] = /^(in|out)\s+(.*)$/.exec(line) ?? [];
  if (json !== undefined) return { direction, message: JSON.parse(json) as unknown };
  const value: unknown = JSON.parse(line);
  if (!Array.isArray(value) || value.length !== 2) return value;
  const [first, message] = value as unknown[];
  return first === "in" || first === "out" ? { direction: first, message } : value;
}

/** Tells who sent the messages of a direction: the side that sends most of the known methods in it. */
function partiesOf(
  lines: readonly TraceLine[],
  protocol: ConformanceProtocol,
): (direction: "in" | "out") => string | undefined {
  const [first, second] = protocol.table.roles;
  let votes = 0;
  for (const { value } of lines) {
    if (!isDirected(value)) continue;
    const is = protocol.envelope.classify(value.message);
    const sender = "method" in is ? senderOf(protocol, is.method) : undefined;
    if (sender !== undefined) votes += (sender === first) === (value.direction === "out") ? 1 : -1;
  }
  if (votes === 0) return () => undefined;
  return (direction) => ((direction === "out") === votes > 0 ? first : second);
}
