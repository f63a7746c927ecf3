import type { Diagnostic } from "@editwire/core";
import { memoryPair, type Transport } from "@editwire/transport";
import { connectEca, type EcaClientOptions, type EcaClient } from "../src/index.js";

/** A message as it is on the wire. */
export interface Message {
  jsonrpc?: string;
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** A server on the raw wire: it knows JSON and nothing else. */
export class RawServer {
  readonly received: Message[] = [];
  readonly closed: Promise<Error>;
  readonly #transport: Transport;
  readonly #taken = new Set<Message>();
  readonly #waiting = new Set<() => void>();

  constructor(transport: Transport) {
    this.#transport = transport;
    this.closed = new Promise((resolve) => {
      transport.start({
        message: (value) => {
          this.received.push(value as Message);
          for (const look of [...this.#waiting]) look();
        },
        malformed: resolve,
        closed: resolve,
      });
    });
  }

  /** The methods and ids received, in order. */
  get log(): string[] {
    return this.received.map(({ method, id }) => method ?? `reply to ${String(id)}`);
  }

  send(message: object): void {
    void this.#transport.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  notify(method: string, params?: unknown): void {
    this.send({ method, params });
  }

  answer({ id }: Message, result: unknown): void {
    this.send({ id, result });
  }

  /** Sends a `chat/contentReceived`. */
  content(chatId: string, role: string, content: object, more: object = {}): void {
    this.notify("chat/contentReceived", { chatId, role, content, ...more });
  }

  finish(chatId: string, more: object = {}): void {
    this.content(chatId, "system", { type: "progress", state: "finished" }, more);
  }

  /** Prepares a tool call and runs it, as far as it goes without the user. */
  toolCall(chatId: string, id: string, manualApproval = true): void {
    const call = { id, name: "read", origin: "native" };
    this.content(chatId, "assistant", {
      ...call,
      type: "toolCallPrepare",
      argumentsText: `{"path":"/x"}`,
      manualApproval,
    });
    this.content(chatId, "assistant", { ...call, type: "toolCallRun", arguments: { path: "/x" }, manualApproval });
  }

  /** The next message that `matches` and was not taken yet. */
  next(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.received.find((message) => !this.#taken.has(message) && matches(message));
        if (found === undefined) return;
        this.#waiting.delete(look);
        this.#taken.add(found);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
      void this.closed.then(reject);
    });
  }

  /** The next message of that method. */
  take(method: string): Promise<Message> {
    return this.next((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

export const seedInfo = {
  models: ["m1", "m2"],
  chatDefaultModel: "m1",
  chatBehaviors: ["agent", "plan"],
  chatDefaultBehavior: "agent",
  chatWelcomeMessage: "Hello",
};

/** An initialized client, and its server on the raw wire. */
export interface Opened {
  readonly client: EcaClient;
  readonly raw: RawServer;
  readonly diagnostics: Diagnostic[];
  readonly errors: unknown[];
}

export async function open(options: EcaClientOptions = {}, info: object = seedInfo): Promise<Opened> {
  const [near, far] = memoryPair();
  const raw = new RawServer(far);
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  const opening = connectEca(near, {
    shutdownTimeoutMs: 50,
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    onError: (error) => void errors.push(error),
    ...options,
  });
  raw.answer(await raw.take("initialize"), info);
  const client = await opening;
  await raw.take("initialized");
  return { client, raw, diagnostics, errors };
}

/** Everything that an iteration gives. */
export async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
