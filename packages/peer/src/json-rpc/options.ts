import { isObject } from "@editwire/core";
import type { RequestId, Route } from "@editwire/core";
import { PeerErrorCode, type PeerOptions } from "../engine/index.js";

/** The message that cancels a request, such as `$/cancelRequest` with `{ id }`. */
export interface CancelMessage {
  /** The notification's method on the wire; no `Route` applies to it. */
  readonly method: string;
  /** The params that cancel the request with this id; `undefined` to send nothing. */
  params(id: RequestId): unknown;
  /** The id in such params; `undefined` if there is none. */
  idOf(params: unknown): RequestId | undefined;
}

/** `$/cancelRequest { id }`, which the JSON-RPC libraries of language servers send and understand. */
export const languageServerCancel: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf(params) {
    const id = isObject(params) ? params["id"] : undefined;
    return typeof id === "string" || typeof id === "number" ? id : undefined;
  },
};

/** The options of a JSON-RPC peer. */
export interface JsonRpcOptions extends PeerOptions {
  /** The protocol's cancel message. Default: none; an aborted call then only stops waiting. */
  cancel?: CancelMessage | undefined;
  /**
   * The treatment of received text that is not a message, such as a line of a log. `answer` (default): the peer
   * receives an error without an id. `report`: it becomes a diagnostic, and the peer receives nothing; use it on the
   * side that started the peer's process.
   */
  noise?: "answer" | "report" | undefined;
  /** Carries methods inside other methods, in both directions. */
  route?: Route | undefined;
}

/** The error codes that a peer answers with, besides those of JSON-RPC itself. */
export const JsonRpcErrorCode = PeerErrorCode;
