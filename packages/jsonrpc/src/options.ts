import type { RequestId, Route } from "@editwire/core";

/** How a protocol cancels a request, such as `$/cancelRequest` with `{ id }`. */
export interface CancelMessage {
  /** The notification's method, as it stands on the wire: no `Route` applies to it. */
  readonly method: string;
  /** The params that cancel the request with this id. */
  params(id: RequestId): unknown;
  /** The id that such params name; `undefined` when they name none. */
  idOf(params: unknown): RequestId | undefined;
}

/** How a JSON-RPC peer speaks, and how much it lets pile up. */
export interface JsonRpcOptions {
  /** The protocol's cancel message. Default: none; an aborted call then only stops waiting. */
  cancel?: CancelMessage | undefined;
  /** Carries methods inside other methods, both ways. */
  route?: Route | undefined;
  /** Notifications whose handlers have not finished, above which reading pauses. Default 256. */
  maxUnhandled?: number | undefined;
  /**
   * The same while a call awaits its reply, when a pause could keep that reply out. Default 16,384. Above it such calls
   * reject with `overloaded`.
   */
  maxQueued?: number | undefined;
  /** Requests of the peer that are not answered yet; one more is answered -32050. Default 1,024. */
  maxRequests?: number | undefined;
  /** Sees every message as a value, before it is handled or after it was sent. What it throws is ignored. */
  tap?: ((direction: "in" | "out", message: unknown) => void) | undefined;
}

/** The error codes that this engine answers with, besides those of JSON-RPC itself. */
export const JsonRpcErrorCode = {
  /** The request was cancelled by the side that made it; the code is the Language Server Protocol's. */
  RequestCancelled: -32800,
  /** `maxRequests` requests are in flight already; the request was not looked at. */
  TooManyRequests: -32050,
} as const;
