import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import type { Duplex, Readable, Writable } from "node:stream";

/** A message as it stands on the wire. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown> & { readonly content?: Record<string, unknown> };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A peer that frames by hand, so that it shares nothing with what it tests. */
export class RawPeer {
  readonly messages: Message[] = [];
  /** Resolves when the other side has ended its stream. */
  readonly ended: Promise<unknown>;
  readonly #out: Writable;
  #bytes = Buffer.alloc(0);
  #news = (): void => {};
  #taken = 0;
  #isOver = false;

  constructor(input: Readable, out: Writable) {
    this.#out = out;
    out.on("error", () => {});
    this.ended = once(input, "close");
    input.on("data", (chunk: Buffer) => this.#read(chunk));
    void this.ended.then(() => {
      this.#isOver = true;
      this.#news();
    });
  }

  send(message: object): void {
    this.write(frame(JSON.stringify({ jsonrpc: "2.0", ...message })));
  }

  write(bytes: string | Buffer): void {
    this.#out.write(bytes);
  }

  command(id: number | string, command: string, argument: object): void {
    this.send({ id, method: "workspace/executeCommand", params: { command, arguments: [argument] } });
  }

  fix(id: number | string, session_id: string, message: string, options?: object): void {
    const incidents = [{ id: "i", rule_id: "r", message }];
    this.command(id, "kaiak/generate_fix", { session_id, incidents, ...(options && { options }) });
  }

  /** The next message that matches; those before it are passed over. Rejects when the stream ends. */
  async next(matches: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      while (this.#taken < this.messages.length) {
        const message = this.messages[this.#taken++] as Message;
        if (matches(message)) return message;
      }
      if (this.#isOver) throw new Error("the stream has ended");
      await new Promise<void>((resolve) => (this.#news = resolve));
    }
  }

  reply(id: number | string | null): Promise<Message> {
    return this.next((message) => message.method === undefined && message.id === id);
  }

  notification(method: string): Promise<Message> {
    return this.next((message) => message.method === `kaiak/stream/${method}`);
  }

  end(): void {
    this.#out.end();
  }

  #read(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#bytes.subarray(0, 64).toString("latin1"));
      if (header === null) {
        if (this.#bytes.length > 64) throw new Error(`no header: ${this.#bytes.subarray(0, 64).toString()}`);
        return;
      }
      const start = header[0].length;
      const end = start + Number(header[1]);
      if (this.#bytes.length < end) return;
      this.messages.push(JSON.parse(this.#bytes.subarray(start, end).toString()) as Message);
      this.#bytes = this.#bytes.subarray(end);
      this.#news();
    }
  }
}

/** A text as a frame. */
export function frame(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Starts a server on stdio. */
export function startRaw(
  program: string,
  ...args: readonly string[]
): { peer: RawPeer; child: ChildProcessWithoutNullStreams } {
  const child = spawn(process.execPath, [program, "stdio", ...args]);
  return { peer: new RawPeer(child.stdout, child.stdin), child };
}

/** Dials a server's socket. */
export async function dialRaw(path: string): Promise<{ peer: RawPeer; socket: Duplex }> {
  const socket = createConnection({ path });
  await once(socket, "connect");
  return { peer: new RawPeer(socket, socket), socket };
}
