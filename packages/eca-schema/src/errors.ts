import { isObject, isRemoteError, RemoteError } from "@editwire/core";

/** The error codes of ECA's peers, beside those of JSON-RPC. */
export const EcaErrorCode = {
  /** A request came before `initialize`. */
  ServerNotInitialized: -32002,
  /** The request was cancelled by `$/cancelRequest`. */
  RequestCancelled: -32800,
} as const;

/** The answer to a request before `initialize`. */
export function serverNotInitialized(method: string): RemoteError {
  return new RemoteError(EcaErrorCode.ServerNotInitialized, "Server not initialized", { method });
}

/** Recognizes the peer's answer that it waits for `initialize`. */
export function isServerNotInitialized(error: unknown): error is RemoteError {
  return isRemoteError(error, EcaErrorCode.ServerNotInitialized);
}

/** Recognizes the peer's answer to a request that was cancelled. */
export function isRequestCancelled(error: unknown): error is RemoteError {
  return isRemoteError(error, EcaErrorCode.RequestCancelled);
}

/**
 * The word that servers of 2026 send in `data.code`, such as `chat_not_found`; `undefined` for an error without one.
 */
export function errorWord(error: unknown): string | undefined {
  const code = isRemoteError(error) && isObject(error.data) ? error.data["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}
