import {
  chain,
  type Change,
  dropNulls,
  ErrorCode,
  mapField,
  mapItems,
  methodsOf,
  type Places,
  type Profile,
  type Rewrites,
} from "@editwire/core";
import { specDeviations, v1Deviations } from "./deviations.js";
import { AcpErrorCode, specErrorCodes } from "./error-codes.js";
import { blocks, mcpServers, toolContents } from "./places.js";
import { acp } from "./protocol.js";
import { stated, statedUpdate, unstatedCapabilities } from "./spec-forms.js";
import { unstatedUpdates } from "./updates.js";
import { completePermission, completeUpdate } from "./v1-updates.js";
import {
  bareBlock,
  completeAuthMethod,
  completeBlock,
  completeInfo,
  pendingByDefault,
  tagStdio,
  untagStdio,
  wrapBlock,
} from "./wire-forms.js";

/** How the dialects of ACP differ apart from the form of their messages. */
export interface AcpTraits {
  /** The codes of errors that the dialects number differently. */
  readonly errorCodes: {
    /** The agent does not know the session. */
    readonly sessionNotFound: number;
    /** The agent cannot use an MCP server. */
    readonly mcpServersRefused: number;
  };
  /** Whether an agent replays the messages of a session when a client loads it. */
  readonly replaysOnLoad: boolean;
  /** Whether `$/cancel_request` cancels a request. */
  readonly cancelsRequests: boolean;
  /** Whether a tool call may be pending before it runs. */
  readonly pendingCalls: boolean;
  /** Whether a permission request has the options `allow_once` and `reject_once` only, with these ids. */
  readonly onceOptions: boolean;
  /** Whether an agent may take MCP servers over http and sse. Elsewhere it refuses them and declares neither. */
  readonly remoteMcpServers: boolean;
  /** The kinds of updates that the dialect lacks. They are refused when they are sent. */
  readonly missingUpdates: readonly string[];
  /** The capability of the client that an update takes, by its kind. Every client takes the others. */
  readonly updateCapabilities: Readonly<Record<string, string>>;
}

/** A dialect of ACP. */
export type AcpProfile = Profile<AcpTraits>;

/** Makes one change at every place of one kind. */
function everywhere(places: Places, change: Change): Rewrites {
  return Object.fromEntries(
    Object.entries(places).map(([method, place]) => [method, { params: (value: unknown) => place(value, change) }]),
  );
}

const updateCapabilities = {
  notice: "session.notices",
  compaction_update: "session.compaction",
  compaction_summary_chunk: "session.compaction",
};

const bareOutput = everywhere(toolContents, bareBlock);

const spec: AcpProfile = {
  name: "spec",
  traits: {
    errorCodes: specErrorCodes,
    replaysOnLoad: false,
    cancelsRequests: false,
    pendingCalls: false,
    onceOptions: true,
    remoteMcpServers: false,
    missingUpdates: unstatedUpdates,
    updateCapabilities,
  },
  encode: {
    ...stated,
    ...bareOutput,
    "session/update": { params: chain(statedUpdate, (params) => toolContents["session/update"](params, bareBlock)) },
  },
  decode: { ...everywhere(toolContents, wrapBlock), ...unstatedCapabilities },
  deviations: specDeviations,
};

/** The forms that differ in the official dialect, apart from its nulls. */
const v1Forms: Rewrites = {
  ...everywhere(mcpServers, tagStdio),
  "session/update": { params: (params) => mapField(params, "update", pendingByDefault) },
};

const infoOf: (field: string) => Change = (field) => (value) => mapField(value, field, completeInfo);
const completeMethods: Change = (result) =>
  mapField(result, "authMethods", (methods) => mapItems(methods, completeAuthMethod));
const v1Encode: Rewrites = {
  ...everywhere(mcpServers, untagStdio),
  initialize: { params: infoOf("clientInfo"), result: chain(infoOf("agentInfo"), completeMethods) },
  "session/prompt": { params: (params) => blocks["session/prompt"](params, completeBlock) },
  "session/request_permission": { params: completePermission },
  "session/update": { params: (params) => mapField(params, "update", completeUpdate) },
};

const v1: AcpProfile = {
  name: "v1",
  traits: {
    errorCodes: { sessionNotFound: AcpErrorCode.ResourceNotFound, mcpServersRefused: ErrorCode.InvalidParams },
    replaysOnLoad: true,
    cancelsRequests: true,
    pendingCalls: true,
    onceOptions: false,
    remoteMcpServers: true,
    missingUpdates: [],
    updateCapabilities,
  },
  encode: v1Encode,
  decode: v1Forms,
  decodeUnfit: Object.fromEntries(
    methodsOf(acp).map(([method, def]) => [
      method,
      {
        params: dropNulls(def.params),
        ...(def.kind === "request" ? { result: dropNulls(def.result) } : {}),
      },
    ]),
  ),
  deviations: v1Deviations,
};

/** The dialects of ACP. */
export const acpProfiles = {
  /**
   * The dialect of the specification, as its reference implementation writes it. Tool output is written as bare
   * content blocks, without the fields of their wrapper; diffs and terminals are written as they are.
   */
  spec,
  /**
   * The dialect of the official SDK, in version 1 of the protocol. Links have a name and media a mimeType on the wire,
   * MCP servers on stdio have no type, and null stands for absent.
   */
  v1,
} satisfies Record<string, AcpProfile>;
