import { isRemoteError, RemoteError } from "@editwire/core";
import { KaiakErrorCode, type KaiakErrorName, specErrorNames } from "./error-codes.js";
import type { KaiakProfile, KaiakTraits } from "./profiles.js";

/** The name of a server's error code in a dialect, by default the specification's; undefined for a code without one. */
export function errorNameOf(error: unknown, profile?: KaiakProfile): KaiakErrorName | undefined {
  const names = profile?.traits.errorNames ?? specErrorNames;
  return isRemoteError(error) ? names[error.code] : undefined;
}

/** Recognizes the answer that a session is unknown. `profile` is the dialect of the connection. */
export function isSessionNotFound(error: unknown, profile?: KaiakProfile): error is RemoteError {
  return errorNameOf(error, profile) === "SessionNotFound";
}

/** Recognizes the answer that a session has a run. `profile` is the dialect of the connection. */
export function isSessionInUse(error: unknown, profile?: KaiakProfile): error is RemoteError {
  return errorNameOf(error, profile) === "SessionInUse";
}

/** Recognizes the answer that params are invalid: -32602, or -32011 from servers of December 2025. */
export function isInvalidParams(error: unknown): error is RemoteError {
  return isRemoteError(error) && (error.code === -32602 || error.code === -32011);
}

/** The words of the specification for each code. */
const messages: Readonly<Record<KaiakErrorName, string>> = {
  SessionCreationFailed: "Session creation failed",
  WorkspaceAccessDenied: "Workspace access denied",
  SessionNotFound: "Session not found",
  SessionAlreadyTerminated: "Session already terminated",
  SessionNotReady: "Session not ready",
  AgentInitializationFailed: "Agent initialization failed",
  RequestNotFound: "Request not found",
  RequestAlreadyCompleted: "Request already completed",
  InteractionNotFound: "Interaction not found",
  InteractionAlreadyResponded: "Interaction already responded",
  ResponseValidationFailed: "Response validation failed",
  FileModificationFailed: "File modification failed",
  ToolExecutionTimeout: "Tool execution timeout",
  ConfigurationError: "Configuration error",
  ResourceExhausted: "Resource exhausted",
  SessionInUse: "Session is currently in use by another client",
};

/**
 * An error of the specification, for a server's handler to throw: `details` follows the message, and `data` is for
 * programs, such as `{ session_id }`. A server of another dialect answers with that dialect's code.
 */
export function kaiakError(name: KaiakErrorName, data?: unknown, details?: string): RemoteError {
  const message = details === undefined ? messages[name] : `${messages[name]}: ${details}`;
  return new RemoteError(KaiakErrorCode[name], message, data);
}

/** The answer about a session that this server does not know. */
export function sessionNotFound(sessionId: string): RemoteError {
  return kaiakError("SessionNotFound", { session_id: sessionId });
}

/** The answer about a session that has a run. `since` is when that began, as in RFC 3339. */
export function sessionInUse(sessionId: string, since: string): RemoteError {
  return kaiakError("SessionInUse", { session_id: sessionId, in_use_since: since });
}

/**
 * The answer to a value of the configuration that cannot be used. `field` is its path, such as `workspace.working_dir`.
 */
export function configurationError(field: string, message: string, details: string): RemoteError {
  return kaiakError("ConfigurationError", { field, details }, message);
}

/** Converts an error to its code in a dialect. Codes that the specification does not define stay unchanged. */
export function errorIn({ errorCodes }: KaiakTraits, error: RemoteError): RemoteError {
  const name = specErrorNames[error.code];
  if (name === undefined || errorCodes[name] === error.code) return error;
  return new RemoteError(errorCodes[name], error.message, error.data, { cause: error });
}
