/** The error codes of the specification, beside those of JSON-RPC. */
export const KaiakErrorCode = {
  /** The server could not begin a session. */
  SessionCreationFailed: -32001,
  /** The workspace directory exists but cannot be read. */
  WorkspaceAccessDenied: -32002,
  /** The server has no such session. */
  SessionNotFound: -32003,
  /** The session was deleted. */
  SessionAlreadyTerminated: -32004,
  /** The session is still being created. */
  SessionNotReady: -32005,
  /** The agent, its provider or an extension did not start. */
  AgentInitializationFailed: -32006,
  /** The server has no such run. */
  RequestNotFound: -32007,
  /** The run is over. */
  RequestAlreadyCompleted: -32008,
  /** The server asked no such question. */
  InteractionNotFound: -32009,
  /** The question already has an answer, or its time is over. */
  InteractionAlreadyResponded: -32010,
  /** The answer is none of the options. */
  ResponseValidationFailed: -32011,
  /** A change could not be applied. */
  FileModificationFailed: -32012,
  /** A tool took too long. */
  ToolExecutionTimeout: -32013,
  /** A value of the configuration cannot be used. */
  ConfigurationError: -32014,
  /** Too many runs at a time. */
  ResourceExhausted: -32015,
  /** The session has a run. */
  SessionInUse: -32016,
} as const;

/** A name of `KaiakErrorCode`. */
export type KaiakErrorName = keyof typeof KaiakErrorCode;

/** The names of the specification's codes. */
export const specErrorNames: Readonly<Record<number, KaiakErrorName>> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(KaiakErrorCode).map(([name, code]) => [code, name as KaiakErrorName]),
);
