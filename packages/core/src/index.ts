// For applications.
export {
  ErrorCode,
  isRemoteError,
  isWireError,
  type Issue,
  RemoteError,
  WireError,
  type WireErrorCode,
} from "./errors.js";
export { connect, type ConnectOptions, type Fallback } from "./connection.js";
export type {
  Connection,
  HandlerContext,
  Handlers,
  NotificationName,
  ParamsOf,
  RequestName,
  ResultOf,
  RoleOf,
} from "./infer.js";
export type { CallOptions, Diagnostic, RequestId } from "./peer.js";
export type { Deviation, Part, Profile, ProfileFinder, Rewrites } from "./profile.js";
export { type JsonSchema, schemaToJson, toJsonSchema } from "./json-schema.js";

// For protocol packages and peer engines.
export {
  defineProtocol,
  type MethodDef,
  type Methods,
  methodOf,
  methodsOf,
  notification,
  type NotificationDef,
  type Protocol,
  type Reply,
  request,
  type RequestDef,
} from "./protocol.js";
export type { AnySchema } from "./compile.js";
export { isObject, openUnion, openUnionOf, type Schema, schemaFor, type UnknownTag } from "./schema.js";
export { validatorOf } from "./validate.js";
export { chain, type Change, isAbsent, mapField, mapItems } from "./rewrites.js";
export { dropNulls } from "./nulls.js";
export { nullLists } from "./null-lists.js";
export { dropUnreadable } from "./unreadable.js";
export { kept, type Place, type Places, repaired } from "./deviation-rows.js";
export { deviationsOf, repair, rewrite } from "./profile.js";
export { describeIssues } from "./errors.js";
export { traced } from "./traced.js";
export type { Envelope, Form, Forms } from "./envelope.js";
export type { Peer, PeerContext, PeerHandler, Route, RoutedMessage } from "./peer.js";
