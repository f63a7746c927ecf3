import { isObject } from "@editwire/core";
import { text } from "./fixtures.js";

/** One recorded message. */
export interface Recorded {
  readonly from: "client" | "server";
  readonly message: Record<string, unknown>;
}

/**
 * Every message of a recorded connection, in order. Throws where the bytes are not frames with the length that they
 * claim.
 */
export function transcript(file: string): Recorded[] {
  const blocks = text(`transcripts/${file}.txt`).split(/^--- /m);
  return blocks.flatMap((block) => {
    const [head = "", ...lines] = block.trimEnd().split("\n");
    const from = head.startsWith("C->S") ? "client" : head.startsWith("S->C") ? "server" : undefined;
    if (from === undefined) return [];
    const bytes = Buffer.concat(lines.map((line) => Buffer.from(JSON.parse(line) as string)));
    return bodies(bytes).map((body) => ({ from, message: parsed(body) }));
  });
}

/** The methods whose requests have an id, so that answers are told apart. */
export function methodsById(messages: readonly Recorded[]): Map<string, string> {
  return new Map(
    messages.flatMap(({ from, message: { id, method } }) =>
      id === undefined || typeof method !== "string" ? [] : [[`${from} ${String(id)}`, method]],
    ),
  );
}

function bodies(bytes: Buffer): string[] {
  const found: string[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const header = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.subarray(0, 64).toString("latin1"));
    if (header === null) throw new Error(`no header at ${rest.subarray(0, 40).toString()}`);
    const end = header[0].length + Number(header[1]);
    if (end > rest.length) throw new Error("a body shorter than its length");
    found.push(rest.subarray(header[0].length, end).toString());
    rest = rest.subarray(end);
  }
  return found;
}

function parsed(body: string): Record<string, unknown> {
  const message: unknown = JSON.parse(body);
  if (!isObject(message)) throw new Error("no object");
  return message;
}
