import { ErrorCode, type Profile, RemoteError } from "@editwire/core";

/** The errors whose code depends on the dialect. */
export interface AcpErrors {
  sessionNotFound(sessionId: string): RemoteError;
  mcpServersRefused(reason: string): RemoteError;
}

/** The dialect's errors: the specification's implementation answers -32602 and -32603 where the official one has -32002 and -32602. */
export function errorsOf(profile: Profile): AcpErrors {
  const official = profile.name === "v1";
  return {
    sessionNotFound: (sessionId) => new RemoteError(official ? -32002 : ErrorCode.InvalidParams, "session not found", { sessionId }),
    mcpServersRefused: (reason) =>
      new RemoteError(official ? ErrorCode.InvalidParams : ErrorCode.InternalError, "failed to configure MCP servers", reason),
  };
}
