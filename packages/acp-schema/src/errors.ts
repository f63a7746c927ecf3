import { ErrorCode, isObject, isRemoteError, RemoteError } from "@editwire/core";
import { AcpErrorCode, specErrorCodes } from "./error-codes.js";
import type { AcpTraits } from "./profiles.js";

/** Codes that mean "session not found" whatever the text says; -32001 is not ACP's, but peers send it. */
const notFoundCodes: readonly number[] = [AcpErrorCode.ResourceNotFound, -32001];
/** Codes that peers use for it among other things, so that the text decides. */
const maybeNotFoundCodes: readonly number[] = [ErrorCode.InvalidParams, ErrorCode.InternalError];

/**
 * Texts with which agents report that they cannot find a session; some call it a conversation, a thread or a rollout.
 */
const notFoundTexts: readonly RegExp[] = [
  /(session|conversation|thread|rollout).*not (found|loaded)|not found.*session/i,
  // an id of the wrong form is one that the agent never gave
  /unknown session\b(?!\/)|invalid (session|thread) ?(id|identifier)\b|requires a valid session id\b/i,
  /\bno\b.*\b(sessions?|conversation|thread|rollout)\b.*\bfound\b/i,
  /\bno (conversation|rollout|session|thread) (found|with id)\b/i,
];

/** Texts with which agents refuse a second prompt. That another process uses the session is a different error. */
const busyTexts: readonly RegExp[] = [
  /\b(prompt|turn)\b.*\b(already|in progress|running)\b|\balready\b.*\b(prompt|turn)\b/i,
  /\balready (active|busy|in progress|processing|prompting|running)\b|\bsession\b.*\bbusy\b/i,
];

/** Recognizes the answer that a session is unknown, in any of the forms that agents use. */
export function isSessionNotFound(error: unknown): error is RemoteError {
  if (!isRemoteError(error)) return false;
  if (notFoundCodes.includes(error.code)) return true;
  if (!maybeNotFoundCodes.includes(error.code)) return false;
  return notFoundTexts.some((text) => text.test(textOf(error))) || isOpenCodeFailure(error);
}

/**
 * opencode's answer when its service has failed, for whatever reason. It looks a session up first, so that to these
 * methods the answer means that there is none, or that it cannot be read.
 */
function isOpenCodeFailure({ data, message, method = "" }: RemoteError): boolean {
  if (!/^session\/(load|resume|fork)$/.test(method) || !/OpenCode service failure/.test(message)) return false;
  return isObject(data) && data["service"] === "session";
}

/** Recognizes the answer that the session has a running turn already (section 4). */
export function isPromptInProgress(error: unknown): error is RemoteError {
  return isRemoteError(error, ErrorCode.InvalidRequest) && busyTexts.some((text) => text.test(textOf(error)));
}

/** Recognizes the answer that the user has to sign in first. */
export function isAuthRequired(error: unknown): error is RemoteError {
  return isRemoteError(error, AcpErrorCode.AuthRequired);
}

/** The answer to a client whose user has to sign in first, by one of the agent's `authMethods`. */
export function authRequired(): RemoteError {
  return new RemoteError(AcpErrorCode.AuthRequired, "authentication required");
}

/** The answer about a session that this agent does not know. The code is the dialect's; default: that of `spec`. */
export function sessionNotFound(sessionId: string, traits?: AcpTraits): RemoteError {
  const { sessionNotFound: code } = traits?.errorCodes ?? specErrorCodes;
  return new RemoteError(code, "session not found", { sessionId });
}

/**
 * The answer to MCP servers that this agent cannot use (section 10). The code is the dialect's; default: that of
 * `spec`.
 */
export function mcpServersRefused(reason: string, traits?: AcpTraits): RemoteError {
  const { mcpServersRefused: code } = traits?.errorCodes ?? specErrorCodes;
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

/** The message, and whatever text `data` holds on its first three levels. */
function textOf({ message, data }: RemoteError): string {
  return [message, ...textsIn(data, 3)].join("\n");
}

function textsIn(value: unknown, levels: number): string[] {
  if (typeof value === "string") return [value];
  return isObject(value) && levels > 0 ? Object.values(value).flatMap((each) => textsIn(each, levels - 1)) : [];
}
