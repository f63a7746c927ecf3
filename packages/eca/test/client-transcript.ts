import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { ecaFraming } from "../src/index.js";

interface Block {
  readonly from: "client" | "server";
  readonly bytes: string;
}

/**
 * Reads the messages between editors and servers, byte for byte: lines of `--- C->S +ms` or `--- S->C +ms`, each before
 * the bytes as a JSON string.
 */
export function readTranscript(name: string): Block[] {
  const lines = readFileSync(new URL(`fixtures/transcripts/${name}.txt`, import.meta.url), "utf8").split("\n");
  return lines.flatMap((line, index): Block[] => {
    const direction = /^--- (C->S|S->C) /.exec(line)?.[1];
    if (direction === undefined) return [];
    return [{ from: direction === "C->S" ? "client" : "server", bytes: JSON.parse(lines[index + 1] ?? "") as string }];
  });
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly chatId?: unknown };
}

/** The JSON of the one message in a block. */
export function messageOf({ bytes }: Block): Message {
  return JSON.parse(bytes.slice(bytes.indexOf("\r\n\r\n") + 4)) as Message;
}

/**
 * The requests that the client's methods can make; a recorded request of another method is answered to whatever comes
 * in its place.
 */
const known = ["initialize", "chat/prompt", "chat/queryContext", "chat/queryCommands", "shutdown"];

/**
 * Plays the server's side: sends each of its blocks as recorded, once the client sent what was recorded before it.
 * Gives what the client sent.
 */
export async function playServer(blocks: readonly Block[], input: Readable, output: Writable): Promise<Message[]> {
  const framer = ecaFraming().open();
  const received: Message[] = [];
  let wake = (): void => {};
  input.on("data", (chunk: Uint8Array) => {
    framer.push(chunk);
    for (let frame = framer.next(); frame !== undefined; frame = framer.next())
      if (frame.ok) received.push(frame.value as Message);
    wake();
  });
  const open = [...received];
  const take = async (matches: (message: Message) => boolean): Promise<void> => {
    for (;;) {
      const index = received.findIndex((message) => !open.includes(message) && matches(message));
      if (index >= 0) return void open.push(received[index] as Message);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  for (const block of blocks) {
    if (block.from === "server") {
      output.write(block.bytes);
      continue;
    }
    const { id, method } = messageOf(block);
    if (method === undefined) await take((message) => message.method === undefined && message.id === id);
    else if (id !== undefined && !known.includes(method))
      await take((message) => message.id !== undefined && message.method !== undefined);
    else await take((message) => message.method === method);
  }
  return received;
}
