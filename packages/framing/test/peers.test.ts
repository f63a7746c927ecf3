import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { type AnyMessage, ndJsonStream } from "@agentclientprotocol/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { type Message, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { type Codec, contentLength, detecting, ndjson } from "@editwire/framing";
import { drain, values } from "./support/streams.js";

const texts = [
  "plain",
  "naïve — 日本語 🙂",
  '\u2028\u0000"\\\n\r\n\uD800',
  "é".repeat(100_000),
  "Content-Length: 7\r\n\r\n",
];
const messages = texts.map((text, id) => ({ jsonrpc: "2.0", id, method: "echo", params: { text } }));
const expected = messages.map((message) => JSON.parse(JSON.stringify(message)) as unknown);

type Pipe = ChildProcessByStdio<Writable, Readable, null>;
const pipes: Pipe[] = [];

/** A process that echoes its input: two real pipes. */
function pipe(): Pipe {
  const child = spawn(process.execPath, ["-e", "process.stdin.pipe(process.stdout)"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  pipes.push(child);
  return child;
}

afterEach(async () => {
  for (const child of pipes.splice(0)) {
    if (child.exitCode !== null) continue;
    const gone = once(child, "exit");
    child.kill();
    await gone;
  }
});

/** Reads the messages of a stream up to its end. */
async function read(codec: Codec, stream: Readable): Promise<unknown[]> {
  const framer = codec.open();
  const frames = [];
  for await (const chunk of stream) {
    framer.push(chunk as Buffer);
    frames.push(...drain(framer));
  }
  framer.end();
  frames.push(...drain(framer));
  expect(frames.every(({ ok }) => ok)).toBe(true);
  return values(frames);
}

const write = (codec: Codec, stream: Writable): void => {
  const framer = codec.open();
  stream.end(messages.map((message) => framer.encode(JSON.stringify(message))).join(""));
};

const byHeader: [string, Codec][] = [
  ["contentLength", contentLength()],
  ["detecting", detecting({ send: "content-length" })],
];

describe.each(byHeader)("%s and vscode-jsonrpc", (_name, codec) => {
  it("S06: its reader reads what we encode", async () => {
    const { stdin, stdout } = pipe();
    const received: Message[] = [];
    const reader = new StreamMessageReader(stdout);
    const all = new Promise<void>((resolve, reject) => {
      reader.onError(reject);
      reader.listen((message) => {
        if (received.push(message) === messages.length) resolve();
      });
    });
    write(codec, stdin);
    await all;
    reader.dispose();
    expect(received).toEqual(expected);
  });

  it("S06: we read what its writer writes", async () => {
    const { stdin, stdout } = pipe();
    const writer = new StreamMessageWriter(stdin);
    const received = read(codec, stdout);
    for (const message of messages) await writer.write(message);
    writer.end();
    expect(await received).toEqual(expected);
  });

  it("S07: we read what its writer writes, byte by byte", async () => {
    const source = new PassThrough();
    const writer = new StreamMessageWriter(source);
    const few = messages.filter(({ params }) => params.text.length < 1000);
    const bytes = source.flatMap((chunk: Buffer) => Array.from(chunk, (byte) => Buffer.from([byte])));
    const received = read(codec, bytes);
    for (const message of few) await writer.write(message);
    writer.end();
    expect(await received).toEqual(expected.filter((_, i) => few.includes(messages[i] as (typeof few)[number])));
  });
});

const byLine: [string, Codec][] = [
  ["ndjson", ndjson()],
  ["detecting", detecting()],
];

describe.each(byLine)("%s and the official ACP SDK", (_name, codec) => {
  const official = (input: Readable, output: Writable) =>
    ndJsonStream(
      Writable.toWeb(output) as WritableStream<Uint8Array>,
      Readable.toWeb(input) as ReadableStream<Uint8Array>,
    );

  it("S03: it reads what we encode", async () => {
    const { stdin, stdout } = pipe();
    write(codec, stdin);
    const received: AnyMessage[] = [];
    const reader = official(stdout, new PassThrough()).readable.getReader();
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      received.push(value as AnyMessage);
    expect(received).toEqual(expected);
  });

  it("S03: we read what it writes", async () => {
    const { stdin, stdout } = pipe();
    const received = read(codec, stdout);
    const writer = official(new PassThrough(), stdin).writable.getWriter();
    for (const message of messages) await writer.write(message as AnyMessage);
    stdin.end();
    expect(await received).toEqual(expected);
  });
});
