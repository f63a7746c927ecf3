import { ErrorCode } from "@editwire/core/errors";

/** The error codes of ACP's official dialect, beside those of JSON-RPC. */
export const AcpErrorCode = {
  /** The agent requires `authenticate` first. */
  AuthRequired: -32000,
  /** The session or file does not exist. The dialect `spec` uses -32602 instead. */
  ResourceNotFound: -32002,
  /** The request was cancelled by `$/cancel_request`. */
  RequestCancelled: -32800,
} as const;

/** The codes of `spec` for what each dialect answers with a code of its own. */
export const specErrorCodes = {
  sessionNotFound: ErrorCode.InvalidParams,
  mcpServersRefused: ErrorCode.InternalError,
} as const;
