/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly settled: boolean;
  /** Settles it; a second call does nothing. */
  resolve(value: T): void;
}

/** A promise that is settled from outside. */
export function deferred<T>(): Deferred<T> {
  let settle = (_value: T): void => {};
  const promise = new Promise<T>((resolve) => (settle = resolve));
  const result = {
    promise,
    settled: false,
    resolve(value: T) {
      result.settled = true;
      settle(value);
    },
  };
  return result;
}
