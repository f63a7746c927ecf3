import { isRemoteError, RemoteError } from "@editwire/core";
import { KaiakErrorCode, type KaiakErrorName } from "./error-codes.js";

/** The name of a server's error code; undefined for a code that the specification does not have. */
export function errorNameOf(error: unknown): KaiakErrorName | undefined {
  if (!isRemoteError(error)) return undefined;
  const found = Object.entries(KaiakErrorCode).find(([, code]) => code === error.code);
  return found?.[0] as KaiakErrorName | undefined;
}

/** Recognizes the answer that a session is unknown. */
export function isSessionNotFound(error: unknown): error is RemoteError {
  return isRemoteError(error, KaiakErrorCode.SessionNotFound);
}

/** Recognizes the answer that a session has a run. */
export function isSessionInUse(error: unknown): error is RemoteError {
  return isRemoteError(error, KaiakErrorCode.SessionInUse);
}

/** The answer about a session that this server does not know. */
export function sessionNotFound(sessionId: string): RemoteError {
  return new RemoteError(KaiakErrorCode.SessionNotFound, "Session not found", { session_id: sessionId });
}

/** The answer about a session that has a run. `since` is when that began, as in RFC 3339. */
export function sessionInUse(sessionId: string, since: string): RemoteError {
  return new RemoteError(KaiakErrorCode.SessionInUse, "Session is currently in use by another client", {
    session_id: sessionId,
    in_use_since: since,
  });
}

/**
 * The answer to a value of the configuration that cannot be used. `field` is its path, such as `workspace.working_dir`.
 */
export function configurationError(field: string, message: string, details: string): RemoteError {
  return new RemoteError(KaiakErrorCode.ConfigurationError, `Configuration error: ${message}`, { field, details });
}
