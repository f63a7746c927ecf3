import type { Diagnostic, PeerHandler } from "@editwire/core";

/** A promise that the test settles. */
export interface Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** A handler that refuses what the test does not expect. */
export function handlerOf(handler: Partial<PeerHandler> = {}): PeerHandler {
  return {
    request: (method) => {
      throw new Error(`unexpected request ${method}`);
    },
    notification: (method) => {
      throw new Error(`unexpected notification ${method}`);
    },
    ...handler,
  };
}

/** The diagnostics and errors that reach a handler, and the callbacks that record them. */
export function listener(): {
  diagnostics: Diagnostic[];
  errors: unknown[];
  callbacks: Pick<PeerHandler, "diagnostic" | "error">;
} {
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  return {
    diagnostics,
    errors,
    callbacks: { diagnostic: (one) => void diagnostics.push(one), error: (one) => void errors.push(one) },
  };
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

/** Lets every promise that is ready go on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
