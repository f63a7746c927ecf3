import { readFileSync } from "node:fs";
import type { Update } from "./contenders/contender.js";

/**
 * The updates of a workload: those of a file with one params object a line, or one text chunk whose message has the
 * given size in bytes.
 */
export type Corpus = string | number;

const read = new Map<Corpus, readonly Update[]>();

/** The updates of a corpus; the same array every time. */
export function readCorpus(corpus: Corpus): readonly Update[] {
  let updates = read.get(corpus);
  if (updates === undefined)
    read.set(corpus, (updates = typeof corpus === "number" ? [chunkOf(corpus)] : linesOf(corpus)));
  return updates;
}

/** The message that carries an update, as the contenders that frame with newlines write it. */
export function messageOf(params: Update): object {
  return { jsonrpc: "2.0", method: "session/update", params };
}

function linesOf(file: string): Update[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Update);
}

const sentence = "The reader keeps what follows the last line feed, and joins it with the next chunk. ";

function chunkOf(bytes: number): Update {
  const empty = updateOf("");
  const length = Math.max(0, bytes - JSON.stringify(messageOf(empty)).length);
  return updateOf(sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length));
}

/** A chunk of the agent's answer. */
export function updateOf(text: string): Update {
  return {
    sessionId: "3f0c7b9e-5d7a-4c55",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  };
}
