import { ErrorCode, isObject, isRemoteError, RemoteError } from "@editwire/core";

/** The error codes of ACP's official dialect, beside those of JSON-RPC. */
export const AcpErrorCode = {
  /** The agent wants `authenticate` first. */
  AuthRequired: -32000,
  /** No such session or file. The spec's own agent says -32602 instead. */
  ResourceNotFound: -32002,
  /** The request was cancelled by `$/cancel_request`. */
  RequestCancelled: -32800,
} as const;

/** Codes that mean "session not found" whatever the text says; -32001 is not ACP's, but peers send it. */
const notFoundCodes: readonly number[] = [AcpErrorCode.ResourceNotFound, -32001];
/** Codes that peers use for it among other things, so that the text decides. */
const maybeNotFoundCodes: readonly number[] = [ErrorCode.InvalidParams, ErrorCode.InternalError];

/** Tells the peer's answer that it does not know a session, in any of the forms that agents give it. */
export function isSessionNotFound(error: unknown): error is RemoteError {
  if (!isRemoteError(error)) return false;
  if (notFoundCodes.includes(error.code)) return true;
  return maybeNotFoundCodes.includes(error.code) && /session.*not found|unknown session/i.test(textOf(error));
}

/** Tells the peer's answer that the session runs a turn already (section 4). */
export function isPromptInProgress(error: unknown): error is RemoteError {
  return isRemoteError(error, ErrorCode.InvalidRequest) && /already/i.test(textOf(error));
}

/** The answer about a session that this agent does not know. `dialect` is a profile's name: `v1` has a code of its own for it. */
export function sessionNotFound(sessionId: string, dialect = "elephant"): RemoteError {
  const code = dialect === "v1" ? AcpErrorCode.ResourceNotFound : ErrorCode.InvalidParams;
  return new RemoteError(code, "session not found", { sessionId });
}

/**
 * The answer to MCP servers that this agent cannot use (section 10).
 * `dialect` is a profile's name: the spec's own agent says -32603, `v1` -32602.
 */
export function mcpServersRefused(reason: string, dialect = "elephant"): RemoteError {
  const code = dialect === "v1" ? ErrorCode.InvalidParams : ErrorCode.InternalError;
  return new RemoteError(code, "failed to configure MCP servers", reason);
}

/** The answer to a second prompt while the session's turn still runs (section 4). */
export function promptInProgress(sessionId: string): RemoteError {
  return RemoteError.invalidRequest("prompt already running", { sessionId });
}

/** The answer to a mode that the session does not offer (section 5.7). */
export function unsupportedMode(modeId: string): RemoteError {
  return RemoteError.invalidParams("unsupported mode", { modeId });
}

/** The message, and whatever text `data` holds on its first level. */
function textOf({ message, data }: RemoteError): string {
  const details = isObject(data) ? Object.values(data) : [data];
  return [message, ...details.filter((detail) => typeof detail === "string")].join("\n");
}
