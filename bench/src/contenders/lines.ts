import type { Readable, Writable } from "node:stream";

/** Calls `onMessage` with the parsed value of every line. */
export function readLines(readable: Readable, onMessage: (message: unknown) => void): void {
  let rest: string[] = [];
  readable.setEncoding("utf8").on("data", (chunk: string) => {
    let from = 0;
    for (let to = chunk.indexOf("\n"); to >= 0; to = chunk.indexOf("\n", from)) {
      const line = chunk.slice(from, to);
      onMessage(JSON.parse(rest.length === 0 ? line : rest.join("") + line));
      rest = [];
      from = to + 1;
    }
    if (from < chunk.length) rest.push(chunk.slice(from));
  });
}

/** Writes each value as a line; the lines of one tick leave together. A promise comes back while the stream is full. */
export function lineWriter(writable: Writable): (message: object) => void | Promise<void> {
  let text = "";
  let room: Promise<void> | undefined;
  const flush = (): void => {
    if (text === "") return;
    const roomy = writable.write(text);
    text = "";
    if (!roomy) room ??= new Promise((resolve) => writable.once("drain", () => resolve((room = undefined))));
  };
  return (message) => {
    if (text === "") process.nextTick(flush);
    text += `${JSON.stringify(message)}\n`;
    if (text.length >= 64 * 1024) flush();
    return room;
  };
}
