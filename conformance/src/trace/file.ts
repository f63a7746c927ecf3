import { isObject } from "@editwire/core";
import type { NewEntry, TraceEntry } from "./trace.js";
import { Trace } from "./trace.js";

/** An entry as JSON: bytes become text where they are UTF-8, else base64. */
function entryToJson(entry: TraceEntry): Record<string, unknown> {
  if (entry.kind !== "bytes") return { ...entry };
  const { bytes, ...rest } = entry;
  const text = Buffer.from(bytes).toString("utf8");
  return {
    ...rest,
    ...(Buffer.from(text, "utf8").equals(Buffer.from(bytes))
      ? { text }
      : { base64: Buffer.from(bytes).toString("base64") }),
  };
}

/** A trace as NDJSON, one entry a line. */
export function writeTrace(entries: readonly TraceEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entryToJson(entry))}\n`).join("");
}

/**
 * Reads a trace from NDJSON. The least that a line needs is `{from, message}`; `from` is `target`, `suite` or a role of
 * the protocol, of which `role` is the target. Throws a `TypeError` that names the line.
 */
export function readTrace(text: string, role: string): Trace {
  const trace = new Trace();
  for (const { number, value } of linesOf(text)) trace.add(entryOf(value, number, role));
  return trace;
}

/** A line of NDJSON, with its number from 1. */
export interface TraceLine {
  readonly number: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The lines of NDJSON that are not empty. Throws a `TypeError` that names the line for anything but an object. */
export function linesOf(text: string, parse: (line: string) => unknown = JSON.parse): TraceLine[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = valueOf(line, parse);
    if (!isObject(value)) throw new TypeError(`line ${index + 1}: expected a JSON object`);
    return [{ number: index + 1, value }];
  });
}

function valueOf(line: string, parse: (line: string) => unknown): unknown {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

/** The entry of one line. Throws a `TypeError` that names the line. */
export function entryOf(value: TraceLine["value"], number: number, role: string): NewEntry {
  const { from, kind, text, base64, seq: _seq, at: _at, ...rest } = value;
  if (typeof from !== "string") throw new TypeError(`line ${number}: expected "from": "target", "suite" or a role`);
  const party = from === "target" || from === "suite" || from === "model" ? from : from === role ? "target" : "suite";
  if (kind === "bytes") {
    const bytes = typeof base64 === "string" ? Buffer.from(base64, "base64") : Buffer.from(String(text), "utf8");
    return { kind, from: party, bytes };
  }
  if (kind === undefined && !("message" in rest)) throw new TypeError(`line ${number}: expected a "message"`);
  return { ...rest, ...(text !== undefined && { text }), kind: kind ?? "message", from: party } as NewEntry;
}
