import type { Diagnostic } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { connectEca, type EcaClientOptions, type EcaClient } from "../src/index.js";

/** A server on the raw wire: it knows JSON and nothing else. */
export class RawServer extends RawPeer {
  /** The methods and ids received, in order. */
  get log(): string[] {
    return this.received.map(({ method, id }) => method ?? `reply to ${String(id)}`);
  }

  /** Sends a message, or something like one. */
  override send(message: object): void {
    super.send({ jsonrpc: "2.0", ...message });
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
