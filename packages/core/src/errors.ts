/** Why a call or a connection failed on this side. */
export type WireErrorCode =
  | "closed"
  | "timeout"
  | "aborted"
  | "framing"
  | "too_large"
  | "invalid_params"
  | "invalid_result"
  | "not_connected"
  | "overloaded";

/** One place in a value that does not fit its schema. */
export interface Issue {
  /** Dotted path from the message's part, such as `params.prompt.0.type`. */
  path: string;
  /** The expected and the received form. */
  message: string;
}

interface ErrorDetails {
  cause?: unknown;
  data?: unknown;
}

const wireBrand = Symbol.for("editwire.WireError");
const remoteBrand = Symbol.for("editwire.RemoteError");

/**
 * Never throws: errors are recognized where a failure is handled, and a handler may reject with anything, such as a
 * revoked proxy.
 */
function hasBrand(value: unknown, brand: symbol): boolean {
  try {
    return typeof value === "object" && value !== null && brand in value;
  } catch {
    return false;
  }
}

function hasCode(error: { readonly code: unknown }, code: unknown): boolean {
  try {
    return code === undefined || error.code === code;
  } catch {
    return false;
  }
}

/** A local failure; it never crosses the wire. `instanceof` holds across duplicate copies of this package. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;
  /** Details for programs: `Issue[]` for invalid values, exit code and stderr for a process that exited. */
  readonly data: unknown;

  constructor(code: WireErrorCode, message: string, { cause, data }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, wireBrand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, wireBrand);
  }
}

/** The error codes of JSON-RPC 2.0, section 5.1. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/**
 * An error that crosses the wire: the peer answered with it, or a handler threw it on purpose. Anything else that a
 * handler throws reaches the peer as -32603 without its text.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** The JSON-RPC code, such as -32602. */
  readonly code: number;
  /** The error's `data` member, as the peer sent it. */
  readonly data: unknown;
  /** The request that the peer answered with this error. Undefined for an error that this side made. */
  declare readonly method: string | undefined;

  constructor(
    code: number,
    message: string,
    data?: unknown,
    options?: { cause?: unknown; method?: string | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.data = data;
    Object.defineProperties(this, { [remoteBrand]: { value: true }, method: { value: options?.method } });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, remoteBrand);
  }

  /** -32600: the request is not allowed now, or is malformed. */
  static invalidRequest(message: string, data?: unknown): RemoteError {
    return remoteError(ErrorCode.InvalidRequest, message, data);
  }

  /** -32601: this side has no handler for the method. */
  static methodNotFound(method: string): RemoteError {
    return remoteError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
  }

  /** -32602: the params are invalid; `data` lists the places. */
  static invalidParams(message: string, data?: unknown): RemoteError {
    return remoteError(ErrorCode.InvalidParams, message, data);
  }

  /** -32603: the answer when a handler fails. */
  static internal(): RemoteError {
    return remoteError(ErrorCode.InternalError, "Internal error");
  }

  /** -32603, with `reason: "overloaded"` in `data`: the answer when a limit of this side was reached. */
  static overloaded(): RemoteError {
    return remoteError(ErrorCode.InternalError, "Overloaded: too much waits; try again later", {
      reason: "overloaded",
    });
  }

  /**
   * The error that the peer receives when its request fails with `error`: a `RemoteError` unchanged, and `overloaded`
   * as such. For any other error the peer receives `internal`, without the error's text.
   */
  static of(error: unknown): RemoteError {
    return asRemoteError(error);
  }
}

/** Outside of the class: bundlers rename one that names itself, and traces then begin with `_RemoteError`. */
function asRemoteError(error: unknown): RemoteError {
  if (isRemoteError(error)) return error;
  return isWireError(error, "overloaded") ? RemoteError.overloaded() : RemoteError.internal();
}

/** Outside of the class: bundlers rename one that names itself, and traces then begin with `_RemoteError`. */
function remoteError(code: number, message: string, data?: unknown): RemoteError {
  return new RemoteError(code, message, data);
}

/** Recognizes a local error, of one code or of any. Never throws, whatever the value is. */
export function isWireError(value: unknown, code?: WireErrorCode): value is WireError {
  return value instanceof WireError && hasCode(value, code);
}

/**
 * Recognizes an error that came from the peer or is meant for it, of one code or of any. Never throws, whatever the
 * value is.
 */
export function isRemoteError(value: unknown, code?: number): value is RemoteError {
  return value instanceof RemoteError && hasCode(value, code);
}

/** The text that `invalid_params` and -32602 carry: the method, then every place that does not fit. */
export function describeIssues(method: string, issues: readonly Issue[]): string {
  return `${method}: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`;
}
