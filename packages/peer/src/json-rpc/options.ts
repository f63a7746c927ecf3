import type { RequestId, Route } from "@editwire/core";
import { PeerErrorCode, type PeerOptions } from "../engine/index.js";

/** How a protocol cancels a request, such as `$/cancelRequest` with `{ id }`. */
export interface CancelMessage {
  /** The notification's method, as it stands on the wire: no `Route` applies to it. */
  readonly method: string;
  /** The params that cancel the request with this id. */
  params(id: RequestId): unknown;
  /** The id that such params name; `undefined` when they name none. */
  idOf(params: unknown): RequestId | undefined;
}

/** How a JSON-RPC peer speaks, and its limits. */
export interface JsonRpcOptions extends PeerOptions {
  /** The protocol's cancel message. Default: none; an aborted call then only stops waiting. */
  cancel?: CancelMessage | undefined;
  /**
   * What happens to received text that is no message, such as a line of a log. `answer` (default): the peer gets an error without
   * an id. `report`: it becomes a diagnostic, and the peer gets nothing, as suits the side that started the peer's process.
   */
  noise?: "answer" | "report" | undefined;
  /** Carries methods inside other methods, both ways. */
  route?: Route | undefined;
}

/** The error codes that a peer answers with, besides those of JSON-RPC itself. */
export const JsonRpcErrorCode = PeerErrorCode;
