import { isRemoteError, isWireError, RemoteError } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { Listeners } from "@editwire/session";

/** The common part of the clients of all protocols. */
export interface Closable {
  readonly closed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * The connection to the agent that a gateway stands for. It is opened when it is needed, and again after it is lost.
 */
export class FarConnection<Client extends Closable> {
  readonly #open: (signal: AbortSignal) => Promise<Client>;
  readonly #onError: Listeners["onError"];
  #client: Promise<Client> | undefined;
  /** Aborted when the gateway is closed: a client that is being opened is given up. */
  readonly #closing = new AbortController();
  /** The client that was closed last on this side. */
  #ended: Client | undefined;
  /** Resolves when the clients that were given up are closed. */
  #closed: Promise<void> = Promise.resolve();
  #stopTimer = (): void => {};

  constructor(open: (signal: AbortSignal) => Promise<Client>, onError: Listeners["onError"]) {
    this.#open = open;
    this.#onError = onError;
  }

  /** True while there is a client, or one is being opened. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** The client. Rejects with a `RemoteError` when it cannot be opened; the next call tries again. */
  async client(): Promise<Client> {
    this.#stopTimer();
    if (this.#closing.signal.aborted) throw new RemoteError(farLost, "The gateway is closed");
    const opening = (this.#client ??= this.#start());
    try {
      return await opening;
    } catch (error) {
      if (this.#client === opening) this.#client = undefined;
      if (!this.#closing.signal.aborted) this.#onError(error, "open");
      throw new RemoteError(farLost, `The agent behind the gateway could not be started${whyNot(error)}`);
    }
  }

  /** Closes the connection for now, unless it is needed within `ms`. */
  release(ms: number): void {
    this.#stopTimer = startTimer(ms, () => void this.#end());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#end();
  }

  /** Gives up the client: who needs one from now on gets another. Resolves when it is closed. */
  #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    return (this.#closed = Promise.all([this.#closed, this.#endOf(client)]).then(() => {}));
  }

  async #endOf(opening: Promise<Client> | undefined): Promise<void> {
    const client = await opening?.catch(() => undefined);
    if (client === undefined) return;
    this.#ended = client;
    await client.close();
  }

  async #start(): Promise<Client> {
    await this.#closed; // an agent that ends may still hold what the next one needs
    const client = await this.#open(this.#closing.signal);
    void client.closed.then(async (reason) => {
      if ((await this.#client?.catch(() => undefined)) === client) this.#client = undefined;
      if (this.#ended !== client) this.#onError(reason, "closed");
    });
    return client;
  }
}

/** The code of the error of a turn whose agent is gone. With -32000, ACP says that the user has to sign in. */
export const farLost = -32_050;

/** The reason for a failed start, for the editor: without any text of the agent. */
function whyNot(error: unknown): string {
  const causes = error instanceof Error ? [error, error.cause] : [];
  const unreached = causes.find((each) => isWireError(each, "not_connected"));
  if (unreached !== undefined) return `: ${unreached.message}`;
  if (isWireError(error, "closed")) return ": it ended before it answered";
  if (isWireError(error, "timeout")) return ": it does not answer";
  return "";
}

/** The error for the editor: what the far agent answered, or that it is gone. */
function farError(error: unknown): unknown {
  if (isRemoteError(error)) return withDetails(error);
  if (isWireError(error, "closed"))
    return new RemoteError(farLost, "The agent behind the gateway has ended; the next prompt tries to start it again");
  if (isWireError(error, "timeout")) return new RemoteError(farLost, "The agent behind the gateway does not answer");
  if (isWireError(error, "invalid_params") || isWireError(error, "invalid_result"))
    return new RemoteError(farLost, "The agent behind the gateway does not support this, or its answer is invalid");
  return error;
}

/** Agents of the official ACP SDK say of any exception "Internal error", and what it was only in the data. */
function withDetails(error: RemoteError): RemoteError {
  const { details } = (error.data ?? {}) as { readonly details?: unknown };
  if (error.message !== "Internal error" || typeof details !== "string") return error;
  return new RemoteError(error.code, `${error.message}: ${details}`, error.data);
}

/** Runs what asks the far agent. The editor gets the error of `farError`, and `onError` what is not said in it. */
export async function asking<T>(ask: () => Promise<T>, onError: Listeners["onError"], where: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const shown = farError(error);
    if (shown !== error && !isRemoteError(error)) onError(error, where);
    throw shown;
  }
}
