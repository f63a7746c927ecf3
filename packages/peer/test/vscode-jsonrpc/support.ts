import { createServer, type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport } from "@editwire/transport";
import { memoryPair } from "@editwire/transport";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { transportStreams } from "../../src/vscode-jsonrpc/index.js";

/** A logger that says nothing: vscode-jsonrpc logs what it does not understand. */
export const quiet = { error() {}, warn() {}, info() {}, log() {} };

let sockets = 0;

/** Two ends of a real Unix socket. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const path = join(tmpdir(), `editwire-vscode-jsonrpc-${process.pid}-${++sockets}.sock`);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = connect(path);
  const far = await accepted;
  server.close();
  return [near, far];
}

/** A connection as extensions make them: vscode-jsonrpc's own reader and writer over a stream. */
export function stock(socket: Socket): MessageConnection {
  return createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket), quiet);
}

/** A connection over one of our transports. */
export function guarded(transport: Transport): MessageConnection {
  const { reader, writer } = transportStreams(transport);
  return createMessageConnection(reader, writer, quiet);
}

/** A guarded connection, and its far end on the raw wire. */
export function wired(): { connection: MessageConnection; wire: RawEnd; diagnostics: string[] } {
  const [near, far] = memoryPair();
  const diagnostics: string[] = [];
  const { reader, writer } = transportStreams(near, { onDiagnostic: ({ id }) => void diagnostics.push(id) });
  return { connection: createMessageConnection(reader, writer, quiet), wire: new RawEnd(far), diagnostics };
}

/** The far end of a transport, which sees and sends any value. */
export class RawEnd {
  readonly received: unknown[] = [];
  readonly #transport: Transport;
  readonly #waiting = new Set<() => void>();

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.start({
      message: (value) => {
        this.received.push(value);
        for (const look of [...this.#waiting]) look();
      },
      malformed() {},
      closed() {},
    });
  }

  send(value: unknown): void {
    void this.#transport.send(typeof value === "string" ? value : JSON.stringify(value));
  }

  /** The first `count` messages received, as soon as they are here. */
  first(count: number): Promise<unknown[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.received.length < count) return;
        this.#waiting.delete(look);
        resolve(this.received.slice(0, count));
      };
      this.#waiting.add(look);
      look();
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
