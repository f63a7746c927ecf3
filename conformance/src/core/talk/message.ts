/** A message as a protocol reads it. The engine only distinguishes these five kinds. */
export type Classified =
  | { readonly kind: "request"; readonly id: unknown; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: unknown; readonly result: unknown }
  | { readonly kind: "error"; readonly id: unknown; readonly error: ErrorBody }
  /** `id`: what an answer to it would carry. */
  | { readonly kind: "invalid"; readonly problem: string; readonly id?: unknown };

/** The error that answers a refused request. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Reads one message of a protocol. */
export type Classify = (message: unknown) => Classified;

/** Writes the messages of a protocol. */
export interface Envelope {
  /** The id of the suite's request with a number of its own. Default: the number. */
  id?(number: number): unknown;
  request(id: unknown, method: string, params: unknown): unknown;
  notification(method: string, params: unknown): unknown;
  result(id: unknown, result: unknown): unknown;
  error(id: unknown, error: ErrorBody): unknown;
  /**
   * For protocols that answer nothing: the notification of the target that follows one of the suite, by the suite's.
   * The time that it takes shows how patient the suite must be. Default: none.
   */
  readonly reactions?: Readonly<Record<string, string>> | undefined;
  classify: Classify;
}

/** A JSON-RPC id or any other id, as a map key that distinguishes `1` and `"1"`. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? "undefined";
}
