import {
  type Change,
  isObject,
  mapField,
  type Profile,
  type RemoteError,
  type Rewrites,
  type Route,
} from "@editwire/core";
import { type Answer, type AnswerMessage, respondAnswer } from "./answers.js";
import { deviations, deviations2026 } from "./deviations.js";
import { KaiakErrorCode, type KaiakErrorName, specErrorNames } from "./error-codes.js";
import { cancelSignal, userMessageAnswer } from "./questions-2026.js";
import * as requests from "./requests-2026.js";
import { kaiakRoute } from "./route.js";
import { plainRoute } from "./stream-2026.js";

/** How the dialects of Kaiak differ apart from the form of their params and results. */
export interface KaiakTraits {
  /** The messages that carry the methods. */
  readonly route: Route;
  /** The codes of errors, by their names in the specification. */
  readonly errorCodes: Readonly<Record<KaiakErrorName, number>>;
  /** The names of errors, by their codes in the dialect. */
  readonly errorNames: Readonly<Record<number, KaiakErrorName>>;
  /** Methods whose refusal is a result, and how it is written. */
  readonly refusals: Readonly<Record<string, (params: unknown, error: RemoteError) => unknown>>;
  /** The server makes the id of a new session; otherwise the client does. */
  readonly serverNamesSessions: boolean;
  /** Each run carries the configuration; otherwise `kaiak/configure` sends it once. */
  readonly configuresRuns: boolean;
  /** The request that answers a question. */
  readonly answer: (answer: Answer) => AnswerMessage;
  /** The request that cancels the run of a session. Absent: `$/cancelRequest`. */
  readonly cancel?: ((sessionId: string) => AnswerMessage) | undefined;
}

/** A dialect of Kaiak. */
export type KaiakProfile = Profile<KaiakTraits>;

function without(...names: readonly string[]): Change {
  return (value) => {
    if (!isObject(value) || !names.some((name) => name in value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  };
}

const spec: KaiakProfile = {
  name: "spec",
  traits: {
    route: kaiakRoute,
    errorCodes: KaiakErrorCode,
    errorNames: specErrorNames,
    refusals: {},
    serverNamesSessions: false,
    configuresRuns: false,
    answer: respondAnswer,
  },
  encode: {
    "kaiak/generate_fix": { params: without("configuration", "begins") },
    "kaiak/stream/tool_call": { params: (params) => mapField(params, "content", without("tool_call_id")) },
  },
  deviations,
};

/** Several names of the specification share a code here. */
const codes2026: Readonly<Record<KaiakErrorName, number>> = {
  SessionCreationFailed: -32010,
  WorkspaceAccessDenied: -32011,
  SessionNotFound: -32003,
  SessionAlreadyTerminated: -32003,
  SessionNotReady: -32013,
  AgentInitializationFailed: -32012,
  RequestNotFound: -32010,
  RequestAlreadyCompleted: -32010,
  InteractionNotFound: -32010,
  InteractionAlreadyResponded: -32010,
  ResponseValidationFailed: -32010,
  FileModificationFailed: -32012,
  ToolExecutionTimeout: -32013,
  ConfigurationError: -32014,
  ResourceExhausted: -32015,
  SessionInUse: -32013,
};

const requests2026: { readonly encode: Rewrites; readonly decode: Rewrites } = {
  encode: {
    "kaiak/generate_fix": { params: requests.writeRun, result: requests.writeRunResult },
    "kaiak/delete_session": { params: requests.writeDeletion, result: requests.writeDeletionResult },
  },
  decode: {
    "kaiak/generate_fix": { params: requests.readRun, result: requests.readRunResult },
    "kaiak/delete_session": {
      params: requests.readDeletion,
      result: requests.readDeletionResult(codes2026.SessionNotFound, codes2026.SessionInUse),
    },
  },
};

const v2026: KaiakProfile = {
  name: "v2026",
  traits: {
    route: plainRoute,
    errorCodes: codes2026,
    errorNames: {
      [-32003]: "SessionNotFound",
      [-32011]: "WorkspaceAccessDenied",
      [-32012]: "AgentInitializationFailed",
      [-32013]: "SessionInUse",
      [-32014]: "ConfigurationError",
      [-32015]: "ResourceExhausted",
    },
    refusals: {
      "kaiak/delete_session": (params, { message }) => requests.refusedDeletion(params, message),
      "kaiak/client/user_message": (_params, { message }) => ({ success: false, message }),
    },
    serverNamesSessions: true,
    configuresRuns: true,
    answer: userMessageAnswer,
    cancel: cancelSignal,
  },
  ...requests2026,
  deviations: deviations2026,
};

/**
 * The dialects of Kaiak. `spec`, the specification's own of 2025-12-24, is the default of every way in. `v2026` is that
 * of Kaiak in January 2026: plain method names, a configuration in each run, sessions that the server names, and one
 * notification, `kaiak/generate_fix/data`, for everything of a run.
 */
export const kaiakProfiles: { readonly spec: KaiakProfile; readonly v2026: KaiakProfile } = { spec, v2026 };
