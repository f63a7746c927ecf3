const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 48 * 1024;

/** The output of a program in bounded memory. */
export interface BoundedOutput {
  readonly push: (chunk: Buffer) => void;
  /** All of it, or its first 16 KiB and its last 48 KiB with a note in between. */
  text(): string;
}

/** Starts to keep an output. */
export function boundedOutput(): BoundedOutput {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let left = 0;
  return {
    push(chunk) {
      const room = HEAD_BYTES - headBytes;
      const first = chunk.subarray(0, room);
      const rest = chunk.subarray(room);
      if (first.length > 0) head.push(first);
      if (rest.length > 0) tail.push(rest);
      headBytes += first.length;
      tailBytes += rest.length;
      for (let oldest = tail[0]; oldest !== undefined && tailBytes - oldest.length >= TAIL_BYTES; oldest = tail[0]) {
        tail.shift();
        tailBytes -= oldest.length;
        left += oldest.length;
      }
    },
    text() {
      const end = Buffer.concat(tail);
      const cut = Math.max(end.length - TAIL_BYTES, 0);
      const note = left + cut > 0 ? `\n… ${left + cut} bytes left out …\n` : "";
      return Buffer.concat(head).toString("utf8") + note + end.subarray(cut).toString("utf8");
    },
  };
}
