import type { Diagnostic } from "@editwire/core";
import { ErrorCode, isWireError } from "@editwire/core/errors";
import type { Incoming } from "../json-rpc/incoming.js";
import { lossOf } from "../json-rpc/lost.js";
import type { Message, MessageReader, MessageWriter } from "vscode-jsonrpc";
import { judge } from "./verdict.js";

/** The streams of `createMessageConnection` of vscode-jsonrpc. */
export interface MessageStreams {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

/** The options of a guard. */
export interface GuardOptions {
  /** Called for each message that was refused, ignored or repaired; the ids are those of `@editwire/peer`. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/**
 * Wraps a reader and a writer so that their connection receives only messages that it handles correctly. Messages that
 * a vscode-jsonrpc connection leaves unanswered, such as bytes that are not JSON, batches and malformed or duplicate
 * requests, are answered with -32700 or -32600 here; faulty replies are repaired or ignored.
 */
export function guardStreams(
  { reader, writer }: MessageStreams,
  { onDiagnostic = () => {} }: GuardOptions = {},
): MessageStreams {
  const sent = new Set<unknown>();
  const received = new Set<unknown>();
  let lastWrite: Promise<unknown> = Promise.resolve();

  const write = (message: Message): Promise<void> => {
    const { id, method } = message as Incoming;
    if (method === undefined) received.delete(id);
    else if (id !== undefined) sent.add(id);
    const written = writer.write(message);
    lastWrite = written.catch(() => {});
    return written;
  };

  const fail = (id: string | number | null, code: number, message: string): void => {
    const reply = { jsonrpc: "2.0", id, error: { code, message } };
    lastWrite = writer.write(reply).catch(() => {}); // the writer reports what it cannot write
  };

  const receive = (value: unknown, callback: (message: Message) => void): void => {
    const verdict = judge(value, { sent, received });
    for (const note of verdict.notes) onDiagnostic({ ...note, method: methodOf(value) });
    if ("refuse" in verdict) return fail(verdict.refuse.id, ErrorCode.InvalidRequest, verdict.refuse.message);
    if (!("pass" in verdict)) return;
    const { id, method } = verdict.pass as Incoming;
    if (method === undefined) sent.delete(id);
    else if (id !== undefined) received.add(id);
    callback(verdict.pass as Message);
  };

  reader.onError((error) => {
    const found = isWireError(error) ? lossOf(error).found : undefined;
    if (found === "glued") onDiagnostic({ id: "rpc.glued", method: undefined, message: error.message });
    else if (isWireError(error, "too_large")) fail(null, ErrorCode.InvalidRequest, `Invalid request: ${error.message}`);
    else fail(null, ErrorCode.ParseError, "Parse error");
  });

  return {
    reader: {
      onError: reader.onError,
      onClose: reader.onClose,
      onPartialMessage: reader.onPartialMessage,
      listen: (callback) => reader.listen((message) => receive(message, callback)),
      dispose: () => reader.dispose(),
    },
    writer: {
      onError: writer.onError,
      onClose: writer.onClose,
      write,
      end: () => void lastWrite.then(() => writer.end()),
      dispose: () => writer.dispose(),
    },
  };
}

function methodOf(value: unknown): string | undefined {
  const method = typeof value === "object" && value !== null ? (value as Incoming).method : undefined;
  return typeof method === "string" ? method : undefined;
}
