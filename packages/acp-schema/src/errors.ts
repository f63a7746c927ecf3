import { ErrorCode, isObject, isRemoteError, RemoteError } from "@editwire/core";
import { AcpErrorCode } from "./error-codes.js";
import { acpProfiles, type AcpTraits } from "./profiles.js";

/** Codes that mean "session not found" whatever the text says; -32001 is not ACP's, but peers send it. */
const notFoundCodes: readonly number[] = [AcpErrorCode.ResourceNotFound, -32001];
/** Codes that peers use for it among other things, so that the text decides. */
const maybeNotFoundCodes: readonly number[] = [ErrorCode.InvalidParams, ErrorCode.InternalError];

/** Recognizes the answer that a session is unknown, in any of the forms that agents use. */
export function isSessionNotFound(error: unknown): error is RemoteError {
  if (!isRemoteError(error)) return false;
  if (notFoundCodes.includes(error.code)) return true;
  return maybeNotFoundCodes.includes(error.code) && /session.*not found|unknown session/i.test(textOf(error));
}

/** Recognizes the answer that the session has a running turn already (section 4). */
export function isPromptInProgress(error: unknown): error is RemoteError {
  return isRemoteError(error, ErrorCode.InvalidRequest) && /already/i.test(textOf(error));
}

/** The answer about a session that this agent does not know. The code is the dialect's; default: that of `spec`. */
export function sessionNotFound(sessionId: string, traits: AcpTraits = acpProfiles.spec.traits): RemoteError {
  return new RemoteError(traits.errorCodes.sessionNotFound, "session not found", { sessionId });
}

/** The answer to MCP servers that this agent cannot use (section 10). The code is the dialect's; default: that of `spec`. */
export function mcpServersRefused(reason: string, traits: AcpTraits = acpProfiles.spec.traits): RemoteError {
  return new RemoteError(traits.errorCodes.mcpServersRefused, "failed to configure MCP servers", reason);
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
