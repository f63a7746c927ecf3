import { Readable, Writable } from "node:stream";
import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type AnyMessage, ndJsonStream } from "@agentclientprotocol/sdk";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type Message, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { type BenchCodec, writeAll } from "./codec.js";

export const acpSdk: BenchCodec = {
  framing: "ndjson",
  async decode(chunks, onMessage) {
    const { readable } = ndJsonStream(
      new WritableStream(),
      NodeReadableStream.from(chunks) as ReadableStream<Uint8Array>,
    );
    for await (const message of readable as unknown as AsyncIterable<AnyMessage>) onMessage(message);
  },
  async encode(messages, onBytes) {
    const sink = new WritableStream<Uint8Array>({ write: (bytes) => onBytes(bytes.byteLength) });
    const writer = ndJsonStream(sink, new ReadableStream()).writable.getWriter();
    await writeAll(messages, (message) => writer.write(message as AnyMessage));
  },
};

export const mcpSdk: BenchCodec = {
  framing: "ndjson",
  decode(chunks, onMessage) {
    const buffer = new ReadBuffer();
    for (const chunk of chunks) {
      buffer.append(chunk as Buffer);
      for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) onMessage(message);
    }
  },
  async encode(messages, onBytes) {
    const transport = new StdioServerTransport(Readable.from([]), countingSink(onBytes));
    await writeAll(messages, (message) => transport.send(message as JSONRPCMessage));
  },
};

export const vscodeJsonRpc: BenchCodec = {
  framing: "content-length",
  async decode(chunks, onMessage) {
    const source = Readable.from(chunks, { objectMode: true });
    const reader = new StreamMessageReader(source);
    const done = new Promise<void>((resolve, reject) => {
      reader.onClose(resolve);
      reader.onError(reject);
    });
    reader.listen(onMessage);
    await done;
    await new Promise((resolve) => setImmediate(resolve));
  },
  async encode(messages, onBytes) {
    const writer = new StreamMessageWriter(countingSink(onBytes));
    await writeAll(messages, (message) => writer.write(message as Message));
  },
};

function countingSink(onBytes: (bytes: number) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      onBytes(chunk.byteLength);
      done();
    },
  });
}
