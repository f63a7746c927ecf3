/// <reference lib="esnext.disposable" preserve="true" />
import type { Connection } from "@editwire/core";

/** One side of a connection, in every binding. */
export interface Side<P, Self> {
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<P, Self>;
  /** Cancels running turns, then closes the connection. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
}

/** The asking side of a connection. */
export interface ClientSide<P> extends Side<P, "client"> {
  [Symbol.asyncDispose](): Promise<void>;
}

/** The members of a `ClientSide`. `cancel` cancels the running turns. */
export function clientSide<P>(connection: Connection<P, "client">, cancel: () => Promise<unknown>): ClientSide<P> {
  const close = async (): Promise<void> => {
    await cancel();
    await connection.close();
  };
  return { connection, close, closed: connection.closed, [Symbol.asyncDispose]: close };
}
